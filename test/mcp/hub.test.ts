import { inEnglish } from '../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FakeClock } from '../support/fake-clock.ts';
import type { ServerDefinition } from '../../src/mcp/config/config.ts';
import { contextOf, Harness, root, saidOf, textOf, wicked } from './support/harness.ts';

const idOf = async (harness: Harness, server?: string): Promise<number> => {
  const tool = await harness.tool('process', server);
  const { pid } = JSON.parse(textOf(await tool.run({}, contextOf()))) as { pid: number };
  return pid;
};

describe('MCP: the hub', function () {
  this.timeout(30_000);
  let harness: Harness;

  beforeEach(() => {
    harness = new Harness();
  });
  afterEach(async () => {
    await harness.hub.dispose();
    assert.deepEqual(harness.processes(), []);
  });

  it('E11: starts nothing before tools are asked for', async () => {
    harness.configure({ a: wicked('good') });
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
    assert.equal(harness.state('a'), 'stopped');
    assert.deepEqual(harness.processes(), []);
    await harness.hub.tools();
    assert.equal(harness.state('a'), 'ready');
  });

  it('E11: a server whose definition cannot be used offers nothing and says why', async () => {
    harness.configure({ a: { command: 'x', env: { TOKEN: '${env:BELAY_TEST_NOT_SET}' } } });
    assert.deepEqual(await harness.hub.tools(), []);
    const [view] = harness.hub.servers();
    assert.equal(view?.state, 'failed');
    assert.match(saidOf(view), /“a” has a `env.TOKEN` that uses \$\{env:BELAY_TEST_NOT_SET\}/);
    assert.deepEqual(view.problems.map(inEnglish), [saidOf(view)]);
  });

  it('a disabled server is not started', async () => {
    harness.configure({ a: { ...wicked('good'), enabled: false }, b: wicked('good') });
    const tools = await harness.hub.tools();
    assert.ok(tools.length > 0 && tools.every((tool) => tool.server === 'b'));
    assert.equal(harness.state('a'), 'disabled');
  });

  it('a slow server holds up one list only; its tools are in a later one, in their place', async () => {
    const clock = new FakeClock();
    const own = new Harness({ clock, patienceMs: 5000 });
    const folder = await mkdtemp(path.join(tmpdir(), 'belay-mcp-'));
    const gate = path.join(folder, 'open');
    try {
      own.configure({ quick: wicked('good'), 'a-slow': wicked('gate', gate) });
      const listing = own.hub.tools();
      await own.until(() => own.state('quick') === 'ready', 'quick is ready');
      await clock.advance(5000);
      const first = await listing;
      assert.deepEqual(new Set(first.map((tool) => tool.server)), new Set(['quick']));
      assert.equal(own.state('a-slow'), 'starting');
      assert.equal((await own.hub.tools()).length, first.length, 'the second list does not wait');
      await writeFile(gate, '');
      await own.until(() => own.state('a-slow') === 'ready', 'ready');
      const names = (await own.hub.tools()).map((tool) => tool.name);
      assert.deepEqual(names, names.toSorted());
      assert.deepEqual(
        names.slice(11),
        first.map((tool) => tool.name),
      );
    } finally {
      await own.hub.dispose();
      await rm(folder, { recursive: true });
    }
  });

  it('a run waits for a server that is still starting, also where the start of the window has waited for it', async () => {
    const clock = new FakeClock();
    const own = new Harness({ clock, patienceMs: 5000 });
    const folder = await mkdtemp(path.join(tmpdir(), 'belay-mcp-'));
    const gate = path.join(folder, 'open');
    try {
      own.configure({ slow: wicked('gate', gate) });
      const window = own.hub.tools();
      await clock.advance(5000);
      assert.deepEqual(await window, []);
      assert.deepEqual(own.hub.startingServers(), ['slow']);
      const run = own.hub.tools('start');
      await writeFile(gate, '');
      assert.equal((await run).length, 11);
      assert.deepEqual(own.hub.startingServers(), []);
    } finally {
      await own.hub.dispose();
      await rm(folder, { recursive: true });
    }
  });

  it('a change of tools that a server has just announced is in the next list', async () => {
    harness.configure({ a: wicked('good') });
    await harness.call('change');
    const names = (await harness.hub.tools()).map(({ serverTool }) => serverTool);
    assert.ok(names.includes('extra'), names.join());
  });

  it('two servers with the same tools, and names that look alike, get tools with different names', async () => {
    harness.configure({
      'my server': wicked('good'),
      my_server: wicked('good'),
      'my/server': wicked('good'),
    });
    const tools = await harness.hub.tools();
    assert.equal(tools.length, 33);
    assert.equal(new Set(tools.map((tool) => tool.name)).size, 33);
    for (const server of ['my server', 'my_server', 'my/server']) {
      const echo = tools.find((tool) => tool.server === server && tool.serverTool === 'echo');
      assert.ok(echo);
    }
    assert.ok(
      tools.some((tool) => tool.name === 'mcp__my_server__echo' && tool.server === 'my_server'),
    );
  });

  it('a change of the settings ends and starts only what changed', async () => {
    harness.configure({ same: wicked('good'), other: wicked('good'), gone: wicked('good') });
    const same = await idOf(harness, 'same');
    const other = await idOf(harness, 'other');
    harness.configure({ same: wicked('good'), other: wicked('chatty'), fresh: wicked('good') });
    await harness.until(
      () => harness.state('fresh') === 'ready' && harness.state('other') === 'ready',
      'ready',
    );
    assert.equal(await idOf(harness, 'same'), same);
    assert.notEqual(await idOf(harness, 'other'), other);
    assert.deepEqual(
      harness.hub.servers().map(({ name }) => name),
      ['fresh', 'other', 'same'],
    );
    await harness.until(() => harness.processes().length === 3, 'the others have ended');
  });

  it('a tool of a server that has gone fails with a sentence', async () => {
    harness.configure({ a: wicked('good') });
    const tool = await harness.tool('echo');
    harness.configure({});
    await assert.rejects(tool.run({}, contextOf()), {
      code: 'config',
      message: /“a” is not available/,
    });
  });

  it('restart gives a new process, stop ends it until then', async () => {
    harness.configure({ a: wicked('good') });
    const first = await idOf(harness);
    await harness.hub.restart('a');
    const second = await idOf(harness);
    assert.notEqual(second, first);
    await harness.hub.stop('a');
    assert.equal(harness.state('a'), 'stopped');
    assert.deepEqual(await harness.hub.tools(), []);
    assert.deepEqual(harness.processes(), []);
    await harness.hub.restart('a');
    assert.equal(harness.state('a'), 'ready');
    await harness.hub.restart('no such server');
  });

  it('listeners hear of every state, and one that throws harms nobody', async () => {
    harness.configure({ a: wicked('good') });
    const states: (string | undefined)[] = [];
    harness.hub.onChange(() => {
      throw new Error('on purpose');
    });
    const listening = harness.hub.onChange(() => states.push(harness.state('a')));
    await harness.hub.tools();
    assert.deepEqual(states, ['starting', 'ready']);
    listening.dispose();
    await harness.hub.stop('a');
    assert.equal(states.length, 2);
  });

  it('dispose while a server is starting leaves nothing', async () => {
    harness.configure({ a: wicked('silent') });
    const tools = harness.hub.tools();
    await harness.until(
      () => harness.processes().length > 0 || process.platform !== 'linux',
      'started',
    );
    await harness.hub.dispose();
    assert.deepEqual(await tools, []);
    assert.deepEqual(harness.processes(), []);
    assert.deepEqual(await harness.hub.tools(), []);
  });

  it('tools that the definition keeps out are offered to nobody; the others are', async () => {
    const harness = new Harness();
    harness.configure({
      some: { ...wicked('good'), tools: ['echo', 'crash', 'gone'], excludeTools: ['crash'] },
      all: { ...wicked('good'), tools: ['*'] },
    });
    const names = (await harness.hub.tools()).map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => name.startsWith('mcp__some__')),
      ['mcp__some__echo'],
    );
    assert.equal(names.length, 12);
    assert.equal(harness.hub.appTool('some', 'crash'), undefined);
    await harness.hub.dispose();
  });

  describe('a server that the workspace defines', () => {
    let asked: ServerDefinition[];
    let reply: (allowed: boolean) => void;
    let own: Harness;

    beforeEach(() => {
      asked = [];
      own = new Harness({
        patienceMs: 100,
        mayStart: (server) => {
          asked.push(server);
          return new Promise((resolve) => {
            reply = resolve;
          });
        },
      });
    });
    afterEach(() => own.hub.dispose());

    it('rule 5: waits for the yes to its definition, and holds nothing up meanwhile', async () => {
      own.configure({ a: wicked('good') }, 'workspace');
      assert.deepEqual(await own.hub.tools(), []);
      assert.equal(own.state('a'), 'stopped');
      assert.match(own.reason('a'), /waits for your yes/);
      assert.deepEqual(own.processes(), []);
      assert.match(asked[0]?.hash ?? '', /^[0-9a-f]{64}$/);
      reply(true);
      await own.until(() => own.state('a') === 'ready', 'ready');
      assert.equal((await own.hub.tools()).length, 11);
      assert.equal(asked.length, 1);
    });

    it('rule 5: stays stopped after a no, and is asked about again only when it is restarted', async () => {
      own.configure({ a: wicked('good') }, 'workspace');
      await own.hub.tools();
      reply(false);
      await own.until(() => /not allowed to start/.test(own.reason('a')), 'refused');
      assert.deepEqual(await own.hub.tools(), []);
      assert.equal(asked.length, 1);
      const restarted = own.hub.restart('a');
      await own.until(() => asked.length === 2, 'asked again');
      reply(true);
      await restarted;
      assert.equal(own.state('a'), 'ready');
    });

    it('rule 5: a changed definition is asked about again', async () => {
      own.configure({ a: wicked('good') }, 'workspace');
      await own.hub.tools();
      reply(true);
      await own.until(() => own.state('a') === 'ready', 'ready');
      own.configure({ a: wicked('chatty') }, 'workspace');
      await own.until(() => asked.length === 2, 'asked again');
      assert.notEqual(asked[1]?.hash, asked[0]?.hash);
      assert.notEqual(own.state('a'), 'ready');
    });

    it('rule 5: a yes that comes after the definition has gone starts nothing', async () => {
      own.configure({ a: wicked('good') }, 'workspace');
      await own.hub.tools();
      own.configure({}, 'workspace');
      reply(true);
      await new Promise((resolve) => {
        setTimeout(resolve, 200);
      });
      assert.deepEqual(own.processes(), []);
    });

    it('nobody is asked about a server of the user', async () => {
      own.configure({ a: wicked('good') }, 'user');
      await own.hub.tools();
      assert.deepEqual(asked, []);
    });
  });

  it('retries wait longer each time, then stop and say so; a later need tries again', async () => {
    const clock = new FakeClock();
    const own = new Harness({ clock });
    try {
      own.configure({ a: { command: process.execPath, args: ['-e', 'process.exit(1)'] } });
      void own.hub.tools();
      const waits: number[] = [];
      for (;;) {
        await own.until(() => own.state('a') === 'failed', 'failed');
        const retryAt = own.hub.servers()[0]?.retryAt;
        if (retryAt === undefined) break;
        waits.push(retryAt - clock.now());
        await clock.advance(retryAt - clock.now());
      }
      assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000]);
      assert.match(own.reason('a'), /failed several times in a row; restart it/);
      await own.hub.tools();
      assert.equal(own.state('a'), 'failed', 'not at once');
      await clock.advance(61_000);
      await own.hub.tools();
      assert.equal(own.state('a'), 'starting');
    } finally {
      await own.hub.dispose();
    }
    assert.equal(clock.pending, 0, 'timers are left');
  });

  for (const how of ['exit', 'throw']) {
    it(`servers end with our own process, when it ends by ${how}`, async function () {
      if (process.platform !== 'linux') return this.skip();
      const file = fileURLToPath(new URL('support/leaver.ts', import.meta.url));
      const child = spawn(process.execPath, [file, how], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const chunks = await child.stdout.toArray();
      const { pid, grandchild } = JSON.parse(
        Buffer.concat(chunks as Buffer[]).toString(),
      ) as Record<string, number>;
      await harness.until(
        () => [pid, grandchild].every((id) => id !== undefined && !isAlive(id)),
        'gone',
      );
      return undefined;
    });
  }
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
