import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { eventually } from './eventually.ts';
import { history, others, S, session } from './fixture-session.ts';
import type { Preview, PreviewPage } from './preview.ts';
import { sharedPreview } from './shared-preview.ts';

describe('the list of sessions in a browser', () => {
  let preview: Preview;
  let stage: Stage;
  let opened: PreviewPage;
  let page: Page;

  async function open(prepare: (made: Stage) => void = () => undefined): Promise<void> {
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
    await page.locator('.title-button').click();
    await page.locator('.session-open').first().waitFor();
  }

  const row = (title: string) => page.locator('.session-open', { hasText: title });
  const titles = (): Promise<string[]> => page.locator('.session-title').allInnerTexts();
  const groups = (): Promise<string[]> => page.locator('.session-group > h2').allInnerTexts();

  before(async () => {
    preview = await sharedPreview();
  });
  afterEach(async () => {
    assert.deepEqual(opened.console, [], 'nothing is reported by the browser');
    await opened.close();
    stage.panel.dispose();
    stage.shared.dispose();
  });

  it('finds, renames and deletes sessions, and brings them back', async () => {
    await open((made) => made.addSession({ id: 'two', title: 'Rename the module' }));
    await page.locator('.search input').fill('parseList');
    await eventually(async () => assert.equal(await page.locator('.session-open').count(), 1));
    await page.locator('.session-excerpt').first().waitFor();
    await page.locator('.search input').fill('module');
    await row('Rename the module').press('F2');
    await page.locator('.session .title-input').fill('Other name');
    await page.locator('.session .title-input').press('Enter');
    await eventually(() => assert.deepEqual(stage.calls, ['rename two Other name']));
    await page.locator('.search input').fill('other');
    await row('Other name').press('Delete');
    await page.locator('.deleted', { hasText: '“Other name” deleted.' }).waitFor();
    assert.equal(await row('Other name').count(), 0);
    assert.equal(stage.sessions.has('two'), true, 'it is on disk while it can be brought back');
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('Other name').waitFor();
    await row('Other name').press('Delete');
    await page.getByRole('button', { name: 'Delete for good now' }).click();
    await eventually(() => assert.equal(stage.sessions.has('two'), false));
  });

  it('what is typed as soon as another session is on the screen stays in its input', async () => {
    await open();
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        const input = document.querySelector('textarea');
        if (input === null || document.querySelector('.empty') === null) return;
        observer.disconnect();
        input.value = 'first letters';
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }).observe(document.body, { childList: true, subtree: true });
    });
    await stage.panel.show(null);
    await eventually(() => assert.equal(stage.saved.get('')?.draft, 'first letters'));
    await opened.drawn();
    assert.equal(await page.locator('.composer textarea').inputValue(), 'first letters');
  });

  it('has pinned ones first and archived ones out of the way, but not those at work', async () => {
    await open((made) => {
      others(made);
      made.busy.add('other-5');
    });
    assert.deepEqual((await groups()).slice(0, 1), ['Today']);
    await row('Upgrade esbuild').hover();
    await page.locator('.session', { hasText: 'Upgrade esbuild' }).getByLabel('Pin').click();
    await eventually(async () => assert.equal((await groups())[0], 'Pinned'));
    assert.equal((await titles())[0], 'Upgrade esbuild');
    for (const title of ['Explain how the cache works', 'Draft the release notes']) {
      await row(title).hover();
      await page.locator('.session', { hasText: title }).getByLabel('Archive').click();
    }
    await eventually(async () => assert.equal(await row('Explain').count(), 0));
    assert.equal(await row('Draft').count(), 1, 'it is at work');
    await page.getByRole('button', { name: 'Show archived (1)' }).click();
    assert.equal((await groups()).at(-1), 'Archived');
    assert.equal((await titles()).at(-1), 'Explain how the cache works');
    await page.getByRole('button', { name: 'Show archived (1)' }).click();
    await page.locator('.search input').fill('cache');
    await row('Explain').waitFor();
  });

  it('selects by keyboard, and does with all at once what one button says', async () => {
    await open(others);
    await page.locator('.search input').press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.locator('.bulk', { hasText: '3 selected' }).waitFor();
    await page.keyboard.press('Control+ ');
    await page.locator('.bulk', { hasText: '2 selected' }).waitFor();
    const before = await titles();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Delete');
    await page.locator('.deleted', { hasText: '2 sessions deleted.' }).waitFor();
    await eventually(async () => assert.equal((await titles()).length, before.length - 2));
    await eventually(async () =>
      assert.equal(
        await page.evaluate(() => document.activeElement?.classList.contains('session-open')),
        true,
        'the focus is on the next row',
      ),
    );
    await page.keyboard.press('Control+z');
    await eventually(async () => assert.deepEqual(await titles(), before));
    await page.keyboard.press('Control+a');
    await page.locator('.bulk', { hasText: `${before.length} selected` }).waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.bulk').count(), 0);
    await page.keyboard.press('Escape');
    await page.locator('.composer textarea').waitFor();
  });

  it('selects a range with Shift and a click, and opens nothing by it', async () => {
    await open(others);
    await row('Rename the settings').click({ modifiers: ['Control'] });
    await row('Upgrade esbuild').click({ modifiers: ['Shift'] });
    await page.locator('.bulk', { hasText: '4 selected' }).waitFor();
    await page.locator('.bulk').getByLabel('Archive').click();
    await eventually(async () => assert.equal(await row('Upgrade esbuild').count(), 0));
    assert.equal(stage.panel.session.view.id, S);
  });

  it('lists 300 sessions, and what is deleted of them stays away', async () => {
    await open((made) => {
      for (let index = 0; index < 300; index += 1)
        made.addSession({ id: `n${index}`, title: `Number ${index}`, updatedAt: index });
    });
    await eventually(async () => assert.equal((await titles()).length, 301));
    await page.locator('[data-session="n0"]').press('Delete');
    await eventually(async () => assert.equal((await titles()).length, 300));
  });
});
