import { useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Panel } from '../../panel.ts';
import { FindMarks } from './find-marks.ts';

/** Marks hits in the conversation while something is looked for, and says where the search begins. */
export function useFindMarks(
  { conversation, store }: Panel,
  box: RefObject<HTMLElement | null>,
): void {
  const { find } = conversation;
  const marks = useRef<FindMarks>(undefined);
  const open = find.open.value;
  useEffect(() => {
    find.origin = () => topSeq(box.current, store.transcript.entries.peek());
    if (!open || box.current === null) return undefined;
    const made = new FindMarks(box.current, find);
    marks.current = made;
    return () => {
      marks.current = undefined;
      made.dispose();
    };
  }, [open]);
  useSignalEffect(() => {
    void find.places.value;
    const at = find.current.value?.id;
    // What is loaded later may be in a series, too.
    void conversation.series.value;
    if (at !== undefined) conversation.reveal(at);
    marks.current?.soon();
  });
}

/** The seq of the first message in sight. */
function topSeq(
  box: HTMLElement | null,
  entries: readonly { readonly id: string; readonly seq: number }[],
): number {
  const top = box?.getBoundingClientRect().top ?? 0;
  for (const row of box?.querySelectorAll<HTMLElement>('[data-message]') ?? []) {
    if (row.getBoundingClientRect().bottom > top)
      return entries.find(({ id }) => id === row.dataset['message'])?.seq ?? 0;
  }
  return 0;
}
