import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { withGivenBack } from '../../../src/protocol/draft.ts';
import type { AttachmentView } from '../../../src/protocol/requests.ts';
import type { Panel } from '../../panel.ts';
import type { ViewState } from '../../view-state.ts';
import { mentionChip, withChips } from './mentioning.ts';

/** A message that is being written: its text, and what goes along. */
export interface Draft {
  readonly draft: string;
  readonly change: (text: string) => void;
  readonly setDraft: (text: string) => void;
  readonly setAttachments: (
    change: (before: readonly AttachmentView[]) => readonly AttachmentView[],
  ) => void;
}

/**
 * The draft follows the session on screen, and takes what is inserted from outside. Whatever the host sends comes into it
 * in a layout effect, which runs before the next key and before the next message of the host: an effect after the paint
 * would put it over what was typed in between.
 */
export function useDraft(
  panel: Panel,
  input: RefObject<HTMLTextAreaElement | null>,
  { draft, setDraft, setAttachments, change }: Draft,
): void {
  const shown = panel.store.saved.shown.value;
  const inserted = panel.input.insert.value;
  const focus = panel.input.focus.value;
  const latest = useRef('');
  latest.current = draft;
  useLayoutEffect(() => {
    const saved = panel.store.saved.shown.peek();
    latest.current = saved.draft;
    setDraft(latest.current);
    setAttachments(() => (saved.mentions ?? []).map(mentionChip));
  }, [shown]);
  useGivenBack(panel, { latest, change, setAttachments, focus: () => input.current?.focus() });
  useLayoutEffect(() => {
    if (inserted === null) return;
    panel.input.insert.value = null;
    const before = latest.current.trimEnd();
    change(before === '' ? inserted.text : `${before}\n${inserted.text}`);
    input.current?.focus();
  }, [inserted]);
  useLayoutEffect(() => {
    if (focus > 0) input.current?.focus();
  }, [focus]);
  useEffect(() => {
    // A panel that is only shown must not take the focus from the editor.
    if (document.hasFocus()) input.current?.focus();
  }, [shown]);
}

/** Takes over what is typed into the input of another place, unless the user has typed here since. */
export function useDrafted(
  { store }: Panel,
  viewState: ViewState,
  { setDraft, setAttachments }: Pick<Draft, 'setDraft' | 'setAttachments'>,
): void {
  const theirs = store.saved.drafted.value;
  useLayoutEffect(() => {
    if (theirs === null || !viewState.takes(theirs)) return;
    setDraft(theirs.draft);
    setAttachments((before) => [
      ...before.filter(({ mention }) => mention === undefined),
      ...theirs.mentions.map(mentionChip),
    ]);
  }, [theirs]);
}

/** A message that is to be sent again comes into the input, before what is typed there; or goes out of it. */
function useGivenBack(
  panel: Panel,
  {
    latest,
    change,
    setAttachments,
    focus,
  }: Pick<Draft, 'change' | 'setAttachments'> & {
    readonly latest: RefObject<string>;
    readonly focus: () => void;
  },
): void {
  const given = panel.input.givenBack.value;
  const taken = panel.input.takenBack.value;
  const mentioned = panel.input.mentioned.value;
  useLayoutEffect(() => {
    if (given === null) return;
    panel.input.givenBack.value = null;
    const draft = latest.current ?? '';
    const next = withGivenBack(draft, given.text);
    if (next !== draft) change(next);
    setAttachments((before) => withChips(given.attachments, before));
    focus();
  }, [given]);
  useLayoutEffect(() => {
    if (mentioned.length === 0) return;
    panel.input.mentioned.value = [];
    setAttachments((before) => withChips(mentioned.map(mentionChip), before));
  }, [mentioned]);
  useLayoutEffect(() => {
    if (taken === null) return;
    panel.input.takenBack.value = null;
    if (latest.current !== taken.text) return;
    change('');
    setAttachments(() => []);
  }, [taken]);
}
