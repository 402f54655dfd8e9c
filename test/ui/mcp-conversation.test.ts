import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { appServer, everything } from '../mcp/support/harness.ts';
import type { JsonObject } from '../../src/domain/data/json.ts';
import { call, calls, say } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { inEachTheme, pictures } from './pictures.ts';
import { useOwnWindow } from './window.ts';

/** Requests that the app managed to send. */
const leaked: string[] = [];
let leaks: Server;
const settings: Record<string, unknown> = {};

before(async () => {
  leaks = createServer((request, response) => {
    leaked.push(request.url ?? '');
    response.end('leaked');
  });
  leaks.listen(0, '127.0.0.1');
  await once(leaks, 'listening');
  const address = `http://127.0.0.1:${(leaks.address() as AddressInfo).port}`;
  settings['belay.mcp.servers'] = {
    everything: { command: process.execPath, args: [everything, 'stdio'] },
    apps: { command: process.execPath, args: [appServer, address] },
  };
  settings['belay.permissions.rules'] = [
    { effect: 'allow', server: 'everything' },
    { effect: 'allow', server: 'apps', serverTool: 'show' },
  ];
});
after(() => leaks.close());

describe('MCP servers in the conversation, in a real VS Code', () => {
  let belay: BelayPage;

  useOwnWindow({ settings }, (page) => {
    belay = page;
  });

  /** Waits until a run has this tool: servers are started beside the window. */
  async function offered(tool: string): Promise<void> {
    await belay.until(`${tool} is offered`, async () => {
      if (JSON.stringify(belay.turns.at(-1)?.tools ?? []).includes(`__${tool}"`)) return true;
      belay.use(() => say('Looked.'));
      await belay.newSession();
      await belay.ask('Look');
      await belay.shows('Looked.');
      await belay.idle();
      return false;
    });
  }

  /** A new session in which the model calls this tool; its card. */
  async function use(tool: string, input: JsonObject = {}): Promise<Locator> {
    await offered(tool);
    await belay.newSession();
    belay.use(({ messages, tools }) => {
      if (JSON.stringify(messages).includes('tool_result')) return say('That is all.');
      const name = (tools ?? []).map((one) => one.name).find((one) => one.endsWith(`__${tool}`));
      return name === undefined ? say(`There is no ${tool} yet.`) : calls(call(name, input));
    });
    await belay.ask('Go');
    const card = (await belay.panel()).locator('.tool').last();
    await card.waitFor();
    return card;
  }

  const done = async (card: Locator): Promise<void> => {
    await belay.shows('That is all.');
    await belay.idle();
    assert.match((await card.getAttribute('class')) ?? '', /is-done/u);
  };
  const result = async (card: Locator): Promise<string> => {
    await card.locator('.tool-fold').click();
    const text = card.locator('.loadable pre').first();
    await text.waitFor();
    return (await text.textContent()) ?? '';
  };
  const picture = async (name: string): Promise<void> =>
    inEachTheme(belay.workbench, async (theme) =>
      belay.page.screenshot({ path: path.join(pictures, `${name}-${theme}.png`) }),
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
    await rows.filter({ hasText: 'Name of the city' }).waitFor();
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
    // The editor takes the focus when it is there.
    await belay.page.locator('.monaco-editor.focused').waitFor();
    await input.click();
    await belay.until('the input has the focus', async () =>
      input.evaluate((one) => one === document.activeElement && document.hasFocus()),
    );

    await input.press('Enter');
    await belay.shows('All seen.');
    const sent = JSON.stringify(belay.turns.at(-1)?.messages);
    assert.match(sent, /Paris/u);
    assert.match(sent, /mentions @pace\.ts\.[^"]*Naismith/u);
    assert.match(sent, /mentions @everything:architecture[^"]*Everything Server/u);
    await panel.locator('.request .mentioned', { hasText: 'pace.ts' }).waitFor();
    assert.equal(await chips.count(), 0);
  });

  it('a form is filled in on its card, and the server gets the answer', async () => {
    const card = await use('trigger-elicitation-request');
    const form = card.locator('.is-server');
    await form.waitFor();
    await picture('mcp-form');
    const name = form.getByRole('textbox').first();
    await name.fill('Ada Lovelace');
    for (const select of await form.locator('select[aria-required="true"]').all())
      await select.selectOption({ index: 1 });
    await form.locator('[data-answer="accept"]:enabled').click();
    await form.waitFor({ state: 'detached' });
    await done(card);
    assert.match(await result(card), /Ada Lovelace/u);
  });

  it('sampling shows the whole prompt and the model, and is answered with a yes', async () => {
    const card = await use('trigger-sampling-request', { prompt: 'Say it in short words' });
    const approval = await belay.approval();
    assert.match((await approval.textContent()) ?? '', /Say it in short words/u);
    assert.match((await approval.textContent()) ?? '', /answers, with at most 100 tokens\./u);
    await belay.sayYes(approval);
    await done(card);
    assert.match(await result(card), /A day in the mountains/u);
  });

  it('progress stands on the card while it runs, and an image afterwards', async () => {
    const running = await use('trigger-long-running-operation', { duration: 3, steps: 3 });
    await running.getByText(/of 3/u).waitFor();
    await running.locator('progress').waitFor();
    await done(running);
    const card = await use('get-tiny-image');
    await done(card);
    const image = card.locator('.media img');
    await image.waitFor();
    assert.ok((await image.evaluate((one: HTMLImageElement) => one.naturalWidth)) > 0);
    await picture('mcp-image');
  });

  it('resources of a result open as documents for reading', async () => {
    const card = await use('get-resource-links', { count: 2 });
    await done(card);
    await card.locator('.resources button').first().click();
    await belay.until('a document is open', async () => (await belay.tabs()).length > 0);
    await belay.page.locator('.monaco-editor .view-line').first().waitFor();
    await belay.page.keyboard.type('x');
    await belay.page
      .getByText(/read-only/iu)
      .first()
      .waitFor();
  });

  it('an app that navigates away reaches nothing either', async () => {
    const card = await use('show', { city: 'Rome' });
    await done(card);
    await card.getByRole('button', { name: 'Open App' }).click();
    const app = await belay.workbench.webview('#ready:text("ready")');
    await app.locator('#leave').click();
    await belay.workbench.webview('#note:text("it left its page")');
    assert.deepEqual(leaked, []);
    // VS Code has its keys again.
    await belay.closeEditors();
  });

  it('an app opens with a click in a tab of its own, reaches nothing, and calls its server with a yes', async () => {
    const card = await use('show', { city: 'Chicago' });
    await done(card);
    assert.equal(leaked.length, 0);
    await card.getByRole('button', { name: 'Open App' }).click();
    const app: Frame = await belay.workbench.webview('#ready:text("ready")');
    const text = async (id: string): Promise<string> =>
      (await app.locator(`#${id}`).textContent()) ?? '';
    await app.locator('#result', { hasText: 'clouds over Chicago' }).waitFor();
    assert.equal(await text('input'), 'Chicago');
    assert.equal(await text('theme'), 'dark');
    assert.equal(await text('panel'), 'blocked: SecurityError');
    assert.equal(await text('top'), 'blocked: SecurityError');
    assert.equal(await text('storage'), 'blocked: SecurityError');
    assert.equal(await text('api'), 'undefined');
    assert.equal(await text('fetch'), 'blocked');
    await picture('mcp-app');
    await app.locator('#more').click();
    const approval = await belay.approval(/./u);
    assert.match((await approval.textContent()) ?? '', /Oslo/u);
    await belay.sayYes(approval);
    await app.locator('#more', { hasText: 'clouds over Oslo' }).waitFor();
    await app.locator('#flood').click();
    await belay.workbench.webview('#note:text("The app was stopped")');
    assert.deepEqual(leaked, []);
  });
});
