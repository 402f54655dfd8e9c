import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { call, calls, say } from '../support/model-server/turn.ts';
import { PATIENCE } from '../rig/until.ts';
import { A_MOMENT, happens, webviewOf } from '../rig/workbench.ts';
import { type BelayPage, iconOf } from './belay-page.ts';
import { useSharedPermissiveWindow } from './window.ts';

describe('two windows on one workspace', () => {
  let belay: BelayPage;
  let second: Page | undefined;

  useSharedPermissiveWindow((page) => {
    belay = page;
  });

  afterEach(async () => {
    await second?.close();
    second = undefined;
  });

  /** The document of the panel in the second window. */
  const panel = async (selector = '.composer'): Promise<Frame> => {
    assert.ok(second !== undefined);
    return webviewOf(second, selector);
  };

  it('the second watches the first live, may not send, and takes over when the first dies', async () => {
    belay.use((request) =>
      JSON.stringify(request.messages).includes('tool_use')
        ? say('Both windows see the end.')
        : calls(
            call('run_command', { command: 'echo one >> two.txt' }),
            call('run_command', { command: 'echo two >> two.txt; sleep 900', timeout: 900 }, 'two'),
          ),
    );
    await belay.ask('Work for long');
    const lines = async (): Promise<string[]> =>
      (await readFile(path.join(belay.folder, 'two.txt'), 'utf8').catch(() => ''))
        .split('\n')
        .filter(Boolean);
    await belay.until('the second command is at work', async () => (await lines()).includes('two'));
    const [first] = belay.workbench.server.extensionHosts();
    assert.ok(first !== undefined);

    const page = await belay.page.context().newPage();
    second = page;
    page.setDefaultTimeout(PATIENCE);
    await page.goto(belay.workbench.address, { timeout: PATIENCE });
    // The view of the last time comes back late, and a click on the icon of one that is shown hides it.
    const title = page.locator('.sidebar .composite.title', { hasText: /belay/iu });
    await belay.until('the view is in sight', async () => {
      if (await happens(() => title.waitFor({ timeout: A_MOMENT }))) return true;
      await happens(() => iconOf(page).click({ timeout: A_MOMENT }));
      return false;
    });
    const here = await panel();
    // A new window begins where this workspace was left, or with a new session.
    await here.locator('.row, .empty').first().waitFor();
    if ((await here.locator('.empty').count()) > 0) {
      await here.locator('.title-button').click();
      await here.getByText('A day in the mountains').click();
    }
    const watching = (await panel('.run-status.is-elsewhere')).locator('.run-status.is-elsewhere');
    assert.match((await watching.textContent()) ?? '', /At work in another window/u);
    await here.getByText('Work for long').first().waitFor();
    await here.locator('.tool', { hasText: 'echo two' }).waitFor();
    await here.getByRole('textbox', { name: 'Message to Belay' }).fill('Me too');
    assert.equal(await here.getByRole('button', { name: /^Send/u }).isDisabled(), true);

    process.kill(first, 'SIGKILL');
    const card = (await panel('.handoff')).getByRole('region', { name: 'Interrupted run' });
    assert.match((await card.textContent()) ?? '', /not known[^]*echo two/u);
    await card.getByLabel('It happened').check();
    await card.getByRole('button', { name: /^Resume/u }).click();
    await (await panel()).getByText('Both windows see the end.').first().waitFor();
    assert.deepEqual(await lines(), ['one', 'two']);
    assert.equal(
      await (await panel()).getByRole('textbox', { name: 'Message to Belay' }).inputValue(),
      'Me too',
      'what was typed is kept',
    );
    await belay.shows('Both windows see the end.');
  });
});
