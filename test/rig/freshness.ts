import { createHash } from 'node:crypto';
import { globSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './processes.ts';

/** Everything that goes into the package. */
const sources = [
  '{src,webview,media}/**/*',
  '{package.json,package-lock.json,esbuild.mjs,tsconfig.json,.vscodeignore}',
  '{README.md,CHANGELOG.md,LICENSE}',
];

/** Whether a file made from the sources is newer than all of them. A deleted source shows in its folder's time. */
export function isUpToDate(product: string, patterns: readonly string[] = sources): boolean {
  const made = statSync(product, { throwIfNoEntry: false })?.mtimeMs;
  if (made === undefined) return false;
  return globSync([...patterns], { cwd: root }).every(
    (file) => statSync(path.join(root, file)).mtimeMs < made,
  );
}

/**
 * Runs `work` unless `note` says that it was already done with this very `file`, and then notes it.
 * Used where a file is installed somewhere: the same bytes need not be installed again.
 */
export async function onceFor(
  file: string,
  note: string,
  work: () => Promise<void>,
): Promise<void> {
  const hash = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  if ((await readFile(note, 'utf8').catch(() => '')) === hash) return;
  await work();
  await writeFile(note, hash);
}
