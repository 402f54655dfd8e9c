import { readFileSync } from 'node:fs';
import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../rig/processes.ts';

export type SandboxVerdict = 'allow' | 'sandbox' | 'ask' | 'refuse';

export interface SandboxCase {
  readonly id: string;
  readonly vector: string;
  readonly line: string;
  readonly off: SandboxVerdict;
  readonly on: SandboxVerdict;
  readonly judgedOnly?: true;
}

export interface SandboxFolders {
  readonly workspace: string;
  readonly home: string;
  readonly temp: string;
  readonly store: string;
  readonly port: number;
}

/** Text in every file that no command may print. */
export const HIDDEN_TEXT = 'MARKER';

const { cases } = JSON.parse(
  readFileSync(path.join(root, 'test/security/sandbox-lines.json'), 'utf8'),
) as { readonly cases: readonly SandboxCase[] };

export const SANDBOX_CASES = cases;

export function fillLine({ line }: SandboxCase, folders: SandboxFolders): string {
  const values: Readonly<Record<string, string>> = {
    home: folders.home,
    temp: folders.temp,
    store: folders.store,
    port: String(folders.port),
    pid: String(process.pid),
  };
  return line.replaceAll(/\{(?<name>\w+)\}/gu, (all, name: string) => values[name] ?? all);
}

/** Creates the files that the lines try to read and change. */
export async function createSandboxFiles(folders: SandboxFolders): Promise<void> {
  const { workspace, home, temp, store } = folders;
  const files: Readonly<Record<string, string>> = {
    [`${workspace}/README.md`]: 'CONTROL\n',
    [`${workspace}/package.json`]: '{}\n',
    [`${workspace}/src/a.ts`]: 'export {};\n',
    [`${workspace}/src/x/b.ts`]: 'export {};\n',
    [`${workspace}/.env`]: HIDDEN_TEXT,
    [`${workspace}/secrets/db.json`]: HIDDEN_TEXT,
    [`${workspace}/node_modules/kit/.env`]: HIDDEN_TEXT,
    [`${workspace}/private/notes.txt`]: HIDDEN_TEXT,
    [`${workspace}/.belayignore`]: 'private/\n',
    [`${workspace}/.git/packed`]: HIDDEN_TEXT,
    [`${home}/notes.txt`]: HIDDEN_TEXT,
    [`${home}/.ssh/id_test`]: HIDDEN_TEXT,
    [`${home}/go/pkg/mod.txt`]: 'CACHED\n',
    [`${store}/belay.db`]: HIDDEN_TEXT,
    [`${temp}/other.txt`]: HIDDEN_TEXT,
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await symlink('.env', path.join(workspace, 'settings.txt'));
  await symlink(home, path.join(workspace, 'tohome'));
  await link(path.join(home, 'notes.txt'), path.join(workspace, 'linked.txt'));
}
