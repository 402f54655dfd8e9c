import { AttackedWorkspace } from '../attacked-workspace.ts';
import { text } from '../case-input.ts';
import type { Surfaces } from '../surface.ts';

/** Command lines, with the folder that they would run in; what is allowed is really run. */
export const commandSurfaces: Surfaces = {
  command: ({ input }, fixture) =>
    AttackedWorkspace.use(fixture, (workspace) =>
      workspace.decide('run_command', {
        command: text(input['command']),
        ...(input['cwd'] === undefined ? {} : { cwd: text(input['cwd']) }),
      }),
    ),
};
