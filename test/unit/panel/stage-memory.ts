import type { PanelMemory } from '../../../src/panel/services.ts';
import type { Snapshot } from '../../../src/protocol/snapshot.ts';
import type { SavedView } from '../../../src/protocol/view.ts';

interface Remembered {
  lastSession: string | undefined;
  changesUnfolded: boolean;
  readonly saved: Map<string, SavedView>;
}

const paints = new WeakMap<object, (Snapshot | undefined)[]>();

/** What the panel of a stage would be painted with first, each time it was kept. */
export function paintsOf(stage: object): (Snapshot | undefined)[] {
  const known = paints.get(stage) ?? [];
  paints.set(stage, known);
  return known;
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
    keepPaint: (paint) => {
      paintsOf(stage).push(paint);
    },
  };
}
