import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import { LocalPages } from '../support/web/local-pages.ts';
import type { BelayPage } from './belay-page.ts';
import { useSharedWindow } from './window.ts';

describe('attachments, web search and follow-ups in the panel', () => {
  let belay: BelayPage;

  useSharedWindow((page) => {
    belay = page;
  });

  const quick = () => belay.page.locator('.quick-input-widget');

  it('A6: a file that the dialog picks goes along, and the model reads a part of it', async () => {
    const lines = Array.from({ length: 3000 }, (_, at) => `row ${at}, of the attached table`);
    const file = path.join(belay.folder, 'table.txt');
    await writeFile(file, lines.join('\n'));
    belay.use((request) => {
      const all = JSON.stringify(request.messages);
      const id = /table\.txt \(id (?<id>[\w-]+)/u.exec(all)?.groups?.['id'] ?? '';
      return all.includes('tool_result')
        ? say('It is row 2000.')
        : calls(call('read_attachment', { file_id: id, start_line: 2001, end_line: 2002 }));
    });
    const panel = await belay.panel();
    await panel.getByRole('button', { name: 'Attach files' }).click();
    const box = quick().locator('input[type=text]').first();
    const chip = panel.locator('.chip', { hasText: 'table.txt' });
    // The dialog takes no word while it lists its first folder.
    await belay.until('it is attached', async () => {
      if ((await box.count()) > 0) {
        await box.fill(file, { timeout: 1000 }).catch(() => undefined);
        await box.press('Enter', { timeout: 1000 }).catch(() => undefined);
      }
      return chip.waitFor({ timeout: 2000 }).then(
        () => true,
        () => false,
      );
    });
    assert.equal(await chip.count(), 1);
    await belay.ask('What is in it?');
    await belay.shows('It is row 2000.');
    const got = JSON.stringify(belay.turns.at(-1)?.messages);
    assert.match(got, /row 2000, of the attached table/u);
    await rm(file);
  });

  it('A17: a search is asked for, its words are shown, and its hits can be opened', async () => {
    const hit = { title: 'Knots', url: 'https://knots.example/figure-eight', content: 'A knot' };
    await using server = await LocalPages.open((_, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ results: [hit] })),
    );
    await belay.workbench.runCommand('Belay: Set Up Web Search…');
    await quick().getByText('SearXNG').click();
    // The box for the address is another one than that of the list.
    await quick().locator('.quick-input-title', { hasText: '(SearXNG)' }).waitFor();
    const address = quick().locator('input[type=text]').first();
    await address.fill('knots');
    await quick().getByText('This is no address of a web server.').waitFor();
    await address.fill(server.at('/'));
    await address.press('Enter');
    await belay.notification('Agents can search the web with SearXNG');
    belay.use((request) =>
      JSON.stringify(request.messages).includes('tool_result')
        ? say('Look at [Knots](https://knots.example/figure-eight).')
        : calls(call('web_search', { query: 'figure eight knot' })),
    );
    await belay.ask('Look it up');
    await belay.allow('A knot');
    await belay.shows(/Look at/u);
    const panel = await belay.panel();
    await panel.locator('a', { hasText: 'Knots' }).first().waitFor();
    assert.match(server.seen[0]?.url ?? '', /figure(?:\+|%20)eight/u);
    assert.match(JSON.stringify(belay.turns.at(-1)?.messages), /A knot/u);
  });

  it('A15: a follow-up that the model schedules is above the input, is edited and cancelled there', async () => {
    belay.use(
      inOrder(
        calls(call('schedule_followup', { prompt: 'Look whether CI is green', delay_minutes: 90 })),
        say('I come back to it.'),
      ),
    );
    await belay.ask('Come back to it later');
    await belay.allow('CI is green');
    await belay.shows('I come back to it.');
    const panel = await belay.panel();
    const waiting = panel.locator('.follow-ups');
    await waiting.getByRole('button', { name: '1 follow-up' }).click();
    await waiting.locator('.queued-text', { hasText: 'Look whether CI is green' }).click();
    await waiting.getByRole('textbox', { name: 'Prompt of the follow-up' }).fill('Look again');
    await waiting.getByRole('button', { name: 'Save' }).click();
    await waiting.locator('.queued-text', { hasText: 'Look again' }).waitFor();
    await belay.reload();
    const later = (await belay.panel()).locator('.follow-ups');
    await later.getByRole('button', { name: '1 follow-up' }).click();
    await later.locator('.queued-text', { hasText: 'Look again' }).waitFor();
    await later.getByRole('button', { name: 'Cancel this follow-up' }).click();
    await later.waitFor({ state: 'detached' });
  });
});
