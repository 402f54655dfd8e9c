import { access, lstat, readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { GitRepository } from '../../../core/ports/commands/git.ts';
import { discoverRepository, isInBareRepository } from './discover.ts';
import type { GitReader, GitSetting } from './git-setting.ts';

/** Settings by which a plain status, diff, log or show runs a program. */
const RUNS: readonly RegExp[] = [
  /^diff\.external$/u,
  /^diff\..+\.(?:command|textconv)$/su,
  /^filter\..+\.(?:clean|smudge|process)$/su,
  /^gpg\.(?:.+\.)?program$/su,
  /^core\.(?:gitproxy|alternaterefscommand)$/u,
];
/** Settings by which git works on other files than those of the folder, or fetches what is missing. */
const LEADS_AWAY = /^(?:core\.worktree|extensions\.partialclone|remote\..+\.promisor)$/su;
/** The filters of git-lfs as git-lfs writes them. */
const LARGE_FILES =
  /^git-lfs (?:clean -- %f|smudge(?: --skip)? -- %f|filter-process(?: --skip)?)$/u;

/** Folders of a tree that are looked through for repositories; nearest to the top first. */
const MOST_FOLDERS = 3000;
const DEEPEST = 3;

/** Things that git would run or read because a folder's repository says so. */
export async function repositoryHazards(
  git: GitReader,
  folder: string,
  depth = 0,
): Promise<readonly string[]> {
  try {
    if (await isInBareRepository(folder)) return ['a bare repository among the files'];
    const repository = await discoverRepository(folder);
    // Outside of a repository git has nothing to obey.
    if (repository === undefined) return [];
    const signal = AbortSignal.timeout(10_000);
    const settings = await git.settings(repository, signal);
    const found = settings.filter((one) => isHazard(one, depth)).map(({ key }) => key);
    const hooks = settings.findLast(({ key }) => key === 'core.hookspath')?.value;
    if (await hasIndexHook(repository, hooks)) found.push('the hook post-index-change');
    if (await leadsElsewhere(repository)) found.push('a .git that leads to another repository');
    for (const file of ignoredRevisionFiles(settings))
      if (await isForeign(repository.top, file)) found.push('blame.ignorerevsfile');
    if (depth > 0) return [...found, ...(await submoduleHazards(git, repository, signal, depth))];
    return [
      ...found,
      ...(await submoduleHazards(git, repository, signal, depth)),
      ...(await nestedHazards(git, repository.top)),
    ];
  } catch {
    return ['a configuration that cannot be read'];
  }
}

function isHazard({ key, value }: GitSetting, depth: number): boolean {
  if (key === 'core.fsmonitor') return !/^(?:true|false|yes|no|on|off|0|1|)$/iu.test(value);
  // A submodule's folder for its files is set by git itself.
  if (key === 'core.worktree' && depth > 0) return false;
  // Everything else runs git in the repositories of submodules, also in those of earlier commits.
  if (key === 'diff.submodule') return !/^(?:short|log)$/u.test(value);
  if (LEADS_AWAY.test(key)) return true;
  return value !== '' && !LARGE_FILES.test(value) && RUNS.some((pattern) => pattern.test(key));
}

/** Parts of a repository that git follows wherever they lead. */
const PARTS = ['HEAD', 'config', 'objects', 'objects/pack', 'refs', 'packed-refs'];

/** Checks if git would show what another repository has: by a link, a pointer, or objects that are borrowed. */
async function leadsElsewhere({ top, gitDir }: GitRepository): Promise<boolean> {
  const entry = path.join(top, '.git');
  const type = await lstat(entry);
  if (type.isSymbolicLink()) return true;
  const pointer = await readFile(path.join(gitDir, 'commondir'), 'utf8').catch(() => undefined);
  const common = path.resolve(gitDir, pointer?.trim() ?? '.');
  const isWorktree =
    pointer !== undefined &&
    common === path.resolve(gitDir, '..', '..') &&
    path.basename(path.dirname(gitDir)) === 'worktrees' &&
    (await pointsBack(gitDir, entry));
  if (pointer !== undefined && !isWorktree) return true;
  if (type.isFile() && !isWorktree && !isModuleOfAncestor(top, gitDir)) return true;
  for (const name of PARTS) {
    const found = await lstat(path.join(common, name)).catch(() => undefined);
    if (found?.isSymbolicLink() === true) return true;
  }
  const borrowed = await readFile(path.join(common, 'objects/info/alternates'), 'utf8').catch(
    () => '',
  );
  return borrowed.trim() !== '';
}

/** A repository knows its worktrees by the path of their `.git` file. */
async function pointsBack(gitDir: string, entry: string): Promise<boolean> {
  const text = await readFile(path.join(gitDir, 'gitdir'), 'utf8').catch(() => '');
  const known = await realpath(path.resolve(gitDir, text.trim())).catch(() => undefined);
  return known === (await realpath(entry));
}

/** The repository of a submodule is in that of a folder above. */
function isModuleOfAncestor(top: string, gitDir: string): boolean {
  const at = gitDir.lastIndexOf(path.join(path.sep, '.git', 'modules', path.sep));
  return at >= 0 && top.startsWith(`${gitDir.slice(0, at)}${path.sep}`);
}

/** Git shows the lines of these files that it doesn't understand. */
function ignoredRevisionFiles(settings: readonly GitSetting[]): readonly string[] {
  return settings.flatMap(({ key, value }) =>
    key === 'blame.ignorerevsfile' && value !== '' ? [value] : [],
  );
}

/** A file by its plain name in the folder itself is a file of the project. */
async function isForeign(top: string, file: string): Promise<boolean> {
  if (!/^[\w.-]*ignore[\w.-]*$/iu.test(file)) return true;
  const found = await lstat(path.join(top, file)).catch(() => undefined);
  return found !== undefined && !found.isFile();
}

/** `git status` writes the index, and then this hook runs. */
async function hasIndexHook({ top, gitDir }: GitRepository, hooks?: string): Promise<boolean> {
  const common = await readFile(path.join(gitDir, 'commondir'), 'utf8').catch(() => '.');
  const own = path.join(path.resolve(gitDir, common.trim()), 'hooks');
  const folder = hooks === undefined ? own : path.resolve(top, hooks);
  return exists(path.join(folder, 'post-index-change'));
}

/** Git goes into the repositories of submodules, which have a configuration of their own. */
async function submoduleHazards(
  git: GitReader,
  repository: GitRepository,
  signal: AbortSignal,
  depth: number,
): Promise<readonly string[]> {
  const args = ['ls-files', '--stage', '-z'];
  const listed = await git.run({ repository, args, signal, maxBytes: 50_000_000 });
  if (listed.cut || listed.exitCode !== 0) return ['an index that cannot be read'];
  const hazards: string[] = [];
  for (const entry of listed.output.split('\0')) {
    if (!entry.startsWith('160000 ')) continue;
    const folder = path.join(repository.top, entry.slice(entry.indexOf('\t') + 1));
    if (!(await exists(path.join(folder, '.git')))) continue;
    if (depth >= DEEPEST) return ['submodules in submodules'];
    hazards.push(...(await repositoryHazards(git, folder, depth + 1)));
  }
  return hazards;
}

/** Hazards of repositories among the files; of a very large tree, the beginning's. */
async function nestedHazards(git: GitReader, top: string): Promise<readonly string[]> {
  const hazards: string[] = [];
  const open = [top];
  let looked = 0;
  for (let at = open.shift(); at !== undefined && looked < MOST_FOLDERS; at = open.shift()) {
    looked += 1;
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    if (at !== top && entries.some(({ name }) => name === '.git')) {
      const found = await repositoryHazards(git, at, 1);
      hazards.push(...found.map((hazard) => `${hazard} in ${path.relative(top, at)}`));
    }
    for (const entry of entries)
      if (entry.isDirectory() && entry.name !== '.git') open.push(path.join(at, entry.name));
  }
  return hazards;
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
