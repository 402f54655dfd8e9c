import path from 'node:path';
import { ruleText } from './rule-file.ts';

/** As ripgrep reads it: the section does not count. */
const EXCLUDES_FILE = /^[ \t]*excludesfile[ \t]*=[ \t]*"?[ \t]*([^\s"]+)[ \t]*"?[ \t]*\r?$/imu;

/** Of the person's own, or below `.git`: links are followed there, as git does. */
const textOf = (file: string): Promise<string> => ruleText(file, 'follow');

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
  const elsewhere = /^gitdir:(.*)$/mu.exec(await textOf(path.join(top, '.git')))?.[1]?.trim();
  if (elsewhere === undefined || elsewhere === '') return '';
  const folder = path.resolve(top, elsewhere);
  if (isOfOtherMachine(folder, top)) return '';
  const common = path.resolve(folder, (await textOf(path.join(folder, 'commondir'))).trim());
  return isOfOtherMachine(common, top) ? '' : textOf(path.join(common, 'info', 'exclude'));
}

/** On Windows whoever asks another machine for a file shows it who they are: no workspace may cause that. */
const isOfOtherMachine = (folder: string, top: string): boolean =>
  path.parse(folder).root.startsWith('\\\\') && path.parse(folder).root !== path.parse(top).root;
