import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { call, calls, fail, inOrder, say } from '../support/model-server/turn.ts';
import { KEY } from './belay-page.ts';
import type { BelayPage } from './belay-page.ts';
import { useOwnWindow, useSharedWindow } from './window.ts';

describe('errors that a person meets (D10)', () => {
  describe('with a key', () => {
    let belay: BelayPage;

    useSharedWindow((page) => {
      belay = page;
    });

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

    it('no network: says which address, keeps the message, and goes on when it is back', async () => {
      const { server } = belay;
      const { port } = server;
      await server.close();
      try {
        await belay.ask('Hello');
        assert.match(await notice(), /127\.0\.0\.1|reach|network|connect/i);
        await belay.shows('Hello');
      } finally {
        await server.listen(port);
      }
      await goesOn();
    });

    it('binary and very large files: the model is told what they are, the session goes on', async () => {
      const { folder } = belay;
      await writeFile(path.join(folder, 'data.bin'), Buffer.from([0, 1, 2, 0, 255, 254, 0, 9]));
      await writeFile(path.join(folder, 'huge.txt'), Buffer.alloc(50 * 1024 * 1024, 'line\n'));
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
  });

  describe('with no folder and a setting with a bad value', () => {
    let belay: BelayPage;

    useOwnWindow({ noFolder: true, settings: { 'belay.loop.maxIterations': 'many' } }, (page) => {
      belay = page;
    });

    it('E7: one warning names the value, and the default is used', async () => {
      const toast = belay.page.locator('.notification-toast', {
        hasText: 'belay.loop.maxIterations is "many"',
      });
      await toast.waitFor();
      assert.equal(await toast.count(), 1);
      belay.use(() => say('Works all the same.'));
      await belay.ask('Hello');
      await belay.shows('Works all the same.');
    });

    it('no folder is open: chats, and says what is missing for more', async () => {
      belay.use(inOrder(calls(call('list_files', { path: '.' })), say('There is no folder.')));
      await belay.ask('What is here?');
      await belay.shows('There is no folder.');
      assert.match(JSON.stringify(belay.turns.at(-1)?.messages.at(-1)), /no folder/i);
    });
  });
});
