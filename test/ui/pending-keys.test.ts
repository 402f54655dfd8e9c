import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import { BelayPage } from './belay-page.ts';

describe('pending changes with the keyboard alone', () => {
  let belay: BelayPage;

  before(async () => {
    belay = await BelayPage.start({ settings: { 'belay.permissions.mode': 'edit' } });
  });
  after(() => belay[Symbol.asyncDispose]());

  const chord = async (key: string): Promise<void> => {
    await belay.page.keyboard.press('Control+k');
    await belay.page.keyboard.press(key);
  };
  const inStatusBar = (text: RegExp): Promise<void> =>
    belay.page.locator('.statusbar-item', { hasText: text }).first().waitFor();
  const read = (name: string): Promise<string> => readFile(path.join(belay.folder, name), 'utf8');

  it('goes to a change, comments on it, accepts and rejects; the agent hears the comment', async () => {
    const { page } = belay;
    const original = await read('src/pace.ts');
    belay.use(
      inOrder(
        calls(call('read_file', { path: 'src/pace.ts' })),
        calls(
          call('edit_file', {
            path: 'src/pace.ts',
            edits: [{ old_string: 'metresUphill / 600', new_string: 'metresUphill / 500' }],
          }),
          call('write_file', { path: 'src/rest.ts', content: 'export const rest = 1;\n' }),
        ),
        say('Changed.'),
      ),
    );
    await belay.ask('Walk faster');
    await belay.shows('Changed.');
    await inStatusBar(/2 changes to review/u);
    await belay.icon.locator('.badge', { hasText: '2' }).waitFor();

    await chord('g');
    await inStatusBar(/Change 1 of 2, src\/pace\.ts/u);
    await page.locator('.codelens-decoration', { hasText: 'edit_file for' }).first().waitFor();

    await chord('Shift+C');
    const box = page.locator('.review-widget .comment-form-container');
    await box.waitFor();
    belay.use(() => say('I see.'));
    await belay.until('the comment is in its box', async () => {
      await page.keyboard.type('Too fast.');
      return (await box.innerText()).replaceAll('\u00a0', ' ').includes('Too fast.');
    });
    await page.keyboard.press('Control+Enter');
    await belay.shows('I see.');
    const message = JSON.stringify(belay.turns.at(-1)?.messages);
    assert.match(message, /Comment on your pending change of src\/pace\.ts, line \d+:/u);
    assert.match(message, /\+.*metresUphill \/ 500/u);
    const panel = await belay.panel();
    await panel.locator('.commented-place', { hasText: 'src/pace.ts, line' }).waitFor();
    await panel.locator('.request-text', { hasText: 'Too fast.' }).waitFor();

    await page.keyboard.press('Escape');
    await page.locator('.tab', { hasText: 'pace.ts' }).click();
    await chord('g');
    await inStatusBar(/Change 2 of 2, src\/rest\.ts/u);
    await chord('a');
    await inStatusBar(/Accepted\. 1 change left in 1 file\./u);
    await chord('g');
    await inStatusBar(/Change 1 of 1, src\/pace\.ts/u);
    await chord('x');
    await inStatusBar(/Rejected\. Nothing is left to review\./u);
    assert.equal(await read('src/pace.ts'), original);
    assert.equal(await read('src/rest.ts'), 'export const rest = 1;\n');
    await belay.icon.locator('.badge').waitFor({ state: 'hidden' });
  });
});
