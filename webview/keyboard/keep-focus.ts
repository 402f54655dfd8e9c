/** Elements that the keyboard can go to. */
const FOCUSABLE = [
  'button',
  'a[href]',
  'input',
  'select',
  'textarea',
  'summary',
  '[tabindex]',
].join();
/** Never given the focus: a key that was meant for something else would say yes. */
const UNSAFE = '[data-answer], .button.primary';
/** Where the focus goes within a row; on a page, where it goes when nothing else is left. */
const STOP = '[data-stop]';
const HOME = '[data-home]';

/** One element around the one with the focus, and its place among its siblings. */
interface Step {
  readonly element: Element;
  readonly index: number;
}

/** Rows that may move, by their names; questions, of which the next one is nearer than anything else. */
const ROW = 'data-row';
const QUESTION = '[data-question]';

let given: Element | undefined;

/** True while nobody has the focus, or it stands where it was only put because its own place was gone. */
export function isFocusIdle(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement === given;
}

/**
 * Keeps the focus when what had it goes, is hidden or switched off: it goes to the same row where that stands now, from
 * a question to the next one, else to the next element of its kind (a chip, a notice), else the one before, else to what
 * is left around it, else home.
 * @param root all of the page
 * @param bounds elements that are too large to be gone through: home is nearer
 */
export function keepFocus(root: HTMLElement, bounds: string): void {
  let path: readonly Step[] = [];
  root.addEventListener('focusin', ({ target }) => {
    if (target !== given) given = undefined;
    path = target instanceof Element ? pathOf(target, root) : [];
  });
  root.addEventListener('focusout', ({ target, relatedTarget }) => {
    // Who clicks beside everything wants no focus. Of what is being removed that is known when it is gone.
    if (relatedTarget !== null) return;
    queueMicrotask(() => {
      const own = path[0]?.element;
      if (document.hasFocus() && own === target && own !== undefined && isUsable(own)) path = [];
    });
  });
  const mend = (): void => {
    const [own] = path;
    if (own === undefined || !document.hasFocus()) return;
    const { activeElement } = document;
    const lost = activeElement === null || activeElement === document.body;
    if ((!lost && activeElement !== own.element) || isUsable(own.element)) return;
    const next =
      sameRow(path, root) ?? nextQuestion(path, root) ?? nextOf(path, bounds) ?? homeOf(root);
    given = next;
    next?.focus({ preventScroll: next.matches(HOME) });
  };
  window.addEventListener('focus', mend);
  new MutationObserver(mend).observe(root, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled', 'hidden'],
  });
}

function pathOf(target: Element, root: Element): readonly Step[] {
  const path: Step[] = [];
  for (let at: Element | null = target; at !== null && at !== root; at = at.parentElement)
    path.push({ element: at, index: [...(at.parentElement?.children ?? [])].indexOf(at) });
  return path;
}

/** The row that the focus was in, which is another element now. */
function sameRow(path: readonly Step[], root: Element): HTMLElement | undefined {
  const row = path.find(({ element }) => element.hasAttribute(ROW))?.element;
  if (row === undefined || row.isConnected) return undefined;
  const name = CSS.escape(row.getAttribute(ROW) ?? '');
  const now = root.querySelector(`[${ROW}="${name}"]`);
  return now === null ? undefined : firstIn(now);
}

function nextQuestion(path: readonly Step[], root: Element): HTMLElement | undefined {
  const answered = path.find(({ element }) => element.matches(QUESTION))?.element;
  if (answered === undefined || answered.isConnected) return undefined;
  return [...root.querySelectorAll<HTMLElement>(QUESTION)].find(isUsable);
}

/** The place nearest to one that is gone. */
function nextOf(path: readonly Step[], bounds: string): HTMLElement | undefined {
  const left = path.findIndex(({ element }, at) => at > 0 && isUsable(element));
  for (const [up, { element: around }] of path.slice(Math.max(left, 1)).entries()) {
    const gone = path[Math.max(left, 1) + up - 1];
    if (gone === undefined || !around.isConnected) return undefined;
    const children = [...around.children];
    const kin = children.map((one) =>
      kindOf(one) === kindOf(gone.element) ? firstIn(one) : undefined,
    );
    const place =
      kin.slice(gone.index).find((one) => one !== undefined) ??
      kin.slice(0, gone.index).findLast((one) => one !== undefined);
    if (place !== undefined || around.matches(bounds)) return place;
    const inside = firstIn(around);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

const kindOf = ({ tagName, classList }: Element): string => `${tagName} ${classList[0] ?? ''}`;

/** The place in an element that is best to be at: itself, its stop, or the first one that does no harm. */
function firstIn(element: Element): HTMLElement | undefined {
  const places = [element, ...element.querySelectorAll(FOCUSABLE)].filter(
    (one): one is HTMLElement =>
      one instanceof HTMLElement && one.matches(FOCUSABLE) && isUsable(one) && !one.matches(UNSAFE),
  );
  return (
    places.find((one) => one.matches(HOME)) ??
    places.find((one) => one.matches(STOP)) ??
    places.find((one) => one.tabIndex >= 0 || one === element)
  );
}

const homeOf = (root: Element): HTMLElement | undefined =>
  [...root.querySelectorAll<HTMLElement>(HOME)].find(isUsable) ?? firstIn(root);

const isUsable = (element: Element): boolean =>
  element.isConnected && !element.matches(':disabled') && element.checkVisibility();
