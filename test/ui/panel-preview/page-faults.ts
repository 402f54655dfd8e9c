import type { Page } from 'playwright-core';

/**
 * Texts that are not of the page: of a person, a model, a program, a server, a file; and titles of tools, which the host
 * has made before a test can say in which language. All others stand in ‹brackets› on a page in the pseudo language.
 */
const CONTENT = [
  '.announcer',
  '.approval-group .words',
  '.answer-foot',
  '.approval-title',
  '.attached-image',
  '.attached-sound',
  '.base',
  '.chip-face',
  '.choices',
  '.detail',
  '.dock-preview',
  '.detail-note',
  '.detail-text',
  '.empty > h2',
  '.facts',
  '.file-name',
  '.field',
  '.files',
  '.journal-sections li',
  '.journal-text',
  '.markdown',
  '.message',
  '.model-rows .label',
  '.model-rows .menu-heading',
  '.model-rows [role="group"]',
  '.name',
  '.notice-body p',
  '.picker-label',
  '.preview',
  '.queued-text',
  '.question > p',
  '.reasoning',
  '.resources',
  '.edit-file',
  '.request-text',
  '.review-evidence',
  '.review-failure',
  '.review-green-lists strong',
  '.review-said',
  '.review-state',
  '.review-words',
  '.server-badge',
  '.session-excerpt',
  '.session-open',
  '.session-title',
  '.structured',
  '.subject',
  '.suggestion',
  '.title-text',
  '.todo-text',
  '.tool-title',
  '.trouble',
  'code',
  'dd',
  'dt',
  'kbd',
  'math',
  'pre',
  'time',
].join();

/** Texts of Belay, names for screen readers among them, that are seen on a page and were not translated. */
export const untranslated = (page: Page, content = ''): Promise<readonly string[]> =>
  page.evaluate(
    (own) => {
      const found = new Set<string>();
      const look = (text: string | null, element: Element): void => {
        if (text === null || !/\p{L}{3}/u.test(text) || text.includes('‹')) return;
        if (element.closest(own) !== null || !element.checkVisibility()) return;
        const { tagName, className, parentElement } = element;
        found.add(
          `${text.trim().slice(0, 60)} (${parentElement?.className} > ${tagName}.${className})`,
        );
      };
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
        if (node.parentElement !== null && !/^(?:SCRIPT|STYLE)$/u.test(node.parentElement.tagName))
          look(node.textContent, node.parentElement);
      for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
        for (const name of ['aria-label', 'title', 'placeholder'])
          look(element.getAttribute(name), element);
      return [...found];
    },
    content === '' ? CONTENT : `${CONTENT},${content}`,
  );

/** What is wider than the page or its own button, lies over another button, or moves. */
export const layoutFaults = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const name = (one: Element): string =>
      `${one.parentElement?.className} > ${one.className} “${(one.getAttribute('aria-label') ?? one.textContent ?? '').slice(0, 40)}”`;
    const wide = document.documentElement.scrollWidth - window.innerWidth;
    const buttons = [...document.querySelectorAll<HTMLElement>('button, summary, select')].filter(
      (one) =>
        one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        one.getClientRects().length > 0,
    );
    // What opens lies over others on purpose.
    const room = (one: Element): Element | null =>
      one.closest(
        '[popover], .approval, .composer-bar, .find, .header, .notice, .dock-head, .queued, .review-line, .session-line, .tool-line',
      ) ?? one.parentElement;
    const cut = buttons.filter(
      (one) =>
        one.classList.contains('button') &&
        (one.scrollWidth > one.clientWidth + 1 ||
          one.getBoundingClientRect().right > window.innerWidth + 1),
    );
    const over = buttons.flatMap((one, index) => {
      const a = one.getBoundingClientRect();
      return buttons.slice(index + 1).flatMap((other) => {
        if (one.contains(other) || other.contains(one) || room(one) !== room(other)) return [];
        const b = other.getBoundingClientRect();
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        return width > 2 && height > 2 ? [`over each other: ${name(one)} and ${name(other)}`] : [];
      });
    });
    const moving = document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .map(({ effect }) => effect instanceof KeyframeEffect && effect.target)
      .flatMap((one) => (one instanceof Element ? [`moves: ${name(one)}`] : []));
    return [
      ...(wide > 0 ? [`the page is ${wide} px too wide`] : []),
      ...cut.map((one) => `cut: ${name(one)}`),
      ...over,
      ...moving,
    ];
  });
