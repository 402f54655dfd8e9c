import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Stage } from '../../unit/panel/stage.ts';
import { begin, others, S, said } from './fixture-session.ts';
import type { PreviewPage } from './preview.ts';
import { scenes, type Scene } from './scenes.ts';
import { oneSession, openScene } from './staged.ts';

/** One thing that takes the element with the focus away, by the keyboard alone. */
interface Case {
  readonly scene: string | Scene;
  /** The element that gets the focus first; then the keys. */
  readonly at: string;
  readonly keys: readonly string[];
  readonly then?: (stage: Stage, page: Page) => void | Promise<void>;
  /** What has the focus in the end. */
  readonly to: string;
}

const INPUT = '.composer textarea';
const list: Scene = {
  prepare: (stage) => {
    oneSession(stage);
    others(stage);
  },
  click: ['.title-button'],
};
const queued: Scene = { ...scenes['busy'], click: ['.queue .dock-label'] };
const rowOf = (id: string): string => `.session-open[data-session="${id}"]`;
/** Down to a row of the list, and on to its buttons. */
const down = (rows: number, tabs = 0): readonly string[] => [
  ...Array.from({ length: rows }, () => 'ArrowDown'),
  ...Array.from({ length: tabs }, () => 'Tab'),
];
const SEARCH = '.search input';
const armed = { selector: '.approval[data-armed="true"] [data-answer="allow"]' } as const;

const CASES: Readonly<Record<string, Case>> = {
  'a session is deleted by its key': {
    scene: list,
    at: SEARCH,
    keys: [...down(2), 'Delete'],
    to: rowOf('other-1'),
  },
  'a session is deleted by its button': {
    scene: list,
    at: SEARCH,
    keys: [...down(2, 4), 'Enter'],
    to: rowOf('other-1'),
  },
  'a session is archived': {
    scene: list,
    at: SEARCH,
    keys: [...down(2, 3), 'Enter'],
    to: rowOf('other-1'),
  },
  'a session is pinned, and stands elsewhere': {
    scene: list,
    at: SEARCH,
    keys: [...down(3, 2), 'Enter'],
    to: rowOf('other-1'),
  },
  'a session is renamed in the list': {
    scene: list,
    at: SEARCH,
    keys: [...down(2), 'F2', 'x', 'Enter'],
    to: rowOf('other-0'),
  },
  'several sessions are archived at once': {
    scene: list,
    at: SEARCH,
    keys: [...down(2), 'Control+ '],
    then: (_, page) => page.locator('.bulk').getByLabel('Archive').press('Enter'),
    to: SEARCH,
  },
  'none is selected any more': {
    scene: list,
    at: SEARCH,
    keys: [...down(2), 'Control+ '],
    then: (_, page) => page.locator('.bulk .icon-button').last().press('Enter'),
    to: SEARCH,
  },
  'a session is opened': { scene: list, at: SEARCH, keys: [...down(2), 'Enter'], to: INPUT },
  'the list is left': { scene: list, at: SEARCH, keys: ['Escape'], to: INPUT },
  'a deletion is undone': {
    scene: list,
    at: SEARCH,
    keys: [...down(2), 'Delete'],
    then: (_, page) => page.locator('.deleted .link').press('Enter'),
    to: SEARCH,
  },
  'the session is renamed at the top': {
    scene: 'done',
    at: '.header .rename',
    keys: ['Enter', 'x', 'Enter'],
    to: '.title-button',
  },
  'find is closed': { scene: 'find-open', at: '.find input', keys: ['Escape'], to: INPUT },
  'find is closed by its button': {
    scene: 'find-open',
    at: '.find .codicon-close',
    keys: ['Enter'],
    to: INPUT,
  },
  'a menu is closed': {
    scene: 'done',
    at: '.request .message-actions',
    keys: ['Enter', 'Escape'],
    to: '.request .message-actions',
  },
  'a menu is used': {
    scene: 'done',
    at: '.request .message-actions',
    keys: ['Enter', 'Enter'],
    to: '.request .message-actions',
  },
  'a chip is removed': {
    scene: 'chips',
    at: '.chip:first-child .icon-button',
    keys: ['Enter'],
    to: INPUT,
  },
  'the last chip is removed': {
    scene: 'chips',
    at: '.chip:first-child .icon-button',
    keys: ['Enter', 'Delete'],
    to: INPUT,
  },
  'a message is sent by its button': {
    scene: 'chips',
    at: '.send-button',
    keys: ['Enter'],
    to: INPUT,
  },
  'a queued message is removed': {
    scene: queued,
    at: '.queued:first-child .codicon-close',
    keys: ['Enter'],
    to: '.queued-text',
  },
  'the last queued message is removed': {
    scene: queued,
    at: '.queued:first-child .codicon-close',
    keys: ['Enter', 'Tab', 'Enter'],
    to: INPUT,
  },
  'a queued message is edited': {
    scene: queued,
    at: '.queued-text',
    keys: ['Enter', 'Escape'],
    to: '.queued-text',
  },
  'a notice is dismissed': {
    scene: 'notices',
    at: '.notice .icon-button',
    keys: ['Enter'],
    to: INPUT,
  },
  'a call is allowed': {
    scene: 'command',
    at: armed.selector,
    keys: ['Enter'],
    to: '[data-call="a1"] .tool-line, [data-call="a1"] .tool-fold',
  },
  'a call is denied with a reason': {
    scene: 'command',
    at: '.approval[data-armed="true"] [data-answer="deny"]',
    keys: ['Enter', 'n', 'o', 'Enter'],
    to: '[data-call="a1"] .tool-line, [data-call="a1"] .tool-fold',
  },
  'the first of two calls is answered': {
    scene: {
      prepare: oneSession,
      play: (stage) => {
        scenes['command']?.play?.(stage);
        stage.ask({ id: 'two', sessionId: S, callId: 'none', runId: 'other', detail: 'ls' });
      },
    },
    at: '[data-call="a1"] .approval[data-armed="true"] [data-answer="allow"]',
    keys: ['Enter'],
    to: '.approval',
  },
  'a question of the model is answered': {
    scene: 'question',
    at: '.question .choices .button:enabled',
    keys: ['Enter'],
    to: '.tool-line, .tool-fold, textarea',
  },
  'a form of a server is declined': {
    scene: 'server-form',
    at: '.is-server .approval-buttons .button:enabled, .is-server .button:enabled',
    keys: [],
    then: (_, page) =>
      page.locator('.is-server').getByRole('button', { name: 'Decline' }).press('Enter'),
    to: '.tool-line, .tool-fold, textarea',
  },
  'a plan is left': {
    scene: 'plan',
    at: '.plan-offer .button:last-child',
    keys: ['Enter'],
    to: INPUT,
  },
  'a change is kept by its key': {
    scene: 'review-one',
    at: '.review-row.is-hunk',
    keys: ['a'],
    to: '.review-row',
  },
  'a change of several is undone': {
    scene: 'review-files',
    at: '.review-row.is-file',
    keys: ['x'],
    to: '.review-row',
  },
  'all changes are kept by the button': {
    scene: 'review-one',
    at: '.review-all',
    keys: ['Enter'],
    to: INPUT,
  },
  'a comment on a change is given up': {
    scene: 'review-one',
    at: '.review-row.is-hunk',
    keys: ['c', 'h', 'Escape'],
    to: '.review-row',
  },
  'the question about green changes is closed': {
    scene: 'review-evidence',
    at: '.review-green',
    keys: ['Escape'],
    to: '.review-green-ask',
  },
  'the list of changes is folded': {
    scene: 'review-one',
    at: '.review .dock-label',
    keys: ['Enter'],
    to: '.review .dock-label',
  },
  'a card is folded': {
    scene: 'unfolded',
    at: '[data-call="c3"] .tool-fold',
    keys: ['Enter'],
    to: '[data-call="c3"] .tool-fold',
  },
  'a step of the list is removed': {
    scene: 'todo',
    at: '.todo-item .icon-button',
    keys: ['Enter'],
    to: '.todo-item input',
  },
  'the run is stopped and has ended': {
    scene: 'streaming',
    at: '.run-status .button',
    keys: ['Enter'],
    then: (stage) => {
      stage.busy.delete(S);
      stage.publish(S, {
        type: 'agent_run.completed',
        end: { reason: 'canceled', state: 'cancelled', canContinue: true },
      });
    },
    to: INPUT,
  },
  'an interrupted run is discarded': {
    scene: 'handoff',
    at: '.handoff-buttons .button.secondary',
    keys: ['Enter', 'Enter'],
    then: (stage) => {
      stage.handoffs.delete(S);
      stage.publish(S, {
        type: 'agent_run.completed',
        end: { reason: 'canceled', state: 'cancelled', canContinue: false },
      });
    },
    to: `.handoff, .handoff *, ${INPUT}`,
  },
};

describe('the focus is never lost', function () {
  this.timeout(30_000);
  let used: PreviewPage | undefined;
  after(async () => used?.close());

  for (const [name, { scene, at, keys, then, to }] of Object.entries(CASES)) {
    it(`when ${name}`, async () => {
      const played = typeof scene === 'string' ? scenes[scene] : scene;
      assert.ok(played);
      const { stage, opened, page } = await openScene(
        played,
        used === undefined ? {} : { page: used },
      );
      used = opened;
      page.setDefaultTimeout(4000);
      const first = page.locator(at).first();
      await first.waitFor();
      await first.evaluate((one) =>
        (one.closest<HTMLElement>('button') ?? (one as HTMLElement)).focus(),
      );
      for (const key of keys) {
        await page.keyboard.press(key);
        await opened.drawn();
      }
      await then?.(stage, page);
      await page
        .waitForFunction(
          (wanted) =>
            document.activeElement?.matches(wanted) === true &&
            document.activeElement.checkVisibility(),
          to,
        )
        .catch(async () => {
          const now = await page.evaluate(() => {
            const { activeElement: one } = document;
            return `${one?.tagName} ${one?.className} ${one?.textContent?.slice(0, 60)}`;
          });
          assert.fail(`the focus is at ${now}`);
        });
      await opened.drawn();
      assert.equal(
        await page.evaluate((wanted) => document.activeElement?.matches(wanted), to),
        true,
      );
      assert.deepEqual(opened.console, []);
      stage.panel.dispose();
    });
  }
});

describe('what a screen reader is told', () => {
  it('states, and never each word as it comes', async () => {
    const { stage, page, close } = await openScene({ prepare: oneSession });
    await page.evaluate(() => {
      const told: string[] = [];
      Object.assign(window, { told });
      const regions = document.querySelectorAll(
        '[aria-live]:not([aria-live="off"]), [role="status"], [role="alert"], [role="log"]',
      );
      for (const region of regions)
        new MutationObserver(() => {
          if (region.getAttribute('aria-live') !== 'off') told.push(region.textContent ?? '');
        }).observe(region, { subtree: true, childList: true, characterData: true });
    });
    begin(stage);
    for (let word = 0; word < 40; word += 1) {
      stage.publish(S, said(`word${word} `));
      if (word % 8 === 0) await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await page.getByText('word39').waitFor();
    const told = await page.evaluate(() => (window as unknown as { told: string[] }).told);
    assert.deepEqual(told, ['Belay is at work.']);
    await close();
  });
});
