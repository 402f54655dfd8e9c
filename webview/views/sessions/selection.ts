import { useState } from 'preact/hooks';
import { commandHeld } from '../../keyboard/platform.ts';

/** The sessions that the person has selected in the list. */
export interface Selection {
  readonly ids: readonly string[];
  has(id: string): boolean;
  /** `range`: with all between it and the one before. */
  toggle(id: string, range?: boolean): void;
  set(ids: readonly string[]): void;
  /** A click on a row: says whether it selects. */
  click(id: string, event: MouseEvent): boolean;
}

/** @param shown the ids of the list, in its order */
export function useSelection(shown: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string>();
  // A row that has left the list is not selected any more.
  const ids = shown.filter((id) => chosen.has(id));
  const toggle = (id: string, range = false): void => {
    const from = anchor === undefined ? -1 : shown.indexOf(anchor);
    const to = shown.indexOf(id);
    setAnchor(id);
    if (range && from >= 0) {
      const between = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
      setChosen(new Set([...ids, ...between]));
      return;
    }
    const next = new Set(ids);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return {
    ids,
    has: (id) => chosen.has(id),
    toggle,
    set: (next) => setChosen(new Set(next)),
    click: (id, event) => {
      const selects = event.shiftKey || commandHeld(event);
      if (selects) toggle(id, event.shiftKey);
      return selects;
    },
  };
}
