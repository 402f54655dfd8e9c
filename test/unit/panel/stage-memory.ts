import type { PanelMemory } from '../../../src/panel/services.ts';
import type { SavedView } from '../../../src/protocol/view.ts';

interface Remembered {
  lastSession: string | undefined;
  changesUnfolded: boolean;
  readonly saved: Map<string, SavedView>;
}

/** What a panel remembers, in the fields of the stage. */
export function stageMemory(stage: Remembered): PanelMemory {
  return {
    lastSession: () => stage.lastSession,
    setLastSession: (id) => {
      stage.lastSession = id;
    },
    saved: (id) => stage.saved.get(id),
    save: (id, view) => {
      if (view === undefined) stage.saved.delete(id);
      else stage.saved.set(id, view);
    },
    become: (id) => {
      const view = stage.saved.get('');
      stage.saved.delete('');
      if (view !== undefined) stage.saved.set(id, view);
    },
    settled: async () => undefined,
    changesUnfolded: () => stage.changesUnfolded,
    unfoldChanges: (unfolded) => {
      stage.changesUnfolded = unfolded;
    },
  };
}
