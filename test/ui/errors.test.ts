import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { call, calls, fail, inOrder, say } from '../support/model-server/turn.ts';
import { BelayPage, KEY } from './belay-page.ts';

/** An address on this machine where nobody listens. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** Waits are short here; their length is tested elsewhere. */
const impatient = { 'belay.model.retryBase': 0.01, 'belay.model.retryAttempts': 2 };

describe('errors that a person meets (D10)', () => {
  describe('with a key', () => {
    let belay: BelayPage;

    before(async () => {
      belay = await BelayPage.start({ settings: impatient });
    });
    after(() => belay[Symbol.asyncDispose]());
    beforeEach(() => belay.newSession());

    const notice = async (): Promise<string> => {
      const found = (await belay.panel()).locator('.notice').first();
      await found.waitFor();
      return found.innerText();
    };

    const goesOn = async (): Promise<void> => {
      belay.use(() => say('Here I am.'));
      await belay.ask('Once more');
      await belay.shows('Here I am.');
    };

    it('a wrong key (401): says so, offers to set one, and the session goes on', async () => {
      belay.use(() => fail(401, 'authentication_error', 'invalid x-api-key'));
      await belay.ask('Hello');
      const text = await notice();
      assert.match(text, /key/i);
      assert.match(text, /Set API Key/);
      assert.equal(text.includes(KEY), false);
      await goesOn();
    });

    it('an unknown model (404): names it and offers to choose another', async () => {
      belay.use(() => fail(404, 'not_found_error', 'model: claude-sonnet-5-5'));
      await belay.ask('Hello');
      const text = await notice();
      assert.match(text, /claude-sonnet-5-5/);
      assert.match(text, /Choose Model/);
      await goesOn();
    });

    it('a server that fails again and again: tried again first, then Continue is offered', async () => {
      belay.use(() => fail(529, 'overloaded_error', 'Overloaded'));
      const before = belay.turns.length;
      await belay.ask('Hello');
      const text = await notice();
      assert.match(text, /overload/i);
      assert.equal(belay.turns.length - before, 3);
      belay.use(() => say('Back again.'));
      await (await belay.panel()).getByRole('button', { name: 'Continue' }).first().click();
      await belay.shows('Back again.');
    });
  });

  it('no network: says which address, keeps the message, and goes on when it is back', async () => {
    const address = await deadAddress();
    await using belay = await BelayPage.start({
      settings: { ...impatient, 'belay.model.baseUrl': address },
    });
    await belay.ask('Hello');
    const found = (await belay.panel()).locator('.notice').first();
    await found.waitFor();
    assert.match(await found.innerText(), /127\.0\.0\.1|reach|network|connect/i);
    await belay.shows('Hello');
  });

  it('no key: the empty panel explains and offers a key or the demo, which works without', async () => {
    await using belay = await BelayPage.start({ key: 'none' });
    const panel = await belay.panel();
    await panel.getByRole('button', { name: 'Set API Key' }).waitFor();
    await panel.getByRole('button', { name: /demo/i }).first().click();
    await belay.ask('explain this workspace');
    await belay.shows(/Day hike|day-hike|route/i);
    await belay.idle();
    assert.equal(belay.server.all.length, 0, 'the demo asks nobody');
    assert.match(await panel.locator('.conversation').innerText(), /demo/i);
  });

  it('no folder is open: chats, and says what is missing for more', async () => {
    await using belay = await BelayPage.start({ noFolder: true });
    belay.use(inOrder(calls(call('list_files', { path: '.' })), say('There is no folder.')));
    await belay.ask('What is here?');
    await belay.shows('There is no folder.');
    assert.match(JSON.stringify(belay.turns.at(-1)?.messages.at(-1)), /no folder/i);
  });

  it('binary and very large files: the model is told what they are, the session goes on', async () => {
    await using belay = await BelayPage.start({
      prepare: async (folder) => {
        await writeFile(path.join(folder, 'data.bin'), Buffer.from([0, 1, 2, 0, 255, 254, 0, 9]));
        await writeFile(path.join(folder, 'huge.txt'), Buffer.alloc(50 * 1024 * 1024, 'line\n'));
      },
    });
    belay.use(
      inOrder(
        calls(call('read_file', { path: 'data.bin' }), call('read_file', { path: 'huge.txt' })),
        say('Both looked at.'),
      ),
    );
    await belay.ask('Read both');
    await belay.shows('Both looked at.');
    const results = JSON.stringify(belay.turns.at(-1)?.messages.at(-1));
    assert.match(results, /binary/i);
    assert.ok(results.length < 200_000, `${results.length} characters went to the model`);
    belay.use(() => say('Still here.'));
    await belay.ask('And now?');
    await belay.shows('Still here.');
  });

  it('E7: a setting with a bad value: one warning that names it, and the default is used', async () => {
    await using belay = await BelayPage.start({
      settings: { 'belay.loop.maxIterations': 'many' },
    });
    const toast = belay.page.locator('.notification-toast', {
      hasText: 'belay.loop.maxIterations is "many"',
    });
    await toast.waitFor();
    assert.equal(await toast.count(), 1);
    belay.use(() => say('Works all the same.'));
    await belay.ask('Hello');
    await belay.shows('Works all the same.');
  });
});
