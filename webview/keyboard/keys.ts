import type { Panel } from '../panel.ts';
import { commandHeld } from './platform.ts';
import { isComposing } from './composition.ts';

/** A focus this soon after a pointer is the pointer's, in milliseconds. */
const POINTED = 200;
/** The workbench waits so long for the second key of a chord, in milliseconds. */
const CHORD = 5000;

/** The question that allow and deny answer: the one with the focus, else the first. */
const asked = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>('[data-question]') ??
  document.querySelector<HTMLElement>('.approval[data-question]');

/**
 * The panel's own keys. A key that is handled here does not reach the workbench. Allow and deny
 * answer the question with the focus, else the first approval; Esc stops the run.
 */
export function listenToKeys(panel: Panel): () => void {
  const answer = (meant: 'allow' | 'deny'): boolean => {
    const place = asked();
    const card = panel.questions.cards.get(place?.dataset['question'] ?? '');
    if (place === null || card === undefined) return false;
    const seen = place.closest('.scroll')?.getBoundingClientRect();
    const { top, bottom } = place.getBoundingClientRect();
    // Nobody answers what they do not see: the first press shows it.
    if (seen !== undefined && (bottom < seen.top || top > seen.bottom))
      place.scrollIntoView({ block: 'nearest' });
    else card[meant]();
    return true;
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || isComposing(event)) return;
    if (handled(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  const handled = (event: KeyboardEvent): boolean => {
    if (event.key === 'Enter' && commandHeld(event) && !event.shiftKey && !event.altKey)
      return answer('allow');
    if (event.key === 'Backspace' && commandHeld(event) && event.shiftKey) return answer('deny');
    if (event.key.toLowerCase() === 'f' && commandHeld(event) && !event.altKey && !event.shiftKey) {
      if (panel.page.peek() !== 'conversation') return false;
      panel.conversation.find.show();
      return true;
    }
    if (event.key === 'Escape' && document.querySelector(':popover-open') === null) {
      const runs = panel.store.session.run.peek().phase !== 'idle';
      if (runs) panel.run.stop();
      return runs;
    }
    return false;
  };
  let chordBegan = Number.NEGATIVE_INFINITY;
  // The workbench gets every key and acts on its chords; what ends one is no text.
  const chorded = (event: KeyboardEvent): void => {
    if (['Control', 'Meta', 'Shift', 'Alt'].includes(event.key)) return;
    if (performance.now() - chordBegan < CHORD) event.preventDefault();
    const begins = commandHeld(event) && event.key.toLowerCase() === 'k' && !event.altKey;
    chordBegan = begins ? performance.now() : Number.NEGATIVE_INFINITY;
  };
  let pointed = Number.NEGATIVE_INFINITY;
  const pointing = (): void => {
    pointed = performance.now();
    chordBegan = Number.NEGATIVE_INFINITY;
  };
  // Who comes into the panel by keyboard or command wants to write; who clicks, chooses the place.
  const entered = (): void => {
    requestAnimationFrame(() => {
      const nowhere = document.activeElement === null || document.activeElement === document.body;
      if (nowhere && performance.now() - pointed > POINTED) panel.input.focus.value += 1;
    });
  };
  document.addEventListener('keydown', chorded, true);
  document.addEventListener('keydown', pressed);
  document.addEventListener('pointerdown', pointing, true);
  window.addEventListener('focus', entered);
  return () => {
    document.removeEventListener('keydown', chorded, true);
    document.removeEventListener('keydown', pressed);
    document.removeEventListener('pointerdown', pointing, true);
    window.removeEventListener('focus', entered);
  };
}
