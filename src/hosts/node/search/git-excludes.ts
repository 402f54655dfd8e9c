import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** As ripgrep reads it: the section does not count. */
const EXCLUDES_FILE = /^\s*excludesfile\s*=\s*"?\s*(\S+?)\s*"?\s*$/imu;

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/** The rules that the person has set for all repositories (`core.excludesFile`, or its default place). */
export async function globalExcludes(environment: NodeJS.ProcessEnv): Promise<string> {
  const home = environment['HOME'] ?? environment['USERPROFILE'];
  if (home === undefined || home === '') return '';
  const settings = environment['XDG_CONFIG_HOME'] || path.join(home, '.config');
  for (const file of [path.join(home, '.gitconfig'), path.join(settings, 'git', 'config')]) {
    const named = EXCLUDES_FILE.exec(await textOf(file))?.[1];
    if (named !== undefined) return textOf(path.resolve(home, named.replace(/^~(?=\/)/u, home)));
  }
  return textOf(path.join(settings, 'git', 'ignore'));
}

/** The rules of one repository that are not in its history: `info/exclude`; of a linked work tree, too. */
export async function repositoryExcludes(top: string): Promise<string> {
  const own = await textOf(path.join(top, '.git', 'info', 'exclude'));
  if (own !== '') return own;
  const elsewhere = /^gitdir:\s*(.+?)\s*$/mu.exec(await textOf(path.join(top, '.git')))?.[1];
  if (elsewhere === undefined) return '';
  const folder = path.resolve(top, elsewhere);
  const common = (await textOf(path.join(folder, 'commondir'))).trim();
  return textOf(path.join(path.resolve(folder, common), 'info', 'exclude'));
}
