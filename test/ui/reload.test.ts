import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { useSharedWindow } from './window.ts';

describe('a window that is reloaded', () => {
  let belay: BelayPage;

  useSharedWindow((page) => {
    belay = page;
  });

  it('D8: has the session, its cards and the unsent text again, and the sessions in the list, the newest first', async () => {
    belay.use(() => say('First.'));
    await belay.ask('One session');
    await belay.shows('First.');
    await belay.idle();
    await belay.newSession();
    belay.use(
      inOrder(calls(call('read_file', { path: 'src/pace.ts' })), say('It is **Naismith**.')),
    );
    await belay.ask('Which rule?');
    await belay.shows('Naismith');
    await belay.idle();
    await (await belay.input()).fill('And what about rests?');
    await belay.shows('A day in the mountains');
    await belay.reload();
    await belay.shows('Which rule?');
    await belay.shows('Naismith');
    const panel = await belay.panel();
    await panel.locator('.tool.is-done', { hasText: 'src/pace.ts' }).waitFor();
    await belay.until(
      'the draft is back',
      async () => (await (await belay.input()).inputValue()) === 'And what about rests?',
    );

    belay.use(() => say('Ten minutes an hour.'));
    await (await belay.input()).press('Enter');
    await belay.shows('Ten minutes an hour.');
    const history = JSON.stringify(belay.turns.at(-1)?.messages);
    for (const text of ['Which rule?', 'Naismith', 'And what about rests?']) {
      assert.ok(history.includes(text), `${text} is not in the request`);
    }
    await belay.idle();
    await belay.workbench.choose('Belay: Open Session…');
    const rows = belay.page.locator('.quick-input-list .monaco-list-row', {
      hasText: 'A day in the mountains',
    });
    await rows.nth(1).waitFor();
    assert.match(await rows.first().innerText(), /on screen/);
    await belay.page.keyboard.press('Escape');
  });

  it('finds a run again that goes on in the background, and takes it back', async () => {
    const files = ['pace.ts', 'route.ts', 'clock.ts', 'main.ts'].map((name) => `src/${name}`);
    files.push('README.md', 'package.json', 'tsconfig.json', 'routes/ridge.json');
    const gates = files.map(() => Promise.withResolvers<void>());
    const asked = new Set<number>();
    belay.use(async ({ messages }) => {
      const step = JSON.stringify(messages).split('"tool_use"').length - 1;
      asked.add(step);
      if (step > 0) await gates[step - 1]?.promise;
      return step < files.length
        ? calls(call('read_file', { path: files[step] }))
        : say('All are read.');
    });
    const row = async (name = '') =>
      (await belay.panel()).locator(`.run-status.is-background`, { hasText: name });
    const reaches = async (step: number): Promise<void> =>
      void (await belay.until(`step ${step} is asked for`, async () => asked.has(step)));
    await belay.ask('Read the files');
    await reaches(1);
    await belay.workbench.choose('Belay: Continue in the Background');
    await belay.shows(/Goes on in the background after this step/u);
    gates[0]?.resolve();
    await (await row('Runs in the background')).waitFor();
    await reaches(2);
    await belay.reload();
    await (await row('Runs in the background')).waitFor();
    await belay.shows('Read the files');
    await (await row()).getByRole('button', { name: /^Take Back/u }).click();
    await (await row('Comes back after this step')).waitFor();
    // The process hears of it within a second; a step that ends before is not the last.
    let step = 1;
    await belay.until('it is back', async () => {
      gates[step]?.resolve();
      step += 1;
      return (await row())
        .waitFor({ state: 'detached', timeout: 5000 })
        .then(() => true)
        .catch(() => false);
    });
    assert.ok(step < files.length, 'it came back before its end');
    for (const gate of gates) gate.resolve();
    await belay.shows('All are read.');
    await belay.idle();
    assert.equal(belay.turns.length, files.length + 1, 'nothing was asked twice');
  });

  it('D8: has what was typed, for each session, when it goes without a word; also when only the panel was loaded anew', async () => {
    belay.use(() => say('First.'));
    await belay.ask('One session');
    await belay.shows('First.');
    await belay.idle();
    await (await belay.input()).pressSequentially('For the session');
    await belay.newSession();
    await (await belay.input()).pressSequentially('For a new one, to the last key');
    await belay.onRecord('For a new one, to the last key');
    await belay.loadAnew();
    const draft = async (): Promise<string> => (await belay.input()).inputValue();
    const has = (text: string): Promise<unknown> =>
      belay.until(`the draft ${text} is back`, async () => (await draft()) === text);
    await has('For a new one, to the last key');
    await (await belay.input()).pressSequentially('. And more');
    await belay.workbench.choose('Developer: Reload Webviews');
    await has('For a new one, to the last key. And more');
    await belay.workbench.choose('Belay: Open Session…');
    await belay.page
      .locator('.quick-input-list .monaco-list-row', { hasText: 'A day in the mountains' })
      .first()
      .click();
    await has('For the session');
    await belay.newSession();
    await has('For a new one, to the last key. And more');
    await (await belay.input()).fill('');
  });

  it('C8: an edit that waits for approval is asked about again, and its diff closes with the window', async () => {
    // Each edit of a file that other programs obey needs approval.
    const file = path.join(belay.folder, '.github/notes.md');
    belay.use((request) =>
      JSON.stringify(request.messages.at(-1)).includes('tool_result')
        ? say('Noted.')
        : calls(call('write_file', { path: '.github/notes.md', content: 'from the model\n' })),
    );
    await belay.ask('Write it down');
    const first = await belay.approval();
    await first.getByRole('button', { name: 'Open diff' }).click();
    const tab = belay.page.locator('.tab', { hasText: 'notes.md (Belay: Waits for Approval)' });
    await tab.waitFor();

    await belay.reload();
    const card = (await belay.panel()).getByRole('region', { name: 'Interrupted run' });
    await card.waitFor();
    await tab.waitFor({ state: 'detached' });
    assert.equal(existsSync(file), false);
    await card.getByRole('button', { name: /^Resume/ }).click();
    await belay.sayYes(await belay.approval());
    await belay.shows('Noted.');
    assert.equal(await readFile(file, 'utf8'), 'from the model\n');
  });
});
