import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import type { Panel } from '../../panel.ts';
import { isComposing } from '../../keyboard/composition.ts';

/** Messages that were sent, brought back by the arrow keys. */
interface Recalled {
  readonly texts: readonly string[];
  /** -1: none of them, the input is empty. */
  at: number;
}

/** Walks through earlier messages in an empty input, or one that holds one of them unchanged; says whether the key was for it. */
export function useHistory(
  panel: Panel,
  input: RefObject<HTMLTextAreaElement | null>,
  change: (text: string) => void,
): (event: KeyboardEvent) => boolean {
  const recalled = useRef<Recalled>(undefined);
  const show = (by: number): void => {
    const { current } = recalled;
    const area = input.current;
    if (current === undefined || area === null) return;
    const next = Math.max(-1, Math.min(current.texts.length - 1, current.at + by));
    if (next === current.at) return;
    current.at = next;
    const text = current.texts[next] ?? '';
    change(text);
    requestAnimationFrame(() => area.setSelectionRange(text.length, text.length));
  };
  const begin = async (): Promise<void> => {
    const sessionId = panel.store.session.id.peek();
    const answer = await panel.host.attempt('promptHistory', { sessionId });
    // Meanwhile something may have been typed.
    if (!('value' in answer) || input.current?.value !== '') return;
    if (panel.store.session.id.peek() !== sessionId) return;
    recalled.current = { texts: answer.value.texts, at: -1 };
    show(1);
  };
  const handled = (event: KeyboardEvent): boolean => {
    const area = input.current;
    const isArrow = event.key === 'ArrowUp' || event.key === 'ArrowDown';
    if (!isArrow || area === null || isComposing(event)) return false;
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false;
    const { current } = recalled;
    const isRecalled =
      current !== undefined && current.at >= 0 && current.texts[current.at] === area.value;
    const up = event.key === 'ArrowUp';
    if (isRecalled) {
      // In a text of several lines the caret walks first.
      const edge = up
        ? area.value.slice(0, area.selectionStart)
        : area.value.slice(area.selectionEnd);
      if (edge.includes('\n')) return false;
      show(up ? 1 : -1);
      return true;
    }
    if (!up || area.value !== '') return false;
    void begin();
    return true;
  };
  return (event) => {
    const isHandled = handled(event);
    if (isHandled) {
      event.preventDefault();
      event.stopPropagation();
    }
    return isHandled;
  };
}
