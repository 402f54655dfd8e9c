import assert from 'node:assert/strict';
import { createDecide } from '../../src/core/permissions/decide.ts';
import { PathGuard } from '../../src/core/permissions/path-guard.ts';
import { RuleBook } from '../../src/core/permissions/rules/rule-book.ts';
import { toolRows } from '../../src/core/tool-call/offered-tools.ts';
import type { Json } from '../../src/domain/data/json.ts';
import { ServerConsent } from '../../src/mcp/config/consent.ts';
import { ServerSwitches } from '../../src/mcp/config/server-switches.ts';
import type { McpTool } from '../../src/mcp/tools/tool-proxy.ts';
import { serversSection } from '../../src/panel/center/servers-section.ts';
import type { ServerRow } from '../../src/protocol/center/view.ts';
import { contextOf, everything, Harness, root, wicked } from './support/harness.ts';
import { MemoryFiles } from '../support/memory-files.ts';

/** The section over real servers, with the rules, the switches and the yeses in memory. */
function open() {
  let rules: readonly unknown[] = [];
  let given: readonly string[] = [];
  let disabled: readonly string[] = [];
  let isYes = false;
  let limit = Infinity;
  const asked: string[] = [];
  const edited: string[] = [];
  const consent = new ServerConsent({
    trusted: () => true,
    given: () => given,
    keep: async (hashes) => void (given = hashes),
    ask: async ({ name }) => {
      asked.push(name);
      return isYes;
    },
  });
  const harness = new Harness({ mayStart: consent.mayStart });
  const { hub } = harness;
  const book = new RuleBook({
    files: new MemoryFiles(),
    userRules: () => rules,
    workspaceRules: () => [],
    writeUserRules: async (next) => void (rules = next),
    mayChange: () => true,
  });
  const tools = (): readonly McpTool[] => hub.knownTools();
  const off = { user: [] as readonly string[], workspace: [] as readonly string[] };
  const switches = new ServerSwitches({
    read: (origin) => off[origin],
    keep: async (origin, names) => void (off[origin] = names),
  });
  const section = serversSection({
    hub,
    rows: async () => toolRows(tools(), { level: 'owner', disabled }),
    rules: book,
    consent,
    switches,
    isSignedIn: async () => false,
    limit: () => limit,
    trusted: () => true,
    roots: () => [root],
    person: {
      add: async () => undefined,
      edit: async ({ name, origin }) => void edited.push(`${origin} ${name}`),
    },
  });
  const row = async (name: string): Promise<ServerRow> => {
    const found = (await section.readServers({})).rows.find((one) => one.name === name);
    assert.ok(found, name);
    return found;
  };
  const none = async (): Promise<undefined> => undefined;
  const decide = createDecide({
    guard: new PathGuard({
      files: { realpath: async (path) => path, stat: none },
      ownFolders: [],
      ignored: { ruleFor: none, ruleForAny: none },
    }),
    mode: () => 'ask',
    level: () => 'owner',
    rules: async (session, roots) => (await book.list(session, roots)).rules,
  });
  return {
    harness,
    section,
    row,
    asked,
    edited,
    rules: (): readonly unknown[] => rules,
    switches,
    off,
    write: (next: readonly Json[]): void => void (rules = next),
    switchOff: (name: string): void => void (disabled = [name]),
    limitTo: (tokens: number): void => void (limit = tokens),
    sayYes: (yes: boolean): void => void (isYes = yes),
    /** What the permissions decide about a call of this tool. */
    verdict: async (serverTool: string): Promise<string> => {
      const tool = tools().find((one) => one.serverTool === serverTool);
      assert.ok(tool);
      const { verdict } = await decide(tool, {
        part: { type: 'tool_call', id: '', name: tool.name, input: {} },
        context: { sessionId: '', roots: [root] },
      });
      return verdict;
    },
  };
}

describe('MCP servers in the Control Center', function () {
  this.timeout(60_000);
  let opened: ReturnType<typeof open>;

  beforeEach(() => {
    opened = open();
  });
  afterEach(async () => opened.harness.hub.dispose());

  it('show state, tools, tokens and the last call, and are stopped and started', async () => {
    const { harness, section, row } = opened;
    harness.configure({ a: wicked('good') });
    assert.deepEqual((await row('a')).actions, ['start', 'edit']);
    assert.deepEqual(harness.processes(), [], 'looking starts nothing');
    await harness.hub.tools();
    const ready = await row('a');
    assert.deepEqual([ready.state, ready.actions], ['ready', ['stop', 'restart', 'edit']]);
    assert.equal(ready.tools.length, 11);
    assert.ok(ready.tokens > 100 && ready.tokens < 2000, String(ready.tokens));
    assert.equal(ready.lastCall, null);
    const before = Date.now();
    await harness.call('echo');
    assert.ok(((await row('a')).lastCall ?? 0) >= before);
    await section.serverAction({ server: 'a', action: 'stop' });
    assert.deepEqual(harness.processes(), []);
    assert.deepEqual((await row('a')).actions, ['start', 'edit']);
    await section.serverAction({ server: 'a', action: 'start' });
    await harness.until(() => harness.state('a') === 'ready', 'started');
    const { lines } = await section.readServerLog({ server: 'a', after: -1 });
    assert.ok(lines.some(({ text }) => text === 'Calls “echo”.'));
    await assert.rejects(
      section.serverAction({ server: 'b', action: 'stop' }),
      /no MCP server “b”/u,
    );
  });

  it('is switched off for good where it is defined, and on again', async () => {
    const { harness, section, row, switches, off } = opened;
    const follow = (origin: 'user' | 'workspace'): void =>
      harness.hub.reconfigure([{ origin, servers: { a: wicked('good') } }, switches.source()]);
    switches.onChange(() => follow('user'));
    follow('user');
    await harness.hub.tools();
    assert.equal((await row('a')).on, true);
    await section.serverAction({ server: 'a', action: 'switch_off' });
    assert.deepEqual(off, { user: ['a'], workspace: [] });
    const { state, on, said, actions } = await row('a');
    assert.deepEqual(
      [state, on, said, actions],
      ['disabled', false, 'You switched it off.', ['edit']],
    );
    assert.deepEqual(await harness.hub.tools(), []);
    // As after a restart: what is kept counts, also for a definition that was changed, and restarts change nothing.
    harness.configure({});
    follow('user');
    await harness.hub.restart('a');
    assert.equal(harness.state('a'), 'disabled');
    await section.serverAction({ server: 'a', action: 'switch_on' });
    assert.deepEqual(off, { user: [], workspace: [] });
    await harness.hub.connect('a');
    assert.equal(harness.state('a'), 'ready');
    follow('workspace');
    await section.serverAction({ server: 'a', action: 'switch_off' });
    assert.deepEqual(off, { user: [], workspace: ['a'] });
    // What the settings switch off is not switched here.
    await section.serverAction({ server: 'a', action: 'switch_on' });
    harness.hub.reconfigure([
      { origin: 'user', servers: { a: { ...wicked('good'), enabled: false } } },
    ]);
    assert.equal((await row('a')).on, null);
  });

  it('show the log as it comes: a reading waits for the next line', async () => {
    const { harness, section } = opened;
    harness.configure({ a: wicked('good') });
    await harness.hub.tools();
    const { last } = await section.readServerLog({ server: 'a', after: -1 });
    const waiting = section.readServerLog({ server: 'a', after: last });
    await harness
      .call('hang', {}, contextOf({ signal: AbortSignal.timeout(500) }))
      .catch(() => undefined);
    const { lines, last: next } = await waiting;
    assert.match(lines.map(({ text }) => text).join(), /Calls “hang”\..*hanging/u);
    assert.equal(next, last + lines.length);
  });

  it('say why one does not run, with what can be done; what cannot start is only edited', async () => {
    const { harness, section, row, edited } = opened;
    harness.configure({ gone: { command: 'no-such-program-2b7' }, odd: { args: ['x'] } });
    await harness.hub.tools();
    const gone = await row('gone');
    assert.equal(gone.state, 'failed');
    assert.match(gone.said, /no-such-program-2b7.*not found/u);
    assert.equal(gone.actions[0], 'restart');
    const odd = await row('odd');
    assert.match(odd.said, /command/u);
    assert.deepEqual(odd.actions, ['edit']);
    await section.serverAction({ server: 'odd', action: 'edit' });
    assert.deepEqual(edited, ['user odd']);
  });

  it('security 2: one of the workspace waits for a yes, which can be taken back', async () => {
    const { harness, section, row, asked, sayYes } = opened;
    harness.configure({ theirs: wicked('good') }, 'workspace');
    await harness.hub.tools();
    assert.deepEqual((await row('theirs')).actions, ['trust', 'edit']);
    assert.equal((await row('theirs')).source, 'this workspace');
    sayYes(true);
    await section.serverAction({ server: 'theirs', action: 'trust' });
    await harness.until(() => harness.state('theirs') === 'ready', 'allowed');
    assert.deepEqual((await row('theirs')).actions, ['stop', 'restart', 'untrust', 'edit']);
    sayYes(false);
    await section.serverAction({ server: 'theirs', action: 'untrust' });
    assert.deepEqual(harness.processes(), []);
    assert.deepEqual((await row('theirs')).actions, ['trust', 'edit']);
    await section.serverAction({ server: 'theirs', action: 'start' });
    await harness.until(() => asked.length === 3, 'asked again');
    await harness.until(() => harness.state('theirs') === 'stopped', 'still stopped');
    assert.deepEqual(harness.processes(), []);
  });

  it('a tool gets a rule of its own, which decides; a yes is for the tool as it is now', async () => {
    const { harness, section, row, rules, write, verdict } = opened;
    harness.configure({ a: wicked('good') });
    await harness.hub.tools();
    const echo = async () => (await row('a')).tools.find(({ title }) => title === 'echo');
    const { name = '' } = (await echo()) ?? {};
    for (const [effect, decided] of [
      ['allow', 'allow'],
      ['deny', 'refuse'],
      ['ask', 'ask'],
      ['allow', 'allow'],
      [null, 'ask'],
    ] as const) {
      await section.approveTool({ tool: name, effect });
      assert.equal((await echo())?.approval, effect);
      assert.equal(await verdict('echo'), decided);
      assert.equal(rules().length, effect === null ? 0 : 1, 'a new rule replaces the old one');
    }
    await section.approveTool({ tool: name, effect: 'allow' });
    const [rule] = rules() as readonly [Record<string, Json>];
    assert.deepEqual(
      { ...rule, hash: typeof rule['hash'] },
      { effect: 'allow', server: 'a', serverTool: 'echo', hash: 'string', in: root },
    );
    write([{ ...rule, off: true }]);
    assert.equal((await echo())?.approval, null);
    await section.approveTool({ tool: name, effect: 'allow' });
    assert.equal(await verdict('echo'), 'allow', 'a rule that was off is on again');
    write([{ ...rule, hash: 'of what it was' }]);
    assert.equal(await verdict('echo'), 'ask');
    assert.deepEqual([(await echo())?.approval], [null]);
    assert.match((await echo())?.decidedBy ?? '', /before/u);
    write([{ effect: 'deny', server: 'a' }]);
    assert.match((await echo())?.decidedBy ?? '', /^Deny all tools of the MCP server a \(/u);
    await assert.rejects(
      section.approveTool({ tool: 'mcp__a__none', effect: 'allow' }),
      /no tool/u,
    );
  });

  it('a tool that is off costs nothing, and says so', async () => {
    const { harness, section, row, switchOff, limitTo } = opened;
    harness.configure({ a: wicked('good') });
    await harness.hub.tools();
    const { tokens, tools } = await row('a');
    const [first] = tools;
    limitTo(tokens - 1);
    assert.equal((await section.readServers({})).deferred, true);
    switchOff(first?.name ?? '');
    assert.equal((await section.readServers({})).deferred, false);
    const later = await row('a');
    assert.equal(later.tools[0]?.on, false);
    assert.equal(later.tokens, tokens - (first?.tokens ?? 0));
  });

  it('list resources and prompts of a real server, and none of one that does not run', async () => {
    const { harness, section } = opened;
    harness.configure({
      all: { command: process.execPath, args: [everything] },
      off: wicked('good'),
    });
    await section.serverAction({ server: 'all', action: 'start' });
    await harness.until(() => harness.state('all') === 'ready', 'started');
    const { resources, prompts } = await section.readServer({ server: 'all' });
    assert.ok((resources?.total ?? 0) > 0 && (prompts?.total ?? 0) > 0);
    assert.ok(prompts?.rows.every(({ name }) => name !== ''));
    const off = await section.readServer({ server: 'off' });
    assert.deepEqual([off.resources, off.prompts], [undefined, undefined]);
    assert.equal(harness.state('off'), 'stopped');
  });

  it('of icons only a small picture within the definition is drawn, nothing is loaded', async () => {
    const { harness, row } = opened;
    harness.configure({ a: wicked('icon', '10'), plain: wicked('good') });
    await harness.hub.tools();
    assert.equal((await row('a')).icon, 'data:image/png;base64,iVBORw0KGgoAAAAA');
    assert.equal((await row('plain')).icon, null);
  });

  it('500 tools with long words are shown, within bounds', async () => {
    const { harness, row } = opened;
    harness.configure({ many: wicked('many') });
    await harness.hub.tools();
    const { tools } = await row('many');
    assert.equal(tools.length, 500);
    assert.ok(JSON.stringify(tools).length < 300_000);
  });
});
