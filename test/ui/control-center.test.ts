import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { wicked } from '../mcp/support/harness.ts';
import { call, calls, say } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { inEachTheme, pictures } from './pictures.ts';
import { useOwnWindow } from './window.ts';

describe('the Control Center in its tab', () => {
  let belay: BelayPage;
  const servers = { notes: wicked('good'), spare: wicked('good') };
  const settings = { 'belay.mcp.servers': servers, 'belay.budget': { tokensPerRun: 60_000 } };
  useOwnWindow({ settings }, (page) => {
    belay = page;
  });

  const center = (): Promise<Frame> => belay.workbench.webview('.center-main');
  const hasFocus = (locator: Locator): Promise<unknown> =>
    belay.until('it has the focus', async () =>
      locator.evaluate((one) => one === document.activeElement),
    );
  const tabs = async (): Promise<number> =>
    (await belay.tabs()).filter((title) => title === 'Belay: Control Center').length;

  it('stops and starts a server, switches a tool and a server for good, and is there again after a reload', async () => {
    await belay.workbench.runCommand('Belay: Open Control Center');
    let page = await center();
    await hasFocus(page.getByRole('searchbox'));
    const state = (words: string): Promise<void> =>
      page.locator('[data-row="mcp notes"]').getByText(words, { exact: true }).waitFor();
    await state('Running');
    const stop = page.getByRole('button', { name: 'Stop notes' });
    await stop.focus();
    await stop.press('Enter');
    await state('Stopped');
    const start = page.getByRole('button', { name: 'Start notes' });
    await hasFocus(start);
    await start.press('Enter');
    await state('Running');

    await page.locator('[data-row="mcp notes"] .server-name').press('ArrowRight');
    const tool = page.getByRole('switch', { name: 'Offer echo', exact: true });
    await tool.press('Space');
    await page.getByText('echo off.').waitFor({ state: 'attached' });
    await belay.until('the switch is off', async () => !(await tool.isChecked()));
    await inEachTheme(belay.workbench, async (theme) =>
      belay.page.screenshot({ path: path.join(pictures, `control-center-${theme}.png`) }),
    );

    const spare = (): Locator => page.getByRole('switch', { name: 'Switch spare on' });
    await spare().press('Space');
    const words = (): Locator => page.locator('[data-row="mcp spare"]');
    await words().getByText('You switched it off.').waitFor();

    await belay.reload();
    page = await center();
    await state('Running');
    await words().getByText('You switched it off.').waitFor();
    assert.equal(await spare().isChecked(), false);
    await spare().press('Space');
    await words().getByText('Running', { exact: true }).waitFor();
    const again = page.getByRole('switch', { name: 'Offer echo', exact: true });
    await again.waitFor();
    assert.equal(await again.isChecked(), false);
    await belay.ask('Hello');
    await belay.shows('Hello.');
    await belay.idle();
    const names = belay.turns.at(-1)?.tools?.map(({ name }) => name) ?? [];
    assert.ok(names.includes('mcp__notes__write') && !names.includes('mcp__notes__echo'));
    assert.equal(await tabs(), 1);
  });

  it('a command goes to each section of the one tab; a badge goes to a server that does not run', async () => {
    await belay.workbench.updateSettings({
      'belay.mcp.servers': { ...servers, gone: { command: 'no-such-program-2b7' } },
    });
    const panel = await belay.panel();
    const badge = panel.locator('.header').getByRole('button', { name: /“gone” does not run/u });
    // Not by the pointer: where it was left, VS Code may show a hover over the panel.
    await badge.press('Enter');
    const page = await center();
    await hasFocus(page.locator('[data-row="mcp gone"] .server-name'));
    await page
      .getByText(/no-such-program-2b7.*not found/u)
      .first()
      .waitFor();
    for (const heading of ['Permission rules', 'Tools', 'Models', 'MCP servers']) {
      await belay.showInControlCenter(heading);
      await hasFocus(page.getByRole('heading', { name: heading, exact: true }));
    }
    assert.equal(await tabs(), 1);
  });

  it('A2: a run over its budget pauses, and goes on from its card; the usage is in its section', async () => {
    await belay.newSession();
    belay.forget();
    belay.use((request) =>
      JSON.stringify(request.messages).includes('tool_result')
        ? say('Went on.')
        : { ...calls(call('find_files', { pattern: '*' })), usage: { input_tokens: 55_000 } },
    );
    await belay.ask('Look around');
    const panel = await belay.panel();
    const card = panel.locator('.question', { hasText: 'limit of 60,000 tokens' });
    await card.waitFor();
    assert.equal(belay.turns.length, 1, 'nothing was sent');
    await belay.page.screenshot({ path: path.join(pictures, 'budget-pause.png') });
    await card.getByRole('button', { name: /^Continue \(\+60,000 tokens\)/u }).click();
    await belay.shows('Went on.');
    await belay.idle();
    assert.equal(belay.turns.length, 2);
    await belay.workbench.runCommand('Belay: Open Control Center');
    const usage = (await center()).locator('[data-section="usage"]');
    await usage.getByText('Each run', { exact: true }).waitFor();
    await usage.locator('tbody tr').first().waitFor();
    await usage.getByText(/In the last 30 days: \d+ requests/u).waitFor();
  });

  it('A12: what one session remembers is told in the next, in sight; /memory leads to the note', async () => {
    const fact = 'The integration tests need Postgres on port 5433.';
    await belay.newSession();
    belay.use((request) =>
      JSON.stringify(request.messages).includes('tool_result')
        ? say('Kept.')
        : calls(call('remember', { text: fact })),
    );
    await belay.ask('Remember it');
    await belay.shows('Kept.');
    await belay.idle();
    await belay.newSession();
    belay.use(() => say('As before.'));
    await belay.ask('How do the integration tests reach Postgres?');
    await belay.shows('As before.');
    await belay.idle();
    assert.match(JSON.stringify(belay.turns.at(-1)?.messages), /\[w1\] The integration tests/u);
    const panel = await belay.panel();
    const line = panel.locator('.of-memory');
    await line.getByRole('button', { name: 'Remembered from before' }).press('Enter');
    await line.getByText('port 5433').waitFor();
    await belay.page.screenshot({ path: path.join(pictures, 'remembered.png') });
    const input = await belay.input();
    await input.pressSequentially('/memory');
    await input.press('Enter');
    const memory = (await center()).locator('[data-section="memory"]');
    await memory.getByText(fact).waitFor();
    await memory.getByRole('button', { name: /^Remove: The integration/u }).press('Enter');
    await memory.getByText('Nothing is remembered yet.').waitFor();
    await memory.getByRole('button', { name: 'Undo' }).press('Enter');
    await memory.locator('[data-row="memory w1"]').waitFor();
  });

  it('own commands, skills and a persona of the workspace: used by keyboard, shown with what counts', async () => {
    const files = {
      'AGENTS.md': 'Answer in verse.',
      '.belay/commands/greet.md': '---\ndescription: Greets\n---\nSay hello to $1.',
      '.claude/skills/release/SKILL.md':
        '---\nname: release\ndescription: How to release.\n---\nTag.',
      '.belay/personas/looker.md':
        '---\ndescription: Looks only\nlevel: guest\n---\nLook, and say.',
    };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(belay.folder, name)), { recursive: true });
      await writeFile(path.join(belay.folder, name), text);
    }
    await belay.newSession();
    const panel = await belay.panel();
    const input = await belay.input();
    await input.pressSequentially('/gre');
    await panel.locator('.suggestion', { hasText: '/greet' }).waitFor();
    await input.press('Enter');
    await input.pressSequentially('Ann');
    await panel.locator('.suggestion', { hasText: 'Ann' }).waitFor();
    await input.press('Enter');
    await belay.until(
      'the command is filled in',
      async () => (await input.inputValue()) === 'Say hello to Ann.',
    );
    await input.press('Enter');
    await belay.shows('Hello.');
    await belay.idle();
    const first = belay.turns.at(-1);
    assert.match(
      JSON.stringify(first?.system),
      /- release: How to release\.[^]*Answer in verse\./u,
    );
    assert.ok(first?.tools?.some(({ name }) => name === 'read_skill'));

    await belay.workbench.runCommand('Belay: Choose Persona…');
    await belay.page.locator('.quick-input-list').getByText('looker', { exact: true }).waitFor();
    await belay.page.keyboard.type('looker');
    await belay.page.keyboard.press('Enter');
    await panel.locator('[data-picker="persona"]', { hasText: 'looker' }).waitFor();
    await belay.ask('Again');
    await belay.until(
      'it is asked',
      async () => belay.turns.length > 0 && belay.turns.at(-1) !== first,
    );
    await belay.idle();
    const second = belay.turns.at(-1);
    assert.match(JSON.stringify(second?.system), /Look, and say\./u);
    const names = second?.tools?.map(({ name }) => name) ?? [];
    assert.ok(names.includes('read_file') && !names.includes('edit_file'));

    await belay.workbench.runCommand('Belay: Open Control Center');
    const page = await center();
    const row = page.locator('[data-section="customizations"] .tool-line');
    await row.filter({ hasText: 'looker' }).getByText('Looks only').waitFor();
    await row.filter({ hasText: '/greet' }).waitFor();
    await row
      .filter({ hasText: 'AGENTS.md' })
      .getByText(/^in force/u)
      .first()
      .waitFor();
    await belay.page.screenshot({ path: path.join(pictures, 'personas.png') });
  });
});
