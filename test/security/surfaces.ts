import type { Answer, AttackCase, Fixture, Surface, Surfaces } from './surface.ts';
import { approvalSurfaces } from './surfaces/approvals.ts';
import { checkpointSurfaces } from './surfaces/checkpoints.ts';
import { commandSurfaces } from './surfaces/commands.ts';
import { gitSurfaces } from './surfaces/git.ts';
import { mcpSurfaces } from './surfaces/mcp.ts';
import { panelSurfaces } from './surfaces/panel.ts';
import { pathSurfaces } from './surfaces/paths.ts';
import { secretSurfaces } from './surfaces/secrets.ts';
import { textSurfaces } from './surfaces/text.ts';
import { untrustedSurfaces } from './surfaces/untrusted.ts';
import { webSurfaces } from './surfaces/web.ts';
import { unusedGuard } from './unused-guards.ts';

/** One line a group of surfaces. */
const GROUPS: readonly Surfaces[] = [
  pathSurfaces,
  commandSurfaces,
  gitSurfaces,
  checkpointSurfaces,
  textSurfaces,
  approvalSurfaces,
  panelSurfaces,
  secretSurfaces,
  mcpSurfaces,
  webSurfaces,
  untrustedSurfaces,
];

const TABLE = new Map<string, Surface>(GROUPS.flatMap((group) => Object.entries(group)));

/** What Belay does with a case; `undefined` where it has no such surface. */
export async function decideHere(
  attack: AttackCase,
  fixture: Fixture,
): Promise<Answer | undefined> {
  const answer = await TABLE.get(attack.surface)?.(attack, fixture);
  const unused = unusedGuard(attack.surface);
  return answer === undefined || unused === undefined ? answer : { ...answer, unused };
}
