import assert from 'node:assert/strict';
import path from 'node:path';
import { call, calls, say } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { pictures } from './pictures.ts';
import { useSharedWindow } from './window.ts';

describe('the list of all tools', () => {
  let belay: BelayPage;

  useSharedWindow((page) => {
    belay = page;
  });

  const names = (): string[] => (belay.turns.at(-1)?.tools ?? []).map(({ name }) => name);
  const row = (label: string) =>
    belay.page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first();
  const filter = () => belay.page.locator('.quick-input-widget input[type=text]');
  const closed = () => belay.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });

  async function open(tool: string): Promise<void> {
    await belay.workbench.choose('Belay: Show Tools…');
    await belay.page.locator('.quick-input-title', { hasText: 'Belay: Tools' }).waitFor();
    await filter().fill(tool);
    await row(tool).waitFor();
  }

  /** Switches a tool, or leaves it, and presses OK. */
  async function toggle(tool: string): Promise<void> {
    await open(tool);
    await row(tool).click();
    await belay.page.keyboard.press('Enter');
    await closed();
  }

  it('E11: shows every tool with its module and state, and switches them for the next run', async () => {
    belay.use(() => say('Hello.'));
    await belay.ask('One');
    await belay.shows('Hello.');
    assert.ok(names().includes('run_command'));

    await open('run_command');
    assert.match((await row('run_command').textContent()) ?? '', /on · acts/u);
    await filter().fill('');
    await row('read_file').waitFor();
    const separators = belay.page.locator('.quick-input-list-separator:visible');
    assert.match((await separators.allTextContents()).join(), /: \d+ of \d+ on/u);
    await belay.page.screenshot({ path: path.join(pictures, 'tools-list-dark.png') });
    await belay.page.keyboard.press('Escape');
    await closed();
    await toggle('run_command');
    await belay.ask('Two');
    await belay.until('the second run has begun', () => belay.turns.length === 2);
    assert.equal(names().includes('run_command'), false);
    assert.ok(names().includes('read_file'));
    await belay.idle();

    await open('run_command');
    assert.match((await row('run_command').textContent()) ?? '', /run_command\s*off/u);
    await belay.page.getByRole('button', { name: 'Reset: choose all tools' }).click();
    await filter().focus();
    await belay.page.keyboard.press('Enter');
    await closed();
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

  it('takes nothing of the conversation; Escape changes nothing and gives the editor its focus back', async () => {
    const height = async (): Promise<number> =>
      (await belay.panel()).evaluate(() => window.innerHeight);
    const inEditor = (): Promise<boolean> =>
      belay.page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null);
    await belay.workbench.choose('File: New Untitled Text File');
    await belay.page.locator('.editor-instance .monaco-editor').first().waitFor();
    await belay.until('the editor has the focus', inEditor);
    const before = await height();
    await open('run_command');
    assert.equal(await height(), before);
    await row('run_command').click();
    await belay.page.keyboard.press('Escape');
    await closed();
    await belay.until('the editor has the focus again', inEditor);
    belay.use(() => say('Hello.'));
    await belay.ask('One');
    await belay.shows('Hello.');
    assert.ok(names().includes('run_command'), 'nothing was switched');
  });
});
