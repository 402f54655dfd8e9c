import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { call, calls, inOrder, say, talk } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { pictures } from './pictures.ts';
import { useSharedWindow } from './window.ts';

describe('the start of VS Code', () => {
  let belay: BelayPage;

  useSharedWindow((page) => {
    belay = page;
  });

  it('C8: what is sent before the database is open is answered once, in the session that was shown last', async () => {
    const edits = [{ old_string: 'metresUphill / 600', new_string: 'metresUphill / 500' }];
    belay.use(
      inOrder(
        calls(call('read_file', { path: 'src/pace.ts' })),
        calls(call('edit_file', { path: 'src/pace.ts', edits })),
        say('Written.'),
        say('Sent early, answered late.'),
      ),
    );
    await belay.ask('Walk a little faster uphill');
    await belay.shows('Written.');
    await belay.idle();
    const { page, workbench } = belay;
    const waiting = page.locator('.statusbar-item', { hasText: /to review/u }).first();
    await waiting.waitFor();

    await workbench.choose('View: Show Explorer');
    await belay.side.waitFor({ state: 'hidden' });

    const file = await belay.database();
    const other = new DatabaseSync(file);
    try {
      other.exec('PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE');
      await workbench.reload();
      await belay.icon.click();
      const panel = await workbench.webview('.composer');
      const input = panel.getByRole('textbox', { name: 'Message to Belay' });
      await input.fill('And downhill');
      await input.press('Enter');
      assert.equal(await input.inputValue(), 'And downhill');
      await page.screenshot({ path: path.join(pictures, 'early-page-dark.png') });
    } finally {
      other.close();
    }
    await belay.shows('Sent early, answered late.');
    const panel = await belay.panel();
    assert.equal(await panel.locator('.row.request', { hasText: 'And downhill' }).count(), 1);
    assert.equal(await (await belay.input()).inputValue(), '');
    assert.equal(belay.turns.length, 4);
    await belay.idle();
    await waiting.waitFor();
  });

  it('C8: changes on disk of an earlier window are marked in the gutter, before the panel is opened', async () => {
    const edits = [{ old_string: 'metresUphill / 600', new_string: 'metresUphill / 500' }];
    await belay.mode('Edit');
    belay.use(
      inOrder(
        calls(call('read_file', { path: 'src/pace.ts' })),
        calls(call('edit_file', { path: 'src/pace.ts', edits })),
        say('Edited.'),
      ),
    );
    await belay.ask('Walk a little faster uphill');
    await belay.shows('Edited.');
    await belay.idle();
    const { page, workbench } = belay;
    await workbench.choose('View: Show Explorer');
    await belay.side.waitFor({ state: 'hidden' });
    await workbench.openFile('pace.ts');
    const mark = page.locator('.monaco-editor .dirty-diff-glyph').first();
    await mark.waitFor();
    await workbench.reload();
    await page.locator('.view-line', { hasText: 'metresUphill / 500' }).waitFor();
    await mark.waitFor();
    await page
      .locator('.statusbar-item', { hasText: /to review/u })
      .first()
      .waitFor();
    assert.equal(await belay.side.count(), 0, 'nobody has opened the panel');
    await mkdir(pictures, { recursive: true });
    await page.screenshot({ path: path.join(pictures, 'gutter-after-start-dark.png') });
    await belay.icon.click();
    await workbench.webview('.composer');
  });

  it('C8: a run that a crash cut off is settled and its queue kept without the panel, and nothing begins by itself', async () => {
    const { workbench } = belay;
    belay.use(() => talk('A long story about mountains. '.repeat(400)));
    await belay.ask('Begin');
    await belay.shows(/A long story about mountains/u);
    await belay.ask('Sent later');
    await (await belay.panel()).locator('.queue', { hasText: 'Sent later' }).waitFor();
    await workbench.choose('View: Show Explorer');
    await belay.side.waitFor({ state: 'hidden' });
    const file = await belay.database();
    await belay.until('the queue is on record', () => queuedIn(file) === 1);
    const sent = belay.turns.length;
    assert.ok(workbench.killExtensionHost() > 0);
    await workbench.reload();
    await belay.until('the run is settled', () => statesIn(file).includes('timed_out'));
    // Whatever goes on by itself does so with the settling.
    await belay.page.waitForTimeout(2000);
    assert.deepEqual([statesIn(file), queuedIn(file)], [['timed_out'], 1]);
    assert.equal(belay.turns.length, sent, 'nothing was sent');
    assert.equal(await belay.side.count(), 0, 'nobody has opened the panel');

    belay.use(() => say('The end.'));
    await belay.icon.click();
    const panel = await belay.panel();
    const card = panel.getByRole('region', { name: 'Interrupted run' });
    await card.waitFor();
    await panel.locator('.queue', { hasText: 'Sent later' }).waitFor();
    assert.equal(belay.turns.length, sent);
    await card.getByRole('button', { name: /^Resume/u }).click();
    await belay.until('it is sent when the run has ended', () =>
      JSON.stringify(belay.turns.at(-1)?.messages).includes('Sent later'),
    );
    await belay.idle();
  });
});

/** Messages that wait, of all sessions. */
function queuedIn(file: string): number {
  return selected(file, 'SELECT id FROM queued').length;
}

/** The states of runs that did not end, of all sessions; of those that timed out the ones that are offered. */
function statesIn(file: string): readonly unknown[] {
  const open = "state IN ('queued', 'running', 'waiting_on_human')";
  const offered = "state = 'timed_out' AND resume_available = 1";
  const rows = selected(file, `SELECT state FROM runs WHERE ${open} OR ${offered}`);
  return rows.map(({ state }) => state);
}

function selected(file: string, query: string): readonly Readonly<Record<string, unknown>>[] {
  // A database that a crash left is mended by whoever opens it first; others wait.
  const database = new DatabaseSync(file, { readOnly: true, timeout: 60_000 });
  try {
    return database.prepare(query).all();
  } finally {
    database.close();
  }
}
