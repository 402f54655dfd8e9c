import assert from 'node:assert/strict';
import path from 'node:path';
import { call, calls, say } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { pictures } from './pictures.ts';
import { useSharedWindow } from './window.ts';

describe('the view of all tools', () => {
  let belay: BelayPage;

  useSharedWindow((page) => {
    belay = page;
  });

  const names = (): string[] => (belay.turns.at(-1)?.tools ?? []).map(({ name }) => name);
  const row = (label: string) => belay.page.getByRole('treeitem', { name: label }).first();

  it('E11: shows every tool with its module and state, and switches them for the next run', async () => {
    belay.use(() => say('Hello.'));
    await belay.ask('One');
    await belay.shows('Hello.');
    assert.ok(names().includes('run_command'));

    await belay.workbench.runCommand('Belay: Show Tools');
    await row('terminal').waitFor();

    await row('run_command').waitFor();
    assert.match((await row('run_command').textContent()) ?? '', /acts/u);
    await belay.page.screenshot({ path: path.join(pictures, 'tools-view-dark.png') });
    await row('run_command').getByRole('checkbox').click();
    await belay.until('it is switched off', async () =>
      /switched off/u.test((await row('run_command').textContent()) ?? ''),
    );
    await belay.ask('Two');
    await belay.until('the second run has begun', () => belay.turns.length === 2);
    assert.equal(names().includes('run_command'), false);
    assert.ok(names().includes('read_file'));

    await row('run_command').getByRole('checkbox').click();
    await belay.until('it is on again', async () =>
      /acts/u.test((await row('run_command').textContent()) ?? ''),
    );
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
    await hide();
  });

  const hide = async (): Promise<void> => {
    await belay.page.getByRole('button', { name: 'Hide Tools' }).first().click();
    await row('terminal').waitFor({ state: 'detached' });
  };

  it('gives the conversation its height back when it is closed', async () => {
    const height = async (): Promise<number> =>
      (await belay.panel()).evaluate(() => window.innerHeight);
    const before = await height();
    await belay.workbench.runCommand('Belay: Show Tools');
    await row('terminal').waitFor();
    assert.ok((await height()) < before);
    await hide();
    await belay.until('the height is back', async () => (await height()) === before);
  });
});
