import type { Panel } from './panel.ts';
import { commandHeld } from './platform.ts';

/**
 * The panel's own keys. A key that is handled here does not reach the workbench. Allow and deny
 * answer the first approval on screen; Esc stops the run.
 */
export function listenToKeys(panel: Panel): () => void {
  const answer = (button: number): boolean => {
    const card = document.querySelector('.approval[data-armed="true"]');
    if (card === null) return false;
    const buttons = card.querySelectorAll<HTMLButtonElement>('.approval-buttons button');
    const chosen = buttons[button];
    if (chosen === undefined || chosen.disabled) return false;
    chosen.click();
    return true;
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    if (handled(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  const handled = (event: KeyboardEvent): boolean => {
    if (event.key === 'Enter' && commandHeld(event) && !event.shiftKey && !event.altKey)
      return answer(0);
    if (event.key === 'Backspace' && commandHeld(event) && event.shiftKey) return answer(1);
    if (event.key === 'Escape' && document.querySelector(':popover-open') === null) {
      const runs = panel.store.session.run.peek().phase !== 'idle';
      if (runs) panel.stop();
      return runs;
    }
    return false;
  };
  document.addEventListener('keydown', pressed);
  return () => document.removeEventListener('keydown', pressed);
}
