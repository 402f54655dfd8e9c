import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import { PATIENCE_AT_START } from './belay-page.ts';
import type { BelayPage } from './belay-page.ts';
import { useSharedWindow } from './window.ts';

describe('the start of VS Code', function () {
  this.timeout(240_000);
  let belay: BelayPage;

  useSharedWindow((page) => {
    belay = page;
  });

  it('C8: pending changes are marked without the panel; the sessions are listed before the database is open', async () => {
    const edits = [{ old_string: 'metresUphill / 600', new_string: 'metresUphill / 500' }];
    belay.use(
      inOrder(
        calls(call('read_file', { path: 'src/pace.ts' })),
        calls(call('edit_file', { path: 'src/pace.ts', edits })),
        say('Proposed.'),
      ),
    );
    await belay.ask('Walk a little faster uphill');
    await belay.shows('Proposed.');
    await belay.idle();
    const { page, workbench } = belay;
    const waiting = page.locator('.statusbar-item', { hasText: /to review/u }).first();
    await waiting.waitFor();

    await workbench.choose('View: Show Explorer');
    await belay.side.waitFor({ state: 'hidden' });
    await workbench.reload();
    await waiting.waitFor({ timeout: PATIENCE_AT_START });
    assert.equal(await belay.side.count(), 0, 'nobody has opened the panel');

    const file = await databaseOf(workbench.server.data);
    const other = new DatabaseSync(file);
    try {
      other.exec('PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE');
      await workbench.reload();
      await belay.icon.click({ timeout: PATIENCE_AT_START });
      const list = await workbench.webview('.opening', PATIENCE_AT_START);
      await list.getByText('A day in the mountains').first().waitFor();
    } finally {
      other.close();
    }
    await workbench.webview('.composer', PATIENCE_AT_START);
    await waiting.waitFor();
  });
});

/** The newest database below a folder. */
async function databaseOf(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  const name = names.find((one) => path.basename(one) === 'belay.db');
  assert.ok(name !== undefined, 'there is no database');
  return path.join(folder, name);
}
