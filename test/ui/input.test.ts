import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { say } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { useOwnWindow } from './window.ts';

const everything = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
);

describe('mentions and commands in the input', () => {
  let belay: BelayPage;

  useOwnWindow(
    {
      settings: {
        'belay.mcp.servers': {
          everything: { command: process.execPath, args: [everything, 'stdio'] },
        },
      },
    },
    (page) => {
      belay = page;
    },
  );

  it('a file, a resource and a prompt of an MCP server reach the model, by keyboard alone', async () => {
    belay.use(() => say('All seen.'));
    const panel = await belay.panel();
    const input = panel.locator('.composer textarea');
    const rows = panel.locator('.suggestion');
    const chips = panel.locator('.composer .chip');
    await input.click();

    // The server is started beside the window: its prompts are there when it is ready.
    await belay.until('the prompts of the server are offered', async () => {
      await input.fill('');
      await input.pressSequentially('/args');
      await panel.locator('.composer-bar').waitFor();
      return (await rows.filter({ hasText: '/everything:args-prompt' }).count()) > 0;
    });
    await input.press('Enter');
    await rows.filter({ hasText: 'Required' }).waitFor();
    await input.press('Enter');
    await input.pressSequentially('Paris ');
    await rows.filter({ hasText: 'city = Paris' }).waitFor();
    await input.press('Enter');
    await panel.locator('.composer-hint', { hasText: 'the MCP server “everything”' }).waitFor();
    assert.match(await input.inputValue(), /Paris/u);
    assert.equal(belay.turns.length, 0, 'it is shown before it is sent');

    await input.press('End');
    await input.pressSequentially(' @pace');
    await rows.filter({ hasText: 'src/pace.ts' }).first().waitFor();
    await input.press('Enter');
    await chips.filter({ hasText: /pace\.ts.*tokens/u }).waitFor();
    await input.pressSequentially('@architecture');
    await rows.filter({ hasText: 'everything:' }).first().waitFor();
    await input.press('Enter');
    await chips.filter({ hasText: 'everything:' }).waitFor();
    await chips.filter({ hasText: 'pace.ts' }).locator('.chip-face').press('Enter');
    await belay.page.locator('.tab.active', { hasText: 'pace.ts' }).waitFor();

    await input.press('Enter');
    await belay.shows('All seen.');
    const sent = JSON.stringify(belay.turns.at(-1)?.messages);
    assert.match(sent, /Paris/u);
    assert.match(sent, /mentions @pace\.ts\.[^"]*Naismith/u);
    assert.match(sent, /mentions @everything:architecture[^"]*Everything Server/u);
    await panel.locator('.request .mentioned', { hasText: 'pace.ts' }).waitFor();
    assert.equal(await chips.count(), 0);
  });
});
