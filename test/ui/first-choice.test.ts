import assert from 'node:assert/strict';
import path from 'node:path';
import { root } from '../rig/processes.ts';
import { chatSay, startChatServer } from '../support/chat-server/chat-server.ts';
import { BelayPage } from './belay-page.ts';

const models = path.join(root, 'test/fixtures/model-extension');

/** No key, and the public address: the first choice is open. */
const open = { key: 'none', settings: { 'belay.model.baseUrl': '' } } as const;

const chosen = async (belay: BelayPage): Promise<string> =>
  (await (
    await belay.panel()
  )
    .getByRole('button', { name: /^Model: / })
    .getAttribute('aria-label')) ?? '';

const pick = async (belay: BelayPage, name: string): Promise<void> => {
  const panel = await belay.panel();
  await panel.getByRole('button', { name: /^Model: / }).click();
  await panel
    .getByRole('option', { name: new RegExp(name, 'u') })
    .first()
    .click();
  await belay.until(`${name} is chosen`, async () => (await chosen(belay)).includes(name));
};

describe('the first choice without a setting', () => {
  it('a model of VS Code answers in the panel without a key: tools, stop, a break, consent, none', async () => {
    await using belay = await BelayPage.start({ ...open, present: [models] });
    const panel = await belay.panel();
    await belay.shows(/answers: VS Code already has it, and no key is needed/u);
    assert.equal(await chosen(belay), 'Model: Sample Helpful of VS Code');

    await belay.ask('call list_files {"path":"."}');
    await belay.shows(/The tool gave: /u);
    await belay.idle();

    await pick(belay, 'Sample Slow');
    await belay.ask('Count.');
    await belay.shows(/1 2 3/u);
    await panel.locator('.run-status').getByRole('button', { name: /^Stop/u }).first().click();
    await belay.shows(/You stopped this run/u);

    await pick(belay, 'Sample Plain');
    await belay.ask('Hello, plain one');
    await belay.shows(/Sample answer to “.*Hello, plain one.*and 0 tools/su);
    await belay.idle();

    await belay.newSession();
    await pick(belay, 'Sample Guarded');
    await belay.ask('Hello, guarded one');
    const dialog = belay.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    assert.match(
      (await dialog.textContent()) ?? '',
      /Belay.*wants to access the language models/su,
    );
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await belay.shows(/VS Code does not let Belay use Sample Guarded/u);
    await belay.idle();
    assert.equal(await dialog.count(), 0, 'a no is not asked again by itself');
    await belay.ask('Please');
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Allow' }).click();
    await belay.shows(/Sample answer to “.*Please/su);
  });

  it('nothing is there: the demo; a server on this machine is found when the list is opened, and goes', async () => {
    const ollama = await startChatServer({
      script: () => chatSay('From this machine.'),
      strict: false,
      pages: {
        '/api/tags': { models: [{ name: 'qwen:latest' }] },
        '/api/show': { capabilities: ['completion', 'tools'], parameters: 'num_ctx 65536' },
        '/api/ps': { models: [{ name: 'qwen:latest', context_length: 65_536 }] },
      },
    });
    try {
      await using belay = await BelayPage.start({
        ...open,
        settings: {
          ...open.settings,
          'belay.advanced': { modelRetries: 1, modelRetryDelaySeconds: 0.01 },
        },
        env: { BELAY_LOCAL_SERVERS: JSON.stringify({ ollama: ollama.origin }) },
      });
      await belay.shows(/answers: Ollama runs on this machine, and no key is needed/u);
      assert.equal(await chosen(belay), 'Model: qwen:latest of Ollama on this machine');
      await belay.ask('Hello');
      await belay.shows('From this machine.');
      await belay.idle();
      await ollama.close();
      await belay.ask('Still there?');
      await belay.shows(/Ollama \(http:\/\/127\.0\.0\.1:\d+\/v1\) cannot be reached/u);
      await pick(belay, 'Demo model');
      await belay.newSession();
      assert.match(await chosen(belay), /Demo model/u);
    } finally {
      await ollama.close().catch(() => undefined);
    }
  });
});
