import type { JudgedPath } from '../path-guard.ts';
import { type Risk, createRisk, renameRisk } from '../risks.ts';

export interface Problem {
  readonly verdict: 'ask' | 'refuse';
  readonly risk: Risk;
  /** An approval of the exact line may cover it. */
  readonly exact?: true;
}

/** Returns why a path requires approval or is refused, by the name that the command has for it. */
export function findPlaceProblem(
  { place, path, real, risk }: JudgedPath,
  text: string,
): Problem | undefined {
  if (place === 'inside') return undefined;
  const name = path === real ? text : `${text} (${real})`;
  return {
    verdict: place === 'forbidden' ? 'refuse' : 'ask',
    risk: risk === undefined ? createRisk('protected', name) : renameRisk(risk, name),
    ...(place === 'outside' ? { exact: true } : {}),
  };
}
