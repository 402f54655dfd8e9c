import assert from 'node:assert/strict';
import { call, calls, say } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { useSharedWindow } from './window.ts';

describe('the list of all tools', () => {
  let belay: BelayPage;

  useSharedWindow((page) => {
    belay = page;
  });

  const names = (): string[] => (belay.turns.at(-1)?.tools ?? []).map(({ name }) => name);

  it('E11: shows every tool with its module and state, and switches them for the next run', async () => {
    belay.use(() => say('Hello.'));
    await belay.ask('One');
    await belay.shows('Hello.');
    assert.ok(names().includes('run_command'));

    await belay.workbench.choose('Belay: Show Tools');
    const page = await belay.workbench.webview('[data-row="tools run_command"]');
    const row = page.locator('[data-row="tools run_command"]');
    assert.match(await row.innerText(), /run_command\s+acts/u);
    const module = page.locator('.tool-module', { has: row });
    const own = row.getByRole('switch');
    await own.press('Space');
    // It moves at once; this is said when the setting is written.
    await page.getByText('run_command off.').waitFor({ state: 'attached' });
    await belay.until('it is off', async () => !(await own.isChecked()));
    await belay.ask('Two');
    await belay.until('the second run has begun', () => belay.turns.length === 2);
    assert.equal(names().includes('run_command'), false);
    assert.ok(names().includes('read_file'));
    await belay.idle();

    await module.getByRole('button', { name: 'All On' }).click();
    await page.getByText('run_command on.').waitFor({ state: 'attached' });
    await belay.until('it is on', async () => own.isChecked());
    belay.use((request) =>
      JSON.stringify(request.messages).includes('"id":"step"')
        ? say('Planned.')
        : calls(
            call(
              'use_tool',
              { tool: 'todo', input: { items: [{ text: 'Climb', status: 'active' }] } },
              'step',
            ),
          ),
    );
    await belay.ask('Three');
    await belay.shows('Planned.');
    assert.ok(names().includes('run_command'));
    await belay.shows('Climb');
    const sent = JSON.stringify(belay.turns.at(-1)?.messages);
    assert.match(sent, /"name":"use_tool","input":\{"tool":"todo"/u);
  });
});
