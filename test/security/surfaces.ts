import type { Answer, AttackCase, Fixture, Surface, Surfaces } from './surface.ts';
import { pathSurfaces } from './surfaces/paths.ts';

/** One line a group of surfaces. */
const GROUPS: readonly Surfaces[] = [pathSurfaces];

const TABLE = new Map<string, Surface>(GROUPS.flatMap((group) => Object.entries(group)));

/** What Belay does with a case; `undefined` where it has no such surface. */
export async function decideHere(
  attack: AttackCase,
  fixture: Fixture,
): Promise<Answer | undefined> {
  return TABLE.get(attack.surface)?.(attack, fixture);
}
