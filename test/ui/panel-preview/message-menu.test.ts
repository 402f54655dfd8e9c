import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { pictures } from '../pictures.ts';
import { eventually } from './eventually.ts';
import { begin, history, S, session } from './fixture-session.ts';
import type { Preview, PreviewPage, PreviewTheme } from './preview.ts';
import { sharedPreview } from './shared-preview.ts';

const LOOKS: readonly (readonly [PreviewTheme, number])[] = [
  ['dark', 300],
  ['dark', 600],
  ['light', 300],
  ['highContrast', 300],
];

describe('the menu at the messages of the person', () => {
  let preview: Preview;
  let stage: Stage;
  let opened: PreviewPage;
  let page: Page;

  const open = async (prepare: (made: Stage) => void = () => undefined): Promise<void> => {
    stage = new Stage(new SystemClock(), (made) => {
      session(made);
      history(made);
      prepare(made);
    });
    opened = await preview.open((transport) => stage.panel.line.attach(transport), {
      theme: 'dark',
      width: 300,
      height: 640,
    });
    page = opened.page;
    await page.locator('.composer textarea').waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
    await page.locator('.request').first().waitFor();
  };
  const button = () => page.locator('.request .message-actions').first();
  const items = () => page.locator('.menu-list:popover-open .item');
  const input = () => page.locator('.composer textarea');
  const messageId = async (): Promise<string> =>
    (await page.locator('.request').first().getAttribute('data-message')) ?? '';

  before(async () => {
    preview = await sharedPreview();
    await mkdir(pictures, { recursive: true });
  });
  afterEach(async () => {
    assert.deepEqual(opened.console, [], 'nothing is reported by the browser');
    await opened.close();
    stage.panel.dispose();
  });

  it('a click on my message edits it, unless it ends a selection or a run is on', async () => {
    await open();
    const text = page.locator('.request-text').first();
    await text.click({ clickCount: 3 });
    const id = await messageId();
    await text.press('Enter');
    await eventually(() => assert.equal(stage.calls.at(-1), `edit ${S} ${id}`));
    begin(stage);
    await page.locator('.run-status').waitFor();
    assert.equal(await page.locator('.request-text.is-editable').count(), 0);
  });

  it('opens by key, and is whole on the screen in each theme and width', async () => {
    await open();
    assert.equal(await button().getAttribute('aria-haspopup'), 'menu');
    for (const [theme, width] of LOOKS) {
      const place = `in ${theme} at ${width} px`;
      await opened.look({ theme, width, height: 640 });
      await input().focus();
      await button().focus();
      await eventually(async () =>
        assert.equal(await button().evaluate((one) => getComputedStyle(one).opacity), '1', place),
      );
      await page.keyboard.press('Enter');
      await page.locator('.menu-list:popover-open .item:focus').waitFor();
      assert.deepEqual(await items().locator('.label').allInnerTexts(), [
        'Copy',
        'Copy as Markdown',
        'Edit & Send Again…',
        'Send Again…',
        'Send Again with Another Model…',
        'Fork from Here…',
        'Restore Files…',
        'Restore Conversation…',
        'Restore Both…',
      ]);
      const box = await page.locator('.menu-list:popover-open').boundingBox();
      const told = `${place}: ${JSON.stringify(box)}`;
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, told);
      assert.ok(box.y >= 0 && box.y + box.height <= 640, told);
      await opened.shoot(path.join(pictures, `message-menu-${theme}-${width}.png`));
      await page.keyboard.press('Escape');
      await eventually(async () => assert.equal(await items().count(), 0));
    }
  });

  it('each entry asks the host for what it says, and Esc closes it where it was opened', async () => {
    await open();
    const id = await messageId();
    await button().press('Enter');
    await page.locator('.menu-list:popover-open .item:focus').waitFor();
    await page.keyboard.press('Escape');
    await eventually(async () => assert.equal(await items().count(), 0));
    assert.equal(await button().evaluate((one) => one === document.activeElement), true);
    for (const [letter, action] of [
      ['f', 'fork'],
      ['e', 'edit'],
    ] as const) {
      await button().press('Enter');
      await page.locator('.menu-list:popover-open .item:focus').waitFor();
      await page.keyboard.press(letter);
      await page.keyboard.press('Enter');
      await eventually(() => assert.equal(stage.calls.at(-1), `${action} ${S} ${id}`));
    }
    for (const [downs, action] of [
      [3, 'retry'],
      [4, 'other_model'],
      [6, 'restore_files'],
      [7, 'restore_conversation'],
      [8, 'restore_both'],
    ] as const) {
      await button().press('Enter');
      await page.locator('.menu-list:popover-open .item:focus').waitFor();
      for (let times = 0; times < downs; times += 1) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await eventually(() => assert.equal(stage.calls.at(-1), `${action} ${S} ${id}`));
    }
    const answer = page.locator('.answer').last();
    const answerId = await answer.getAttribute('data-message');
    await answer.getByRole('button', { name: 'Fork from here' }).press('Enter');
    await eventually(() => assert.equal(stage.calls.at(-1), `fork ${S} ${answerId ?? ''}`));
    const request = page.locator('.request').last();
    const requestId = (await request.getAttribute('data-message')) ?? '';
    const choose = async (label: string): Promise<void> => {
      await answer.locator('.message-actions').press('Enter');
      await page
        .locator('.menu-list:popover-open .item', { hasText: label })
        .first()
        .press('Enter');
    };
    await choose('Retry…');
    await eventually(() => assert.equal(stage.calls.at(-1), `retry ${S} ${requestId}`));
    await choose('Retry with Another Model…');
    await eventually(() => assert.equal(stage.calls.at(-1), `other_model ${S} ${requestId}`));
    await choose('Copy as Markdown');
    await eventually(() => assert.match(stage.calls.at(-1) ?? '', /^copy Fixed: `parseList` now/u));
    await choose('Copy');
    await eventually(() => assert.match(stage.calls.at(-1) ?? '', /^copy Fixed: parseList now/u));
  });

  it('while a run is on its entries say why they do nothing', async () => {
    await open();
    begin(stage);
    await page.locator('.run-status').waitFor();
    await button().press('Enter');
    await page.locator('.menu-list:popover-open .item:focus').waitFor();
    assert.match(
      await page.locator('.menu-list:popover-open').innerText(),
      /A run is on: stop it first/u,
    );
    assert.equal(await page.locator('.menu-list:popover-open [aria-disabled="true"]').count(), 7);
    const before = stage.calls.length;
    await page.keyboard.press('e');
    await page.keyboard.press('Enter');
    assert.equal(await items().count(), 9, 'it stays open to be read');
    assert.equal(stage.calls.length, before);
    await opened.shoot(path.join(pictures, 'message-menu-busy-dark-300.png'));
  });

  it('a message that is given back stands before what is typed, with its attachments; taken back it goes', async () => {
    await open();
    await input().fill('half a thought');
    await eventually(() => assert.equal(stage.saved.get(S)?.draft, 'half a thought'));
    const file = {
      id: 'a',
      name: 'plan.md',
      mediaType: 'text/markdown',
      size: 12,
      path: '/w/plan.md',
    };
    await stage.panel.giveBack(S, { text: 'Do it\nso', attachments: [file] });
    await eventually(async () =>
      assert.equal(await input().inputValue(), 'Do it\nso\n\nhalf a thought'),
    );
    await page.locator('.chip', { hasText: 'plan.md' }).waitFor();
    assert.equal(await input().evaluate((one) => one === document.activeElement), true);
    await input().fill('Do it\nso');
    await stage.panel.takeBack(S, 'Do it\nso');
    await eventually(async () => assert.equal(await input().inputValue(), ''));
    assert.equal(await page.locator('.chip').count(), 0);
    await eventually(() => assert.equal(stage.saved.get(S)?.draft, ''));
    // Loaded anew, nothing of it comes again.
    await page.reload();
    await input().waitFor();
    assert.equal(await input().inputValue(), '');
  });

  it('in another session, the fork, it comes with the session and the draft of this one stays here', async () => {
    await open((made) => void made.addSession({ id: 'fork', title: 'Fork' }));
    await input().fill('stays here');
    await eventually(() => assert.equal(stage.saved.get(S)?.draft, 'stays here'));
    const file = {
      id: 'a',
      name: 'plan.md',
      mediaType: 'text/markdown',
      size: 12,
      path: '/w/plan.md',
    };
    await stage.panel.giveBack('fork', { text: 'In the fork', attachments: [file] });
    await eventually(async () => assert.equal(await input().inputValue(), 'In the fork'));
    await page.locator('.chip', { hasText: 'plan.md' }).waitFor();
    await stage.panel.show(S);
    await eventually(async () => assert.equal(await input().inputValue(), 'stays here'));
  });

  it('what was restored last is told with the way back, also when it is loaded anew', async () => {
    await open((made) => {
      made.restored = {
        what: 'both',
        title: 'Write the parser',
        at: 0,
        afterSeq: 4,
        messages: 3,
        files: 1,
      };
    });
    const notice = page.locator('.notice', { hasText: '1 file and the conversation are as they' });
    await notice.waitFor();
    await opened.shoot(path.join(pictures, 'restored-notice-dark-300.png'));
    await page.reload();
    await notice.getByRole('button', { name: 'Redo' }).press('Enter');
    await eventually(() => assert.equal(stage.calls.at(-1), `redo ${S}`));
  });
});
