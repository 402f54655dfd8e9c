import assert from 'node:assert/strict';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { chatSay, startChatServer } from '../support/chat-server/chat-server.ts';
import type { ChatServer } from '../support/chat-server/chat-server.ts';
import type { BelayPage } from './belay-page.ts';
import { inEachTheme, pictures } from './pictures.ts';
import { useOwnWindow } from './window.ts';

const KEY = 'box-key-5d1f0c9a2b';

describe('providers of models', () => {
  let belay: BelayPage;
  let box: ChatServer;

  before(async () => {
    box = await startChatServer({
      apiKey: KEY,
      script: () => chatSay('From the box.'),
      strict: false,
      pages: {
        '/v1/models': { data: [{ id: 'small-1', context_length: 64_000 }, { id: 'large-2' }] },
      },
    });
  });
  after(async () => box.close());
  useOwnWindow({ key: 'none' }, (page) => {
    belay = page;
  });

  const quick = () => belay.page.locator('.quick-input-widget');
  const title = (text: string) => quick().locator('.quick-input-title', { hasText: text });
  const told = async (text: string | RegExp): Promise<void> =>
    belay.page.locator('.notifications-toasts').getByText(text).first().waitFor();
  /** Writes into the box with this title and presses Enter. */
  const enter = async (where: string, text?: string): Promise<void> => {
    await title(where).waitFor();
    const field = quick().locator('.quick-input-box input, input[type=text]').first();
    if (text !== undefined) await field.fill(text);
    await field.press('Enter');
    await title(where).waitFor({ state: 'hidden' });
  };
  const picture = async (name: string): Promise<void> =>
    inEachTheme(belay.workbench, async (theme) =>
      belay.page.screenshot({ path: path.join(pictures, `${name}-${theme}.png`) }),
    );

  const theirSection = async (): Promise<Frame> => {
    await belay.showInControlCenter('Models');
    return belay.workbench.webview('.center-main');
  };

  async function add(key: string): Promise<void> {
    await belay.workbench.choose('Belay: Add Model Provider…');
    await title('Belay: Add Model Provider').waitFor();
    await picture('provider-presets');
    await enter('Belay: Add Model Provider', 'Other (Chat');
    await enter('Belay: Address of Other', box.url);
    await enter('Belay: Name of the Provider', 'box');
    // The same title for how it is given, and for the key itself.
    await quick().locator('.monaco-list-row', { hasText: 'Type a key…' }).waitFor();
    await belay.page.keyboard.press('Enter');
    const field = quick().locator('input[type=password]');
    await field.fill(key);
    await field.press('Enter');
    await field.waitFor({ state: 'hidden' });
  }

  /** The window that has the provider; one after a failure has not. */
  let has: BelayPage | undefined;
  const added = async (): Promise<void> => {
    if (has === belay) return;
    await add(KEY);
    await enter('Belay: Choose Model', 'large-2');
    has = belay;
  };

  it('a key that is refused adds nothing; a good one answers the first message', async () => {
    await add('wrong-key-123');
    await told(/box \(127\.0\.0\.1:\d+\) does not accept the key \(HTTP 401\).*was not added/);
    await picture('provider-refused');
    await add(KEY);
    await told(/accepts the key\. It lists 2 models\. It answers with small-1: tools work/);
    await title('Belay: Choose Model').waitFor();
    await picture('provider-models');
    await enter('Belay: Choose Model', 'large-2');
    has = belay;

    const panel = await belay.panel();
    await panel.getByRole('button', { name: 'Model: large-2 of box' }).waitFor();
    await belay.ask('Hello');
    await belay.shows('From the box.');
    await belay.idle();
    const last = box.requests.at(-1);
    assert.equal(last?.headers.authorization, `Bearer ${KEY}`);
    assert.ok(box.requests.some(({ body }) => body.model === 'large-2'));
    assert.equal(belay.server.all.length, 0, 'nothing went elsewhere');
    assert.equal((await panel.content()).includes(KEY), false);
  });

  it('the list of models is searched, chosen from and starred by keyboard alone', async () => {
    await added();
    const panel = await belay.panel();
    const picker = panel.getByRole('button', { name: /^Model: / });
    await picker.press('Enter');
    const search = panel.getByRole('combobox', { name: 'Search models' });
    await search.waitFor();
    await search.pressSequentially('small');
    await search.press('Shift+Enter');
    await panel.getByRole('group', { name: 'Favorites' }).getByText('small-1').waitFor();
    await search.press('Enter');
    await panel.getByRole('button', { name: 'Model: small-1 of box' }).waitFor();
    await picker.press('Enter');
    await search.waitFor();
    await picture('model-picker');
    await search.press('Escape');
    await search.waitFor({ state: 'hidden' });
  });

  it('their section of the Control Center shows each, checks it and says why it does not work', async () => {
    await added();
    const row = (await theirSection()).locator('[data-provider="box"]');
    await row.getByRole('button', { name: 'Check' }).click();
    await row.getByText(/answers with small-1: tools work/).waitFor();
    const toast = belay.page.locator('.notifications-toasts').getByText(/answers with small-1/);
    assert.equal(await toast.count(), 0, 'it is said once');
    await picture('providers-page');
    box.use(() => ({
      status: 402,
      body: { error: { message: 'No credit', type: 'billing_error' } },
    }));
    await row.getByRole('button', { name: 'Check' }).click();
    await row.getByText(/its account has no credit or quota left \(HTTP 402\)/).waitFor();
    await picture('providers-page-failed');
    box.use(() => chatSay('From the box.'));
  });

  it('a message is sent again with another model: chosen, asked about, answered', async () => {
    await added();
    await belay.newSession();
    box.use(({ model }) => chatSay(`I am ${model}.`));
    await belay.ask('Who are you?');
    await belay.shows(/I am (?:small-1|large-2)\./);
    await belay.idle();
    const first = box.requests.at(-1)?.body.model;
    const other = first === 'small-1' ? 'large-2' : 'small-1';
    const panel = await belay.panel();
    const row = panel.locator('.request', { hasText: 'Who are you?' });
    await row.locator('.message-actions').focus();
    await belay.page.keyboard.press('Enter');
    await row.getByText('Send Again with Another Model…').click();
    await enter('Belay: Send Again with Another Model', other);
    const dialog = belay.page.locator('.monaco-dialog-box');
    await dialog.getByText(`The message is sent again, to box/${other}.`).waitFor();
    await dialog.getByRole('button', { name: 'Send Again' }).click();
    await belay.shows(`I am ${other}.`);
    await belay.idle();
    assert.equal((await panel.content()).includes(`I am ${first}.`), false);
    await panel.getByRole('button', { name: `Model: ${other} of box` }).waitFor();
    box.use(() => chatSay('From the box.'));
  });

  it('edited, each box is filled in with what holds, and all is kept at once', async () => {
    await added();
    const row = (await theirSection()).locator('[data-provider="box"]');
    await row.getByRole('button', { name: /^Edit/ }).click();
    const value = async (step: string): Promise<string> => {
      await title(step).waitFor();
      return quick().locator('input').first().inputValue();
    };
    assert.equal(await value('(1 of 4)'), 'box');
    await picture('provider-edit');
    await enter('(1 of 4)', 'My Box');
    assert.equal(await value('(2 of 4)'), box.url);
    await enter('(2 of 4)');
    await title('(3 of 4)').waitFor();
    await quick().locator('.monaco-list-row', { hasText: 'Chat Completions' }).waitFor();
    await belay.page.keyboard.press('Enter');
    assert.equal(await value('(4 of 4)'), 'small-1, large-2');
    await enter('(4 of 4)');
    await row.getByText('My Box').first().waitFor();
    await row
      .getByText(/^My Box \(.*answers|accepts the key/)
      .first()
      .waitFor();
  });

  it('removed, it is gone with its key', async () => {
    await added();
    const row = (await theirSection()).locator('[data-provider="box"]');
    await row.getByRole('button', { name: /^Remove the key of/ }).click();
    await row.getByRole('button', { name: 'Set Key' }).waitFor();
    await row.getByText('wants a key').waitFor();
    await row.getByRole('button', { name: /^Remove (?!the key)/ }).click();
    await belay.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'hidden' });
    has = undefined;
  });
});
