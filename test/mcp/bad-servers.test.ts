import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/domain/data/json.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { GuardedServer } from './support/guarded-server.ts';
import { wicked } from './support/harness.ts';
import { Story } from './support/story.ts';
import { WebServer } from './support/web-server.ts';

/** What a bad server does to a turn, and what stands of it where the person looks. */
interface Case {
  readonly title: string;
  /** Its definition; beside it runs a good one. */
  readonly server: JsonObject | (() => Promise<JsonObject>);
  /** The model calls it so, where it is offered. */
  readonly call?: readonly [tool: string, input: JsonObject];
  /** What the model is told of that call. */
  readonly told?: RegExp;
  /** The server's words in the Control Center. */
  readonly state: RegExp;
}

const SIGN_IN = 'a sign-in with the wrong `iss`';
const READY = /^connected, \d+ tools$/u;
const fields = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, { type: 'string' }]));
const form = (properties: JsonObject): JsonObject => ({
  message: 'All of it',
  requestedSchema: { type: 'object', properties },
});

describe('MCP: with a bad server the turn goes on, and there is one clear state', function () {
  this.timeout(60_000);
  const listeners: { close(): Promise<unknown> }[] = [];
  /** All of them beside one good server, in one run. */
  let story: Story;
  const results = new Map<string, string>();

  const listening = async (server: {
    listen(): Promise<string>;
    close(): Promise<unknown>;
  }): Promise<JsonObject> => {
    listeners.push(server);
    return { url: await server.listen() };
  };
  const guarded = async (): Promise<JsonObject> => {
    const server = new GuardedServer();
    server.fault = 'wrong iss';
    return listening(server);
  };

  const cases: readonly Case[] = [
    {
      title: 'it never answers',
      server: wicked('silent'),
      state: /^It did not answer within 30 s\.$/u,
    },
    {
      title: 'a call is never answered',
      server: { ...wicked('good'), timeout: 1 },
      call: ['hang', {}],
      told: /was stopped after 1 s, its limit/u,
      state: READY,
    },
    {
      title: 'it dies in the middle of a call',
      server: wicked('good'),
      call: ['crash', {}],
      told: /ended during the call: .*exit code 7: out of cheese/u,
      state: /^The process ended with exit code 7: out of cheese|^connect/u,
    },
    {
      title: 'it floods notifications',
      server: wicked('flood'),
      state: /^It sent more messages than anybody can use and was ended\.$/u,
    },
    {
      title: 'a result of 200 MB',
      server: wicked('good'),
      call: ['huge', { size: 200 * 2 ** 20 }],
      told: /larger than 16 MB/u,
      state: READY,
    },
    {
      title: 'an answer that is no JSON',
      server: { ...wicked('garbles'), timeout: 1 },
      call: ['garble', {}],
      told: /was stopped after 1 s, its limit/u,
      state: READY,
    },
    { title: 'duplicate names', server: wicked('liar'), call: ['twice', {}], state: READY },
    { title: '500 tools', server: wicked('many'), state: /^connected, 500 tools$/u },
    {
      title: 'it asks for a password, and the person declines',
      server: wicked('asks'),
      call: ['ask', form({ password: { type: 'string' } })],
      told: /decline/u,
      state: READY,
    },
    {
      title: 'a form with 1,000 fields',
      server: wicked('asks'),
      call: ['ask', form(fields(1000))],
      told: /decline/u,
      state: READY,
    },
    {
      title: 'an icon of 50 MB',
      server: wicked('icon', String(50 * 2 ** 20)),
      state: /larger than 16 MB/u,
    },
    {
      title: 'it redirects to another host',
      server: async () =>
        listening(
          new WebServer((_call, _request, response) => {
            response.writeHead(307, { location: 'http://localhost:9/mcp' }).end();
          }),
        ),
      state: /redirect, which is not followed/u,
    },
    {
      title: SIGN_IN,
      server: guarded,
      state: /it comes from "https:\/\/evil\.example"/u,
    },
  ];

  before(async () => {
    const servers: Record<string, JsonObject> = { good: wicked('good') };
    for (const { title, server } of cases)
      servers[title] = typeof server === 'function' ? await server() : server;
    const clock = new FakeClock();
    story = await Story.open(servers, { clock });
    const { hub } = story.harness;
    const listed = hub.tools();
    const started = () => hub.servers().filter(({ state }) => state === 'starting').length === 1;
    await story.harness.until(started, 'all but the silent one');
    await clock.advance(30_000);
    await listed;
    await hub.restart(SIGN_IN);
    const calling = cases.filter((one) => one.call !== undefined);
    const steps = calling.map(({ title, call: [tool, input] = ['', {}] }) => ({
      server: title,
      tool,
      input,
    }));
    const run = await story.run([...steps, { server: 'good', tool: 'echo', input: { go: 'on' } }]);
    for (const [at, { title }] of calling.entries()) results.set(title, run.results[at] ?? '');
    results.set('good', run.results.at(-1) ?? '');
  });
  after(async () => {
    await story[Symbol.asyncDispose]();
    for (const one of listeners) await one.close();
  });

  it('the turn went on to its end, and the good server was ready all the time', () => {
    assert.match(results.get('good') ?? '', /echo: \{.*go.*on/u);
    assert.equal(story.words('good'), 'connected, 11 tools');
  });

  for (const { title, told, state } of cases)
    it(title, () => {
      if (told !== undefined) assert.match(results.get(title) ?? '', told);
      assert.match(story.words(title), state);
    });

  it('the log of one that floods is bounded, and it is not started again', () => {
    const [flood] = cases.filter(({ title }) => title === 'it floods notifications');
    const connection = story.harness.hub.server(flood?.title ?? '');
    assert.ok((connection?.log.lines.length ?? Infinity) <= 1000);
    assert.equal(connection?.status.retryAt, undefined);
  });

  it('tools that change after approval: the yes does not hold for what they are then', async () => {
    await using own = await Story.open({ bad: wicked('good') });
    const { human } = own.test;
    human.decide = async () => ({ keep: 'session' });
    const write = { server: 'bad', tool: 'write', input: { a: 1 } };
    const change = async (): Promise<void> => {
      const now = (): string =>
        own.harness.hub.server('bad')?.offered.find(({ name }) => name === 'write')?.description ??
        '';
      await own.harness.call('change', { tool: 'write' });
      await own.harness.until(() => now() === 'Sends all files.', 'the change is heard');
    };
    const first = await own.run([write, write]);
    assert.equal(human.approvals.length, 1, 'the yes is kept');
    // It changes after the request that offered it; the next request offers it as it is then.
    const second = await own.run([{ ...write, after: change }, write], first.sessionId);
    assert.match(
      second.results[0] ?? '',
      /changed the tool “write” since it was offered.*It was not called/u,
    );
    assert.match(second.results[1] ?? '', /write: /u);
    assert.equal(human.approvals.length, 2, 'it is asked about anew');
    assert.match(own.words('bad'), READY);
  });

  it('a page that a tool needs first: its card closes when the server says that it is done, and the call is made', async () => {
    await using own = await Story.open({ bad: wicked('asks') });
    const { human } = own.test;
    own.openPage = async (url) => {
      assert.equal(url, 'https://example.com/');
      const [pid] = own.harness.processes();
      setTimeout(() => process.kill(pid ?? 0, 'SIGUSR2'), 50);
      return Promise.resolve(true);
    };
    const opened: unknown[] = [];
    human.answer = async ({ request }) => {
      const isOpen = request?.kind === 'page' && request.opened;
      opened.push(isOpen);
      // The person never says that they are done.
      return isOpen ? new Promise(() => undefined) : JSON.stringify({ action: 'accept' });
    };
    const { results } = await own.run([{ server: 'bad', tool: 'page-first', input: {} }]);
    assert.deepEqual(opened, [false, true]);
    assert.match(results[0] ?? '', /paid/u);
  });

  it('tools of two servers whose names would collide are each called as their own', async () => {
    await using own = await Story.open({ 'a b': wicked('good'), a_b: wicked('good') });
    const { results } = await own.run([
      { server: 'a b', tool: 'process', input: {} },
      { server: 'a_b', tool: 'process', input: {} },
    ]);
    const pids = results.map((result) => /pid\W+(\d+)/u.exec(result)?.[1]);
    assert.ok(pids[0] !== undefined && pids[1] !== undefined && pids[0] !== pids[1], pids.join());
  });
});
