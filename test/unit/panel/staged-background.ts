import type { PanelOthers } from '../../../src/panel/services.ts';
import type { DetachedState } from '../../../src/domain/run.ts';

/** Other processes, as far as runs in the background go; what is wished is noted among the calls. */
export function stagedBackground(
  states: ReadonlyMap<string, DetachedState>,
  calls: string[],
): PanelOthers {
  const noted =
    (what: string) =>
    async (id: string): Promise<void> => {
      calls.push(`${what} ${id}`);
    };
  const silent = { dispose: () => undefined };
  return {
    isElsewhere: async (id) => states.has(id) && states.get(id) !== 'leaving',
    onChange: () => silent,
    draftOf: async () => undefined,
    reconcile: async () => undefined,
    background: {
      of: async (id) => states.get(id),
      handOver: noted('handOver'),
      takeBack: noted('takeBack'),
      stop: noted('stopAway'),
      onChange: () => silent,
    },
  };
}
