import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { say } from '../support/model-server/turn.ts';
import { KEY } from './belay-page.ts';
import type { BelayPage } from './belay-page.ts';
import { useOwnWindow } from './window.ts';

/** Files below a folder whose bytes contain a text. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    if ((await readFile(file)).includes(text)) found.push(path.relative(folder, file));
  }
  return found;
}

describe('the API key', () => {
  let belay: BelayPage;

  useOwnWindow(
    { key: 'none', server: { apiKey: KEY }, settings: { 'belay.log.level': 'debug' } },
    (page) => {
      belay = page;
    },
  );

  it('goes from a password box into the request’s header, and nowhere else', async () => {
    await (await belay.panel()).getByRole('button', { name: 'Set API Key' }).click();
    const box = belay.page.locator('.quick-input-widget input');
    await box.waitFor();
    assert.equal(await box.getAttribute('type'), 'password');
    await box.fill('sk-ant with blanks');
    await belay.page.getByText('The key has blanks inside').waitFor();
    await box.fill(KEY);
    await box.press('Enter');
    await box.waitFor({ state: 'hidden' });
    await belay.page.getByText('is kept in the secret storage').first().waitFor();

    belay.use(() => say('The key fits.'));
    await belay.ask('Hello');
    await belay.shows('The key fits.');
    assert.equal(belay.server.requests.at(-1)?.headers['x-api-key'], KEY);

    const panel = await belay.panel();
    assert.equal((await panel.content()).includes(KEY), false);
    assert.deepEqual(await filesWith(belay.workbench.server.data, KEY), []);
    assert.deepEqual(await filesWith(belay.folder, KEY), []);

    await belay.idle();
    await belay.newSession();
    await belay.workbench.runCommand('Belay: Remove API Key…');
    await panel.getByRole('button', { name: 'Set API Key' }).first().waitFor();

    // The address had a key: nothing goes there without one.
    await panel.locator('.limits').getByText('is gone').waitFor();
    const sent = belay.server.all.length;
    await belay.ask('Hello again');
    await belay.shows('nothing was sent there without it');
    assert.equal(belay.server.all.length, sent);
    await belay.newSession();
    await panel.locator('.limits').getByRole('button', { name: 'Use Without a Key' }).click();
    await panel.locator('.limits').waitFor({ state: 'detached' });
  });

  it('a window that has lost its key by a reload says so at the next request, and sends nothing', async () => {
    const panel = await belay.panel();
    await belay.workbench.runCommand('Belay: Set API Key…');
    const box = belay.page.locator('.quick-input-widget input[type=password]');
    await box.waitFor();
    await box.fill(KEY);
    await box.press('Enter');
    await box.waitFor({ state: 'hidden' });
    belay.use(() => say('With the key.'));
    await belay.ask('Hello');
    await belay.shows('With the key.');
    await belay.idle();
    await panel.locator('.limits').waitFor({ state: 'detached' });

    // VS Code in a browser keeps secrets in the page's memory where its server has no store for them.
    await belay.reload();
    await (await belay.panel()).locator('.limits').getByText('is gone').waitFor();
    const sent = belay.server.all.length;
    await belay.ask('Hello again');
    await belay.shows('nothing was sent there without it');
    assert.equal(belay.server.all.length, sent);
    await belay.newSession();
    const limits = (await belay.panel()).locator('.limits');
    await limits.getByRole('button', { name: 'Use Without a Key' }).click();
    await limits.waitFor({ state: 'detached' });
  });

  it('no key: the empty panel explains and offers a key or the demo, which works without', async () => {
    const before = belay.server.all.length;
    const panel = await belay.panel();
    await panel.getByRole('button', { name: 'Set API Key' }).waitFor();
    await panel.getByRole('button', { name: /demo/i }).first().click();
    await belay.ask('Take the tour');
    await belay.shows(/That was the tour/u);
    await belay.idle();
    assert.equal(belay.server.all.length, before, 'the demo asks nobody');
    assert.match(await panel.locator('.conversation').innerText(), /demo/i);
  });
});
