import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ApprovalQuestion } from '../../../src/core/ports/person/approval.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { eventually } from './eventually.ts';
import { begin, call, history, S, said, session } from './fixture-session.ts';
import type { PreviewPage } from './preview.ts';
import { sharedPreview } from './shared-preview.ts';

const lines = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('\n');

/** What may be too long to be seen at once. */
const ASKED: Readonly<Record<string, Partial<ApprovalQuestion>>> = {
  'a command of many lines': {
    detail: lines(12, (index) => `echo line ${index} of many`),
    where: 'In /home/me/a/folder/with/a/long/name/that/goes/on/and/on.',
    reason: 'It changes files outside of the workspace, which no rule allows.',
  },
  'a command of one long line': { detail: `node -e "${'a1b2c3d4'.repeat(40)}"` },
  'a sentence of many words': { detail: lines(8, () => 'This is what will happen.'), prose: true },
  'a change of many lines': {
    title: 'Edit src/a-file-with-a-long-name.ts',
    edits: [
      {
        path: '/home/me/src/a-file-with-a-long-name.ts',
        name: 'src/a-file-with-a-long-name.ts',
        creates: false,
        before: lines(9, (index) => `old ${index}`),
        after: lines(9, (index) => `new ${index} ${'many words '.repeat(index % 3)}`),
      },
    ],
  },
};

/** One of text and one of lines; the others are shown in one of the two ways, and asked at the narrowest. */
const AT_EACH_SIZE = new Set(['a command of many lines', 'a change of many lines']);

/** Sizes of the panel in pixels of its own: at 200 % there are half as many. */
const SIZES = {
  '250 × 400 at 200 %': [125, 200, 2],
  '250 × 200': [250, 200, 1],
  '300 × 640': [300, 640, 1],
} as const;

interface Watched {
  /** Pieces of the text that were never the topmost thing at their place on the screen. */
  readonly unseen: number;
  /** What stood beside a yes that could be pressed, where it must not. */
  readonly wrong: readonly string[];
}

describe('a yes is offered beside what was read and is in sight', function () {
  this.timeout(60_000);
  let stage: Stage;
  let opened: PreviewPage;
  let page: Page;

  afterEach(async () => {
    assert.deepEqual(opened.console, [], 'nothing is reported by the browser');
    await opened.close();
    stage.panel.dispose();
  });

  async function ask(size: keyof typeof SIZES, asked: Partial<ApprovalQuestion>): Promise<void> {
    stage = new Stage(new SystemClock(), (made) => {
      session(made);
      history(made);
    });
    const [width, height, deviceScaleFactor] = SIZES[size];
    const preview = await sharedPreview();
    opened = await preview.open((transport) => stage.panel.line.attach(transport), {
      theme: 'dark',
      width,
      height,
    });
    page = opened.page;
    const browser = await page.context().newCDPSession(page);
    const metrics = { width, height, deviceScaleFactor, mobile: false };
    await browser.send('Emulation.setDeviceMetricsOverride', metrics);
    await page.locator('.composer textarea').waitFor();
    await eventually(async () => assert.equal(await page.locator('.loading').count(), 0));
    await watch(page);
    begin(stage);
    stage.publish(S, said('Now.'), ...call(1, 'a1', 'run_command', { command: 'x' }));
    stage.ask({ id: 'long', sessionId: S, callId: 'a1', ...asked });
    await page.locator('.approval[data-armed="true"]').waitFor();
  }

  const watched = (): Promise<Watched> =>
    page.evaluate(() => (window as unknown as { watched: Watched }).watched);

  for (const size of Object.keys(SIZES) as (keyof typeof SIZES)[]) {
    for (const [what, asked] of Object.entries(ASKED)) {
      if (size !== '250 × 400 at 200 %' && !AT_EACH_SIZE.has(what)) continue;
      it(`${what}, at ${size}`, async () => {
        await ask(size, asked);
        const yes = page.locator('.approval [data-answer="allow"]:enabled');
        const show = page.locator('.approval [data-answer="show"]:enabled');
        await eventually(async () => {
          if ((await show.count()) > 0) await page.keyboard.press('Control+Enter');
          await opened.drawn();
          assert.equal(await yes.count(), 1);
        });
        assert.deepEqual(stage.calls, []);
        assert.deepEqual(await watched(), { unseen: 0, wrong: [] });
        // Scrolled away, it takes the yes with it; the key brings it back.
        await page.locator('.scroll').evaluate((box) => (box.scrollTop = 0));
        await eventually(async () => assert.equal(await yes.count(), 0));
        await page.keyboard.press('Control+Enter');
        assert.deepEqual(stage.calls, []);
        await eventually(async () => {
          await page.keyboard.press('Control+Enter');
          assert.deepEqual(stage.calls, ['allow long']);
        });
        assert.deepEqual((await watched()).wrong, []);
      });
    }
  }

  describe('one answer for several questions', () => {
    const group = () => page.locator('.approval-group');
    const yes = () => group().locator('[data-answer="allow"]:enabled');
    const show = () => group().locator('[data-answer="show"]:enabled');
    const list = () => group().locator('ul');

    /** Three questions, each of which was read at its card. */
    async function askThree(detail: (index: number) => string): Promise<void> {
      await ask('300 × 640', { detail: detail(0) });
      for (const index of [1, 2]) {
        stage.publish(S, ...call(index + 1, `a${index + 1}`, 'run_command', { command: 'x' }));
        const id = `other ${index}`;
        stage.ask({ id, sessionId: S, callId: `a${index + 1}`, detail: detail(index) });
      }
      await group().waitFor();
      await eventually(async () => {
        if (/not on screen/u.test((await show().textContent({ timeout: 500 })) ?? ''))
          await show().click({ timeout: 500 });
        assert.equal(await page.locator('.approval[data-read="true"]').count(), 3);
      });
    }

    it('is offered while a line of each is in sight, and not when one was scrolled away', async () => {
      await askThree((index) => lines(3, (line) => `echo ${index} ${line}`));
      await list().evaluate((box) => (box.style.maxHeight = '120px'));
      await list().evaluate((box) => (box.scrollTop = 0));
      await eventually(async () => {
        assert.match((await show().textContent()) ?? '', /Show them again/u);
        assert.equal(await yes().count(), 0);
      });
      await group().getByText('answer one by one').waitFor();
      // The key means the same as the button.
      await group().locator('.reason').focus();
      await page.keyboard.press('Control+Enter');
      assert.deepEqual(stage.calls, []);
      // What is left out needs not be in sight.
      await group().getByRole('checkbox').nth(2).uncheck();
      await list().evaluate((box) => (box.scrollTop = 0));
      await list().evaluate((box) => (box.style.maxHeight = '180px'));
      await yes().waitFor();
      await group().getByRole('checkbox').nth(2).check();
      await list().evaluate((box) => (box.style.maxHeight = ''));
      await show()
        .click({ timeout: 2000 })
        .catch(() => undefined);
      await yes().click();
      await eventually(() =>
        assert.deepEqual(stage.calls, ['allow long', 'allow other 1', 'allow other 2']),
      );
    });

    it('is never offered for what does not fit on the screen together', async () => {
      await askThree((index) => lines(30, (line) => `echo ${index} ${line}`));
      for (let times = 0; times < 3; times += 1) {
        await show().click();
        await opened.drawn();
        assert.equal(await yes().count(), 0);
      }
      await group().getByText('answer one by one').waitFor();
      assert.deepEqual(stage.calls, []);
    });
  });

  it('the yes and what it is about fit on the screen together, at 250 × 400 and 200 %', async () => {
    await ask('250 × 400 at 200 %', ASKED['a command of many lines'] ?? {});
    const yes = page.locator('.approval [data-answer="allow"]:enabled');
    await eventually(async () => {
      const show = page.locator('.approval [data-answer="show"]:enabled');
      if ((await show.count()) > 0) await show.click({ timeout: 500 }).catch(() => undefined);
      assert.equal(await yes.count(), 1);
      // By the pointer: the browser brings the button into view, and it must still be a yes there.
      await yes.click({ timeout: 500 });
    });
    await eventually(() => assert.deepEqual(stage.calls, ['allow long']));
    assert.deepEqual((await watched()).wrong, []);
  });
});

/** Looks at each frame which pieces of the text are on the screen, and what stands beside a yes. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = new Set<string>();
    const state = { unseen: -1, wrong: [] as string[] };
    Object.assign(window, { watched: state });
    /** Pieces of the text, and whether each is the topmost thing at its place. */
    const pieces = (content: Element): [string, boolean][] => {
      const found: [string, boolean][] = [];
      const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
      for (let node = 0; walker.nextNode() !== null; node += 1) {
        const text = walker.currentNode;
        const length = text.textContent?.length ?? 0;
        for (let at = 0; at < length; at += 3) {
          const range = document.createRange();
          range.setStart(text, at);
          range.setEnd(text, Math.min(at + 1, length));
          const box = range.getClientRects()[0];
          if (box === undefined || box.width === 0 || range.toString().trim() === '') continue;
          const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
          found.push([`${node} ${at}`, top !== null && content.contains(top)]);
        }
      }
      return found;
    };
    const look = (): void => {
      const card = document.querySelector('.approval');
      const content = card?.querySelector('.read-content');
      if (card !== null && content !== null && content !== undefined) {
        const now = pieces(content);
        for (const [key, isSeen] of now) if (isSeen) seen.add(key);
        state.unseen = now.filter(([key]) => !seen.has(key)).length;
        const yes = card.querySelector<HTMLButtonElement>('[data-answer="allow"]:enabled');
        if (yes !== null) {
          if (state.unseen > 0) state.wrong.push(`${state.unseen} pieces were never seen`);
          if (!now.some(([, isSeen]) => isSeen)) state.wrong.push('nothing is in sight');
        }
      }
      requestAnimationFrame(look);
    };
    look();
  });
}
