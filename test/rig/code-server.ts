import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { capture, root } from './processes.ts';

/** The npm package code-server, which contains VS Code's server and workbench (4.139.1 has VS Code 1.139.1). */
const version = '4.139.1';
const cache = path.join(root, '.vscode-test');

/**
 * A VS Code that runs on plain Node, from the npm registry alone: no native module is compiled. Its folder is
 * complete or not there: it is made under a temporary name and renamed last.
 * VS Code's own assistant, another one than Belay, is left out: it took an eighth of the processor time of a window's start.
 * Returns the folder that holds `out/server-main.js`.
 */
export async function ensureVisualStudioCode(say: (line: string) => void): Promise<string> {
  const folder = path.join(cache, `code-server-${version}`);
  const assistant = 'extensions/copilot';
  if (existsSync(path.join(folder, 'out/server-main.js'))) {
    await rm(path.join(folder, assistant), { recursive: true, force: true });
    return folder;
  }
  say(`Getting VS Code (code-server ${version} from npm) …`);
  await mkdir(cache, { recursive: true });
  await removeUnfinished();
  const work = await mkdtemp(path.join(cache, 'unfinished-'));
  const npm = async (args: string[], cwd: string): Promise<void> => {
    const { code, output } = await capture('npm', [...args, '--loglevel=error'], { cwd });
    if (code !== 0) {
      throw new Error(
        `VS Code could not be installed: npm ${args[0]} failed in ${cwd}.\n${output}`,
      );
    }
  };
  await npm(['pack', `code-server@${version}`], work);
  const archive = (await readdir(work)).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error('npm pack left no archive of code-server.');
  const unpacked = await capture('tar', ['xzf', archive, 'package/lib/vscode'], { cwd: work });
  if (unpacked.code !== 0)
    throw new Error(`code-server could not be unpacked:\n${unpacked.output}`);
  const source = path.join(work, 'package/lib/vscode');
  const install = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  await npm(install, source);
  await npm(install, path.join(source, 'extensions'));
  await rm(path.join(source, assistant), { recursive: true, force: true });
  await rename(source, folder);
  await rm(work, { recursive: true, force: true });
  return folder;
}

async function removeUnfinished(): Promise<void> {
  for (const name of await readdir(cache)) {
    if (name.startsWith('unfinished-'))
      await rm(path.join(cache, name), { recursive: true, force: true });
  }
}
