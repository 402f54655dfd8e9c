import { pathBelow, resolvePath } from '../../../../domain/paths.ts';
import { createRisk } from '../../risks.ts';
import { isSecretFile } from '../../secret-files.ts';
import type { GitUse } from '../finding.ts';
import type { CommandJudgeParts } from '../judge-parts.ts';
import { type Problem, findPlaceProblem } from '../place-problem.ts';

/** Finds why a reading call of git requires approval in a folder: what it would run or show there. */
export async function findGitProblem(
  parts: CommandJudgeParts,
  folder: string,
  { shows, showsObjects = false, revisions = [], inTree = [] }: GitUse,
  roots: readonly string[],
): Promise<Problem | undefined> {
  const { repositories, guard } = parts;
  if (repositories === undefined) return ask('unknown-git');
  const hazards = await repositories.hazards(folder);
  if (hazards.length > 0) return ask('git-runs', hazards.slice(0, 3).join(', '));
  // A file or a folder has lost its path: it may be any, also a hidden one.
  for (const name of showsObjects ? revisions : []) {
    const kind = await repositories.kindOf(folder, name);
    if (kind === 'blob' || kind === 'tree') return ask('git-object', name);
  }
  for (const path of inTree) {
    // From the folder of the repository, unless it says otherwise.
    const top = /^\.{1,2}\//u.test(path) ? folder : await repositories.topOf(folder);
    const judged = await guard.judge({ path: `${top ?? folder}/${path}`, access: 'read' }, roots);
    const problem = findPlaceProblem(judged, path);
    if (problem !== undefined) return problem;
  }
  return shows && findShownProblem(parts, folder, { ...shows, revisions }, roots);
}

/**
 * Finds whether git would show a file that is hidden from the agent or outside the workspace. Names of secrets
 * matter only for files of another commit or a stash: everyone has the files that git has now.
 */
async function findShownProblem(
  { guard, files, repositories }: CommandJudgeParts,
  folder: string,
  shows: NonNullable<GitUse['shows']> & { readonly revisions: readonly string[] },
  roots: readonly string[],
): Promise<Problem | undefined> {
  const own = await repositories?.files(folder);
  if (own === undefined) return ask('unknown-git');
  const known = new Set(own);
  const others = new Set<string>();
  for (const commit of new Set(shows.revisions))
    for (const file of (await repositories?.filesOf(folder, commit)) ?? [])
      if (!known.has(file)) others.add(file);
  const places = await findPlaces(files, folder, shows);
  const shown = [...own, ...others].filter(
    (file) => places?.some((place) => pathBelow(place, file) !== undefined) ?? true,
  );
  const tops = await Promise.all(roots.map(async (root) => guard.folder(root)));
  const outside = shown.find((file) => tops.every((top) => pathBelow(top, file) === undefined));
  if (outside !== undefined) return ask('outside-read', outside);
  const why = await guard.findHidden(shown);
  if (why !== undefined) return { verdict: 'ask', risk: createRisk('hidden-below', why) };
  const secret = shown.find((file) => others.has(file) && isSecretFile(file));
  return secret === undefined ? undefined : ask('secret', secret);
}

/** Returns the real paths of the files and folders that are named; undefined: anything may be meant. */
async function findPlaces(
  files: CommandJudgeParts['files'],
  folder: string,
  { paths, onlyPaths }: NonNullable<GitUse['shows']>,
): Promise<readonly string[] | undefined> {
  const places: string[] = [];
  for (const { value, patterns } of paths) {
    // Patterns, and git's own words among paths.
    if (patterns !== undefined || /^:|[*?[\\]/u.test(value)) return undefined;
    const path = resolvePath(folder, value);
    if ((await files.stat(path)) !== undefined) places.push(await files.realpath(path));
    else if (onlyPaths) return undefined;
  }
  return places.length === 0 ? undefined : places;
}

function ask(...risk: Parameters<typeof createRisk>): Problem {
  return { verdict: 'ask', risk: createRisk(...risk) };
}
