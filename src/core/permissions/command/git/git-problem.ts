import { told, type Told } from '../../../../domain/text/told.ts';
import type { GitUse } from '../finding.ts';
import { contentsKeptBack } from './git-contents.ts';
import { isCommit, notOfCommits } from './git-objects.ts';
import type { CommandJudgeParts } from '../judge-parts.ts';
import { type Problem, describeProblem } from '../path-uses.ts';

/** The reason why a reading call of git may not be made in a folder: what it would run or show. */
export async function findGitProblem(
  parts: CommandJudgeParts,
  place: string,
  { contents, revisions = [], inTree = [], commits = [] }: GitUse,
  roots: readonly string[],
): Promise<Problem | undefined> {
  const { repositories, guard } = parts;
  const ask = (reason: Told | undefined): Problem | undefined =>
    reason === undefined ? undefined : { verdict: 'ask', reason };
  if (repositories === undefined) return ask(told`what git would run here is not known`);
  const hazards = await repositories.hazards(place);
  if (hazards.length > 0)
    return ask(
      told`the repository has git run something of its own: ${hazards.slice(0, 3).join(', ')}`,
    );
  const names = revisions.map(({ value }) => value);
  const unnamed = await notOfCommits(repositories, place, names);
  if (unnamed !== undefined) return ask(unnamed);
  for (const named of inTree) {
    const commit = await isCommit(repositories, place, named);
    if (commit !== undefined) return ask(commit);
    const { path } = named;
    // From the folder of the repository, unless it says otherwise.
    const top = await repositories.topOf(place);
    const base = /^\.{1,2}\//u.test(path) ? place : (top ?? place);
    const judged = await guard.judge({ path: `${base}/${path}`, access: 'read' }, roots);
    const problem = describeProblem(judged, path);
    if (problem !== undefined) return problem;
  }
  return contents === undefined
    ? undefined
    : ask(await contentsKeptBack(parts, place, { ...contents, commits }, roots));
}
