import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { Attribution } from '../../../src/core/review/model/file-review.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import type { PendingWork } from '../../support/pending-work.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { pictures } from '../pictures.ts';
import { eventually } from './eventually.ts';
import { S } from './fixture-session.ts';
import type { Preview, PreviewPage, PreviewTheme } from './preview.ts';
import { full, REVIEW_SCENES, withPending } from './review-scenes.ts';
import type { Scene } from './scenes.ts';
import { sharedPreview } from './shared-preview.ts';

const LOOKS: readonly (readonly [PreviewTheme, number])[] = [
  ['dark', 300],
  ['light', 600],
  ['highContrast', 300],
];

/** The scene with every state is looked at in all of them. */
const ALL_LOOKS: typeof LOOKS = [...LOOKS, ['dark', 600], ['light', 300], ['highContrast', 600]];

const LINES = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
const BEFORE = LINES.join('\n');
const changed = (...numbers: readonly number[]): string =>
  LINES.map((line, index) => (numbers.includes(index + 1) ? `${line}!` : line)).join('\n');

describe('the list of pending changes in a browser', () => {
  let preview: Preview;
  let stage: Stage;
  let opened: PreviewPage;
  let page: Page;
  let work: PendingWork;

  before(async () => {
    preview = await sharedPreview();
    await mkdir(pictures, { recursive: true });
  });
  afterEach(async () => {
    assert.deepEqual(opened.console, [], 'nothing is reported by the browser');
    await opened.close();
    stage.panel.dispose();
  });

  const show = async (scene: Scene, width = 360): Promise<void> => {
    stage = new Stage(new SystemClock(), (made) => scene.prepare?.(made));
    const look = { theme: 'dark', width, height: 720 } as const;
    opened = await preview.open((transport) => stage.panel.line.attach(transport), look);
    ({ page } = opened);
    await page.locator('.composer textarea').waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
    await page.locator('.review .dock-label').waitFor();
  };

  /** A session of which this is pending. */
  const open = async (
    prepare: (made: PendingWork, by: Partial<Attribution>) => Promise<void>,
  ): Promise<void> => {
    await show(
      withPending((made, _stage, by) => {
        work = made;
        return prepare(made, by);
      }),
    );
    await page.locator('.review-row').first().waitFor();
  };
  const two = async (made: PendingWork, by: Partial<Attribution>): Promise<void> => {
    await made.edit('a.ts', [BEFORE, changed(3, 10, 20)], by);
    await made.edit('b.ts', [BEFORE, changed(5)], by);
  };
  const rows = (): Locator => page.locator('.review-row');
  const focused = (): Promise<string | null> =>
    page.evaluate(() => {
      const { activeElement } = document;
      const words = activeElement?.querySelector('.review-line > .unseen')?.textContent;
      return words ?? activeElement?.getAttribute('aria-label') ?? null;
    });
  const said = (): Promise<string> => page.locator('.announcer').innerText();
  /** With the keyboard: after the line, its two buttons and the two of the list. */
  const enter = async (row: RegExp): Promise<void> => {
    await page.locator('.review .dock-label').focus();
    for (let stop = 0; stop < 5; stop += 1) await page.keyboard.press('Tab');
    await eventually(async () => assert.match((await focused()) ?? '', row));
  };

  for (const [name, scene] of Object.entries<Scene>(REVIEW_SCENES)) {
    if (name === 'review-many') continue;
    it(`${name}: nothing is too wide in any theme and width`, async () => {
      await show(scene, 300);
      await delay(400);
      for (const selector of scene.click ?? []) await page.locator(selector).first().click();
      if (name === 'review-failed') await page.locator('.review-failure').waitFor();
      for (const [theme, width] of name === 'review-states' ? ALL_LOOKS : LOOKS) {
        await opened.look({ theme, width, height: 720 });
        const outside = await page.locator('.review').evaluate((box) => {
          const { left, right } = box.getBoundingClientRect();
          return [...box.querySelectorAll('button, input, .review-facts, .review-line')]
            .map((part) => ({ part: part.className, edges: part.getBoundingClientRect() }))
            .filter(({ edges }) => edges.width > 0 && (edges.left < left || edges.right > right))
            .map(({ part }) => part);
        });
        assert.deepEqual(outside, [], `in ${theme} at ${width} px`);
        assert.equal(await page.locator('.notice').count(), 0);
        if (process.env['BELAY_PICTURES'] !== undefined)
          await opened.shoot(path.join(pictures, `${name}-${theme}-${width}.png`));
      }
    });
  }

  it('is one stop of the Tab key, and its keys walk, open, fold, keep, undo and mark', async () => {
    await open(two);
    await enter(/^a\.ts, 3 changes/u);
    await page.keyboard.press('ArrowLeft');
    await eventually(async () => assert.equal(await rows().count(), 3));
    await page.keyboard.press('ArrowRight');
    await eventually(async () => assert.equal(await rows().count(), 6));
    await page.keyboard.press('ArrowRight');
    assert.match((await focused()) ?? '', /^line 3, 1 added, 1 removed, removed: line 3; added/u);
    await page.keyboard.press('Enter');
    await eventually(() => assert.match(stage.calls.join(), /^open \S+a\.ts \S+$/u));
    await page.keyboard.press(' ');
    await eventually(async () => assert.match((await focused()) ?? '', /looked at/u));
    assert.equal(await page.locator('.review-row[aria-checked="true"]').count(), 1);
    await page.keyboard.press('x');
    await eventually(() => assert.equal(work.text('a.ts'), changed(10, 20)));
    await eventually(async () => assert.match((await focused()) ?? '', /^line 10,/u));
    await eventually(async () =>
      assert.match(await said(), /^Undid the change of a\.ts, line 3\. 3 changes left\.$/u),
    );
    await page.keyboard.press('a');
    await eventually(async () => assert.match((await focused()) ?? '', /^line 20,/u));
    assert.equal(work.text('a.ts'), changed(10, 20));
    await page.keyboard.press('a');
    await eventually(async () => assert.match((await focused()) ?? '', /^line 5,/u));
    await page.keyboard.press('End');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
    await enter(/^line 5,/u);
    await page.keyboard.press('a');
    await eventually(() => assert.equal(work.text('b.ts'), changed(5)));
    await page.locator('.review').waitFor({ state: 'detached' });
    await eventually(async () =>
      assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA'),
    );
    await eventually(async () => assert.match(await said(), /Nothing is left\.$/u));
  });

  it('shows what changed late in a line at 290 px, and how many lines are not shown', async () => {
    await show(REVIEW_SCENES['review-diffs'], 290);
    const late = page.locator('[data-row*="queue.ts "] .is-changed', { hasText: '* 1000' });
    const cut = await late.evaluate((mark) => {
      const core = mark.parentElement ?? mark;
      const row = mark.closest('.diff')?.getBoundingClientRect();
      const { left, right } = mark.getBoundingClientRect();
      return (
        core.scrollWidth > core.clientWidth || left < (row?.left ?? 0) || right > (row?.right ?? 0)
      );
    });
    assert.equal(cut, false);
    await page.locator('[data-row*="parts.ts "]').getByText('+4 more lines').waitFor();
    await page.locator('[data-row*="zero.txt "]').getByText('No newline at the end').waitFor();
    assert.equal(await page.locator('[data-row*="ok.txt "] .diff-line').count(), 1);
  });

  it('is gone to by a command, which unfolds it', async () => {
    await open(two);
    await page.locator('.review .dock-label').click();
    await page.locator('.review-rows').waitFor({ state: 'detached' });
    stage.panel.line.signal({ kind: 'focus_changes' });
    await eventually(async () => assert.match((await focused()) ?? '', /^a\.ts/u));
  });

  it('takes a comment for the agent, which is not lost when its change is', async () => {
    await open(two);
    await enter(/^a\.ts/u);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('c');
    const field = page.locator('.review-comment textarea');
    await field.pressSequentially('Why this line?');
    await work.reviews.decisions.undo({ path: work.at('a.ts') });
    await eventually(async () =>
      assert.equal(await page.locator('.review-row.is-hunk').count(), 1),
    );
    await field.press('Enter');
    await page.locator('.review-comment .review-failure', { hasText: 'Nothing' }).waitFor();
    assert.equal(await field.inputValue(), 'Why this line?');
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    assert.deepEqual(stage.calls, []);
    await page.locator('.review-row.is-hunk').focus();
    await page.keyboard.press('c');
    await field.pressSequentially('And this?');
    await field.press('Enter');
    await eventually(() => assert.match(stage.calls.join(), /^comment \S+b\.ts \S+ And this\?$/u));
    await eventually(async () => assert.match((await focused()) ?? '', /^line 5,/u));
  });

  it('undoes all from the bar without a question, and Redo brings it back', async () => {
    await open(two);
    await page.getByTitle('Undo all changes').click();
    await page.getByText('4 changes undone.', { exact: true }).waitFor();
    await eventually(async () => assert.equal(await rows().count(), 0));
    await page.getByRole('button', { name: 'Redo', exact: true }).click();
    await eventually(async () => assert.equal(await rows().count(), 6));
    assert.equal(work.text('b.ts'), changed(5));
    await page.getByTitle('Keep all changes').click();
    await page.getByText('4 changes kept.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.locator('.review').waitFor({ state: 'detached' });
    assert.equal(work.text('b.ts'), changed(5));
  });

  it('tells why a change was made when it is unfolded, also by key, and lists what is not tested since', async () => {
    await show(REVIEW_SCENES['review-evidence']);
    const line = (file: string): Locator =>
      page.locator(`[data-row*="${file} "] .review-evidence-line`).first();
    assert.equal(await line('broken.ts').locator('[title="Tests failed"]').count(), 1);
    await page.locator('.review-row[data-row*="broken.ts "]').first().focus();
    await page.keyboard.press('ArrowRight');
    const details = page.locator('.review-evidence');
    await details.getByText('line 7: Property').waitFor();
    await eventually(async () => assert.match(await said(), /Why: “The loop stopped/u));
    await page.keyboard.press('ArrowLeft');
    await details.waitFor({ state: 'detached' });
    assert.match(
      (await page.locator('.review-row:focus').textContent()) ?? '',
      /New problems.*Tests failed.*The loop/u,
    );
    await page.getByRole('button', { name: 'Not Tested Since' }).click();
    await eventually(async () =>
      assert.deepEqual(await page.locator('.review-file').allTextContents(), ['untested.ts']),
    );
  });

  it('the message that a change answers is shown, however far back it is', async () => {
    await show(
      withPending(async (made, on, by) => {
        for (let index = 1; index <= 90; index += 1)
          on.store(S, 'assistant', [{ type: 'text', text: `Answer number ${index}` }]);
        await made.edit('a.ts', [BEFORE, changed(3)], by);
      }),
    );
    const request = page.locator('.row.request').first();
    assert.equal(await page.getByText('Answer number 1', { exact: true }).count(), 0);
    await page.locator('.review-row.is-hunk').focus();
    await page.keyboard.press('m');
    await eventually(async () => assert.match(await said(), /in sight/u));
    await eventually(async () => assert.ok(await request.isVisible()));
    const box = await request.boundingBox();
    assert.ok(box !== null && box.y > 0 && box.y < 720, JSON.stringify(box));
  });

  it('keeps what is green after it said what that means, and nothing else', async () => {
    await show(REVIEW_SCENES['review-evidence']);
    const ask = page.getByRole('button', { name: 'Keep Green…' });
    await ask.click();
    const question = page.getByRole('dialog', { name: /^Green means: / });
    await question.getByText('4 changes will stay pending:').waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await eventually(async () =>
      assert.equal(await page.locator('.review-green-ask:focus').count(), 1),
    );
    assert.match(await page.locator('.review .dock-label').innerText(), /^6 changes/u);
    await ask.click();
    await question.getByRole('button', { name: 'Keep 2 Changes' }).press('Enter');
    await eventually(async () =>
      assert.match(await page.locator('.review .dock-label').innerText(), /^4 changes/u),
    );
    assert.equal(await page.locator('[data-row$="parse.ts"]').count(), 0);
  });

  it('takes at most 40 % of the panel and leaves 160 px of conversation', async () => {
    await show(REVIEW_SCENES['review-many'], 290);
    await page.locator('.review-row').first().waitFor();
    const heightOf = async (part: string): Promise<number> =>
      (await page.locator(part).boundingBox())?.height ?? 0;
    for (const height of [900, 720, 540, 400]) {
      await opened.look({ theme: 'dark', width: 290, height });
      assert.ok((await heightOf('.review')) <= height * 0.4 + 1, `at ${height} px`);
      assert.ok((await heightOf('.conversation')) >= 160, `at ${height} px`);
    }
  });

  it('is folded when a message is sent', async () => {
    await open(two);
    await page.locator('.composer textarea').fill('Go on');
    await page.keyboard.press('Enter');
    await page.locator('.review-rows').waitFor({ state: 'detached' });
  });

  it('is one line in a session without changes of its own, until it is unfolded', async () => {
    await show(
      withPending(async (made, on, by) => {
        on.addSession({ id: 'other', title: 'Update the dependencies' });
        await two(made, { ...by, sessionId: 'other' });
      }),
    );
    const line = page.locator('.review .dock-label');
    await eventually(async () =>
      assert.equal(await line.innerText(), '4 changes in other sessions'),
    );
    assert.equal(await page.locator('.review-rows, .review-all').count(), 0);
    await line.click();
    await page.locator('.review-session').waitFor();
  });

  it('is folded into a line by a click, and stays so', async () => {
    await open(two);
    await page.locator('.review .dock-label').click();
    await page.locator('.review-rows').waitFor({ state: 'detached' });
    assert.equal(stage.changesUnfolded, false);
    await page.reload();
    await page.locator('.review .dock-label').waitFor();
    assert.equal(await page.locator('.review-rows').count(), 0);
  });

  it('says where it was tried why a decision failed, and the way to try again stays', async () => {
    await show(REVIEW_SCENES['review-failed']);
    const file = page.locator('[data-row$="notes.md"]');
    await file.locator('.review-undo').click();
    await file.locator('.review-failure', { hasText: 'notes.md' }).waitFor();
    assert.equal(await page.locator('.notice').count(), 0);
    assert.doesNotMatch(await file.innerText(), /\/tmp/u);
    await file.getByRole('button', { name: 'Dismiss' }).click();
    await file.locator('.review-failure').waitFor({ state: 'detached' });
  });

  it('does not move what is under the pointer while the agent adds and takes away', async () => {
    await open(async (made, by) => {
      for (let file = 10; file < 20; file += 1)
        await made.edit(`file-${file}.ts`, [BEFORE, changed(3)], by);
    });
    const held = page.locator('.review-row.is-hunk').nth(6);
    const name = await held.getAttribute('data-row');
    await held.hover();
    const top = async (): Promise<number> => {
      const box = await page.locator(`[data-row="${name}"]`).boundingBox();
      return Math.round(box?.y ?? Number.NaN);
    };
    const before = await top();
    const [key = ''] = stage.messages.get(S)?.map(({ id }) => id) ?? [];
    const by = { sessionId: S, messageId: key, callId: 'c4' };
    await work.edit('file-01.ts', [BEFORE, changed(3, 9)], by);
    await work.edit('file-99.ts', [BEFORE, changed(3)], by);
    await eventually(async () =>
      assert.equal(await page.locator('.review-row.is-file').count(), 12),
    );
    assert.equal(await top(), before);
    await work.reviews.decisions.keep({ path: work.at('file-11.ts') });
    await eventually(async () =>
      assert.equal(await page.locator('.review-row.is-file').count(), 11),
    );
    assert.equal(await top(), before);
  });

  it('does not take the second half of a double click for a decision about the next change', async () => {
    await open(two);
    await page.locator('.review-row.is-hunk .review-keep').first().dblclick();
    await eventually(async () =>
      assert.equal(await page.locator('.review-row.is-hunk').count(), 3),
    );
    await delay(400);
    assert.equal(await page.locator('.review-row.is-hunk').count(), 3);
  });

  it('leaves pending what came while the person looked, and says so', async () => {
    await open(two);
    const [key = ''] = stage.messages.get(S)?.map(({ id }) => id) ?? [];
    // What is hidden is told nothing: the list on screen is the one from before.
    opened.visible = false;
    await work.edit('c.ts', [null, 'new'], {
      sessionId: S,
      messageId: key,
      callId: 'c4',
    });
    const part = await stage.panel.review();
    await eventually(() => assert.equal(part?.view.totals.hunks, 5));
    await page.getByTitle('Keep all changes').click();
    await page.locator('.review-note', { hasText: '1 change came meanwhile' }).waitFor();
    assert.ok(work.reviews.find(work.at('c.ts')) !== undefined);
    assert.equal(work.reviews.find(work.at('b.ts')), undefined);
  });

  it('folds the files of a long list, and unfolds a file among 300 changes', async () => {
    await show(withPending((made, _stage, by) => full(made, by)));
    await page.locator('.review-row').first().waitFor();
    await eventually(async () => assert.equal(await rows().count(), 40));
    await page.locator('.review-row.is-file .review-fold').nth(20).click();
    await eventually(async () => assert.equal(await rows().count(), 47));
  });

  it('everything unfolded at once comes in slices, and the keyboard reaches its end at once', async () => {
    await show(withPending((made, _stage, by) => full(made, by)));
    await eventually(async () => assert.equal(await rows().count(), 40));
    const most = await page.evaluate(async () => {
      const count = (): number => document.querySelectorAll('.review-row').length;
      let [before, jump] = [count(), 0];
      const watcher = new MutationObserver(() => {
        jump = Math.max(jump, count() - before);
        before = count();
      });
      watcher.observe(document.body, { childList: true, subtree: true });
      for (const one of document.querySelectorAll<HTMLElement>('.is-file .review-fold'))
        one.click();
      while (count() < 340) await new Promise(requestAnimationFrame);
      watcher.disconnect();
      return jump;
    });
    assert.ok(most <= 120, `${most} rows in one task`);
    await page.locator('.review-row').first().focus();
    await page.keyboard.press('ArrowLeft');
    await eventually(async () => assert.equal(await rows().count(), 332));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('End');
    await eventually(async () => {
      const [focused, last] = await page.evaluate(() => [
        document.activeElement?.getAttribute('data-row'),
        [...document.querySelectorAll('.review-row')].at(-1)?.getAttribute('data-row'),
      ]);
      assert.equal(await rows().count(), 340);
      assert.equal(focused, last);
    });
  });

  it('names on the card what became of its changes, and leads to them', async () => {
    await show(REVIEW_SCENES['review-cards']);
    const word = (id: string): Locator => page.locator(`[data-call="${id}"] .call-review`);
    for (const [id, state] of [
      ['e1', 'kept'],
      ['e2', 'undone'],
      ['e3', 'partly kept'],
      ['e4', 'pending'],
    ] as const)
      await eventually(async () => assert.equal(await word(id).textContent(), state));
    await page.locator('[data-call="e4"]').getByRole('button', { name: 'Show change' }).click();
    await eventually(() => assert.match(stage.calls.join(), /^open \S+pending\.ts/u));
  });
});
