import assert from 'node:assert/strict';
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
  });

  describe('with no folder and a setting with a bad value', () => {
    let belay: BelayPage;

    useOwnWindow({ noFolder: true, settings: { 'belay.loop.maxIterations': 'many' } }, (page) => {
      belay = page;
    });

    it('E7: one warning names the value, and the default is used', async () => {
      const words = 'belay.loop.maxIterations is "many"';
      await belay.notification(words);
      const told = belay.page.locator('.notification-list-item', { hasText: words });
      assert.equal(await told.count(), 1);
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
