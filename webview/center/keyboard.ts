import type { Center } from './center.ts';
import { isComposing } from '../keyboard/composition.ts';

/** Places that the arrow keys go to: one for each row. */
const STOPS = '[data-stop]';
const SEARCH = 'input[type=search]';

const stopsIn = (root: Element): readonly HTMLElement[] =>
  [...root.querySelectorAll<HTMLElement>(STOPS)].filter((one) => one.checkVisibility());

/** Fields that need the arrow keys for themselves. */
const takesArrows = (target: Element): boolean =>
  target.matches('select, textarea, input:not([type=checkbox], [type=search])');

/** Up and down go from row to row, left and right fold a server, Esc goes to the search and empties it. */
export function listenToArrows(root: HTMLElement, center: Center): void {
  const search = (): HTMLInputElement | null => root.querySelector(SEARCH);
  const move = (from: Element, to: (at: number, all: number) => number): boolean => {
    const stops = stopsIn(root);
    const own = from.closest(STOPS) ?? from.closest('[data-row]')?.querySelector(STOPS) ?? null;
    const at = stops.findIndex((one) => one === own);
    const next = to(at, stops.length);
    if (next < 0) search()?.focus();
    else stops[Math.min(next, stops.length - 1)]?.focus();
    return true;
  };
  const fold = (target: Element, open: boolean): boolean => {
    const server = target.closest<HTMLElement>('[data-server]')?.dataset['server'];
    if (server === undefined || !target.matches(STOPS)) return false;
    center.unfold(server, open);
    return true;
  };
  const handled = (key: string, target: Element): boolean => {
    const inSearch = target.matches(SEARCH);
    switch (key) {
      case 'ArrowDown':
        return move(target, (at) => at + 1);
      case 'ArrowUp':
        return inSearch || move(target, (at) => at - 1);
      case 'Home':
        return !inSearch && move(target, () => 0);
      case 'End':
        return !inSearch && move(target, (_, all) => all - 1);
      case 'ArrowRight':
        return !inSearch && fold(target, true);
      case 'ArrowLeft':
        return !inSearch && fold(target, false);
      default:
        return false;
    }
  };
  root.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || isComposing(event) || !(target instanceof Element)) return;
    if (key === 'Escape' || (key === 'f' && (event.ctrlKey || event.metaKey))) {
      if (key === 'Escape' && target.matches(SEARCH)) center.query.value = '';
      search()?.focus();
      search()?.select();
    } else if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      takesArrows(target) ||
      !handled(key, target)
    )
      return;
    event.preventDefault();
    event.stopPropagation();
  });
}
