import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { capture, root } from './processes.ts';

/** Lines from which a file is named; the linter's error is at 400, of tests at 450. */
const fileWarning = 300;

/** Files and functions that are large but still allowed: the linter refuses only what is far too large. */
export async function sizeWarnings(): Promise<string[]> {
  return [...(await largeFiles()), ...(await largeFunctions())];
}

async function largeFiles(): Promise<string[]> {
  const tables = await readTables();
  const found: string[] = [];
  for (const folder of ['src', 'webview', 'test']) {
    const names = await readdir(path.join(root, folder), { recursive: true }).catch(() => []);
    for (const name of names) {
      if (!/\.(ts|tsx|mjs|css)$/.test(name) || name.startsWith('fixtures')) continue;
      if (tables.some((pattern) => path.matchesGlob(`${folder}/${name}`, pattern))) continue;
      const text = await readFile(path.join(root, folder, name), 'utf8');
      const lines = text.split('\n').length - 1;
      if (lines > fileWarning) found.push(`${folder}/${name} has ${lines} lines (${fileWarning})`);
    }
  }
  return found;
}

/** Patterns of the files that the linter lets have any number of lines. */
async function readTables(): Promise<readonly string[]> {
  const config = JSON.parse(await readFile(path.join(root, '.oxlintrc.json'), 'utf8')) as {
    overrides: readonly { files: readonly string[]; rules: Readonly<Record<string, unknown>> }[];
  };
  const unlimited = config.overrides.filter(({ rules }) => rules['max-lines'] === 'off');
  return unlimited.flatMap(({ files }) => files);
}

/** The linter once more, with its lower limit for functions and nothing else. */
async function largeFunctions(): Promise<string[]> {
  const config = path.join(root, 'test/rig/sizes.oxlintrc.json');
  const oxlint = path.join(root, 'node_modules/.bin/oxlint');
  const { output } = await capture(oxlint, ['-c', config, '-f', 'unix', 'src', 'webview']);
  return output
    .split('\n')
    .filter((line) => line.includes('max-lines-per-function'))
    .map((line) => line.replace(/\s*\[\w+\/.*$/, ''));
}
