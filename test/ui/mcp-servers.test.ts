import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import type { JsonObject } from '../../src/domain/data/json.ts';
import { type EverythingServer, startEverything } from '../mcp/support/everything-server.ts';
import { GuardedServer } from '../mcp/support/guarded-server.ts';
import { everything, filesystem, memory, playwright } from '../mcp/support/harness.ts';
import { findBrowser } from '../rig/browser.ts';
import { call, calls, say } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { inEachTheme, pictures } from './pictures.ts';
import { useOwnWindow } from './window.ts';

/** Ids of living processes with these words in their command line (Linux only; elsewhere none are seen). */
const running = (...words: readonly string[]): readonly number[] =>
  process.platform === 'linux'
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/u.test(name))
        .map(Number)
        .filter((pid) => {
          try {
            const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
            return words.every((word) => line.includes(word));
          } catch {
            return false; // it has ended meanwhile
          }
        })
    : [];

describe('MCP servers', () => {
  let belay: BelayPage;
  let guarded: GuardedServer;
  let signIn: string;
  const remote: EverythingServer[] = [];

  before(async () => {
    guarded = new GuardedServer();
    signIn = await guarded.listen();
    remote.push(await startEverything('http'), await startEverything('sse'));
  });
  after(async () => {
    await guarded.close();
    for (const server of remote) await server.stop();
  });
  useOwnWindow({ settings: { 'workbench.editor.useModal': 'off' } }, (page) => {
    belay = page;
  });

  const node = (...args: string[]): JsonObject => ({ command: process.execPath, args });
  const connect = async (servers: Readonly<Record<string, unknown>>): Promise<void> =>
    belay.workbench.updateSettings({ 'belay.mcp.servers': servers });
  const quick = () => belay.page.locator('.quick-input-widget');
  const row = (text: string | RegExp) =>
    quick().locator('.monaco-list-row', { hasText: text }).first();
  const picture = async (name: string): Promise<void> =>
    inEachTheme(belay.workbench, async (theme) =>
      belay.page.screenshot({ path: path.join(pictures, `${name}-${theme}.png`) }),
    );

  /** Waits until a server's tools are offered to the model, or are not any more. */
  async function offered(tool: string, wanted = true): Promise<void> {
    await belay.until(`${tool} is ${wanted ? '' : 'not '}offered`, async () => {
      belay.use(() => say('Looked.'));
      await belay.newSession();
      await belay.ask('Look');
      await belay.shows('Looked.');
      await belay.idle();
      return JSON.stringify(belay.turns.at(-1)?.tools ?? []).includes(tool) === wanted;
    });
  }

  /** Lets the model call a tool of a server; the person says yes on its card. Resolves with the result. */
  async function approved(tool: string, input: JsonObject): Promise<string> {
    await belay.newSession();
    belay.use((request) =>
      JSON.stringify(request.messages).includes('"call-it"')
        ? say('Called.')
        : calls(call(tool, input, 'call-it')),
    );
    await belay.ask('Call it');
    await belay.sayYes(await belay.approval());
    await belay.shows('Called.');
    await belay.idle();
    return JSON.stringify(belay.turns.at(-1)?.messages.at(-1));
  }

  const servers = (notes: string): Readonly<Record<string, JsonObject>> => ({
    every: node(everything, 'stdio'),
    files: node(filesystem, belay.folder),
    notes: { ...node(memory), env: { MEMORY_FILE_PATH: path.join(belay.folder, notes) } },
    http: { type: 'http', url: remote[0]?.url ?? '' },
    sse: { type: 'sse', url: remote[1]?.url ?? '' },
  });
  /** The Control Center, which shows a server. */
  const center = async (server: string): Promise<Frame> => {
    await belay.showInControlCenter('MCP servers');
    return belay.workbench.webview(`li[data-server="${server}"]`);
  };

  it('are connected by editing the settings; an edit leaves the others alone; a fault names its key', async () => {
    await connect({ ...servers('notes.json'), bad: { url: 'ftp://example.com' } });
    await offered('mcp__sse__echo');
    await (
      await center('bad')
    )
      .getByText(/belay\.mcp\.servers → bad → url/u)
      .first()
      .waitFor();
    await picture('mcp-fault');
    const before = { every: running(everything, 'stdio'), notes: running(memory) };
    await connect(servers('other.json'));
    await belay.until('the changed one runs anew', () => {
      const now = running(memory);
      return process.platform !== 'linux' || (now.length > 0 && now[0] !== before.notes[0]);
    });
    assert.deepEqual(running(everything, 'stdio'), before.every);
  });

  it('work in the conversation after a yes: server-everything over stdio, HTTP and SSE, files and memory', async () => {
    await connect(servers('other.json'));
    await offered('mcp__sse__echo');
    for (const server of ['every', 'http', 'sse'])
      assert.match(
        await approved(`mcp__${server}__echo`, { message: `to ${server}` }),
        new RegExp(`Echo: to ${server}`, 'u'),
      );
    assert.match(
      await approved('mcp__files__list_directory', { path: belay.folder }),
      /\[FILE\] package\.json/u,
    );
    await approved('mcp__notes__create_entities', {
      entities: [{ name: 'Ada', entityType: 'person', observations: ['counts'] }],
    });
    assert.match(await approved('mcp__notes__search_nodes', { query: 'Ada' }), /counts/u);
  });

  it('@playwright/mcp drives a browser after a yes', async () => {
    const browser = findBrowser();
    assert.ok(browser);
    const flags = ['--headless', '--isolated', '--no-sandbox', '--executable-path', browser];
    await connect({ web: node(playwright, ...flags) });
    await offered('mcp__web__browser_navigate');
    const page = new URL('/.well-known/oauth-authorization-server', signIn).href;
    assert.match(
      await approved('mcp__web__browser_navigate', { url: page }),
      /oauth-authorization/u,
    );
    await picture('mcp-playwright');
    await connect({});
    await offered('mcp__web__browser_navigate', false);
  });

  it('of `.mcp.json` start only after a yes of their own, and go with the file', async () => {
    const file = path.join(belay.folder, '.mcp.json');
    const local = { mcpServers: { local: node(everything, 'stdio') } };
    await writeFile(file, JSON.stringify(local));
    await belay.notification('This workspace defines the MCP server “local”');
    assert.deepEqual(running(everything, 'stdio'), []);
    await belay.press('Review…', 'This workspace defines');
    const dialog = belay.page.locator('.monaco-dialog-box');
    await dialog.getByText('server-everything').first().waitFor();
    await picture('mcp-consent');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await offered('mcp__local__echo');
    await writeFile(file, '{}');
    await offered('mcp__local__echo', false);
  });

  it('are added from what another client has: shown whole, secrets kept apart, connected', async () => {
    const { page, workbench } = belay;
    const pasted = {
      mcpServers: { pasted: { ...node(everything, 'stdio'), env: { API_KEY: 'sk-1234567890ab' } } },
    };
    await workbench.choose('Belay: Add MCP Server…');
    await row('Address').waitFor();
    await picture('mcp-add');
    await row('Configuration of another client').click();
    const field = quick().locator('.quick-input-box input').first();
    await field.fill(JSON.stringify(pasted));
    await field.press('Enter');
    await row("Keep in VS Code's secret storage").click();
    await row('Add to your settings').waitFor();
    await page.locator('.monaco-editor', { hasText: 'Nothing has been written' }).first().waitFor();
    await picture('mcp-shown-whole');
    assert.deepEqual(running(everything, 'stdio'), []);
    await row('Add to your settings').click();
    await belay.notification(/“pasted” is connected, \d+ tools/u);
    await picture('mcp-connected');
    // VS Code writes where the setting has a value already: the person's file, or that of the machine.
    const written = ['User', 'Machine'].map((where) =>
      readFileSync(path.join(workbench.server.data, 'data', where, 'settings.json'), 'utf8'),
    );
    assert.match(written.join('\n'), /\$\{input:API_KEY\}/u);
    assert.ok(!written.join('\n').includes('sk-1234567890ab'));
    await offered('mcp__pasted__echo');
    assert.match(await approved('mcp__pasted__get-env', {}), /API_KEY/u);
  });

  it('of an install link are shown and asked about, and odd links are refused', async () => {
    const { page } = belay;
    const follow = async (query: string): Promise<void> => {
      await belay.workbench.choose('Developer: Open URL');
      const field = quick().locator('.quick-input-box input').first();
      const address = `code-oss://belay.belay/mcp/install?${query}`;
      await field.fill(address);
      await field.press('Enter');
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.getByRole('button', { name: 'Open' }).click();
    };
    await follow(
      `name=odd&config=${encodeURIComponent('{"command":"a","env":{"K":"${env:HOME}"}}')}`,
    );
    await belay.notification('The link was not followed');
    await follow(`name=linked&config=${encodeURIComponent(JSON.stringify(node(memory)))}`);
    await row('Do not add').waitFor();
    await picture('mcp-link');
    assert.deepEqual(running(memory), []);
    await row('Do not add').click();
    await quick().waitFor({ state: 'hidden' });
    assert.deepEqual(running(memory), []);
  });

  it('that want a sign-in get one in the browser, once; a new start keeps it, a sign-out forgets it', async () => {
    const { page, workbench } = belay;
    await connect({ guarded: { url: signIn } });
    await (
      await center('guarded')
    )
      .getByText(/asks you to sign in/u)
      .first()
      .waitFor();
    await picture('mcp-sign-in');
    // This VS Code opens addresses of its machine through a proxy that is no part of it; desktop VS Code as they are.
    await page.context().route(/\/proxy\/\d+\//u, async (route) => {
      const [, port, rest] = /\/proxy\/(\d+)(\/.*)$/u.exec(route.request().url()) ?? [];
      await route.fulfill({
        status: 302,
        headers: { location: `http://127.0.0.1:${port}${rest}` },
      });
    });
    const opened = page.context().waitForEvent('page');
    await workbench.choose('Belay: Restart MCP Servers');
    await belay.press('Sign In', 'wants you to sign in at 127.0.0.1');
    const browsed = await opened;
    await browsed.getByText('You can close this page').waitFor();
    await browsed.close();
    assert.match(await approved('mcp__guarded__open', {}), /it is open/u);
    const before = guarded.seen.filter((one) => one.endsWith('/authorize')).length;
    await belay.closeEditors();
    // The browser's VS Code forgets its secrets with its window: a new extension host finds what is kept.
    await belay.crashHost();
    await offered('mcp__guarded__open');
    assert.equal(guarded.seen.filter((one) => one.endsWith('/authorize')).length, before);
    const shown = await center('guarded');
    await picture('mcp-signed-in');
    await shown.getByRole('button', { name: 'Sign Out guarded' }).click();
    guarded.token = 'another';
    await offered('mcp__guarded__open', false);
  });
});
