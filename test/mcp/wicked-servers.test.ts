import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BelayError } from '../../src/domain/failure.ts';
import { inEnglish } from '../../src/domain/text/told.ts';
import type { JsonObject } from '../../src/domain/data/json.ts';
import type { McpHubOptions } from '../../src/mcp/hub.ts';
import { eraMemory } from '../../src/mcp/connection/era.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { contextOf, Harness, recordingContext, saidOf, textOf, wicked } from './support/harness.ts';

/** Runs a test with one server, and makes sure that nothing is left of it. */
async function withServer(
  definition: JsonObject,
  test: (harness: Harness) => Promise<void>,
  options: Partial<McpHubOptions> = {},
): Promise<void> {
  const harness = new Harness(options);
  harness.configure({ wicked: definition });
  try {
    await test(harness);
  } finally {
    await harness.hub.dispose();
  }
  assert.deepEqual(harness.processes(), [], 'processes are left');
}

async function failure(call: Promise<unknown>): Promise<BelayError> {
  try {
    await call;
  } catch (thrown) {
    assert.ok(thrown instanceof BelayError, String(thrown));
    return thrown;
  }
  return assert.fail('the call did not fail');
}

describe('MCP: servers that misbehave', function () {
  this.timeout(30_000);

  it('a server that never answers fails after the time for the handshake, and holds nothing up', () => {
    const clock = new FakeClock();
    return withServer(
      wicked('silent'),
      async (harness) => {
        const tools = harness.hub.tools();
        await clock.advance(5000);
        assert.deepEqual(await tools, []);
        assert.equal(harness.state('wicked'), 'starting');
        await clock.advance(25_000);
        await harness.until(() => harness.state('wicked') === 'failed', 'failed');
        assert.match(harness.reason('wicked'), /did not answer within 30 s/);
        assert.equal(harness.hub.servers()[0]?.retryAt, clock.now() + 1000);
      },
      { clock, patienceMs: 5000 },
    );
  });

  it('a server that crashes at its start says why, with the end of its standard error', () =>
    withServer(wicked('crash-at-start'), async (harness) => {
      assert.deepEqual(await harness.hub.tools(), []);
      assert.equal(harness.state('wicked'), 'failed');
      assert.match(harness.reason('wicked'), /exit code 3: cannot open the database/);
      assert.match(harness.log('wicked'), /stderr: cannot open the database/);
    }));

  it('a command that does not exist is named, and not tried again', () =>
    withServer({ command: 'belay-no-such-command' }, async (harness) => {
      assert.deepEqual(await harness.hub.tools(), []);
      const [view] = harness.hub.servers();
      assert.equal(view?.state, 'failed');
      assert.match(saidOf(view), /“belay-no-such-command” was not found/);
      assert.equal(view.retryAt, undefined);
    }));

  it('a working directory that does not exist is named', () =>
    withServer({ ...wicked('good'), cwd: '/no/such/folder' }, async (harness) => {
      await harness.hub.tools();
      assert.match(harness.reason('wicked'), /\/no\/such\/folder does not exist/);
    }));

  it('E10: a crash in a call is a failure that says what is known, and the server comes back', () =>
    withServer(wicked('good'), async (harness) => {
      const { code, message } = await failure(harness.call('crash'));
      assert.equal(code, 'network');
      assert.match(
        message,
        /“wicked” ended during the call: The process ended with exit code 7: out of cheese/,
      );
      assert.match(message, /Whether “crash” did its work is not known/);
      // The tools are still offered, and the next call brings the server back at once.
      assert.equal(textOf(await harness.call('echo', { a: 1 })), 'echo: {"a":1}');
      assert.equal(harness.state('wicked'), 'ready');
    }));

  it('a server that died while idle is started again by itself', () =>
    withServer(wicked('good'), async (harness) => {
      const { pid } = JSON.parse(textOf(await harness.call('process'))) as { pid: number };
      process.kill(pid, 'SIGKILL');
      await harness.until(() => harness.state('wicked') === 'failed', 'failed');
      assert.match(harness.reason('wicked'), /SIGKILL/);
      await harness.until(() => harness.state('wicked') === 'ready', 'ready again');
    }));

  it('a server that died is started once more for a call that never reached it, also one with effects', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'belay-mcp-'));
    const file = path.join(folder, 'starts');
    const eras = { get: () => 'legacy' as const, set() {} };
    const starts = async (): Promise<string[]> => (await readFile(file, 'utf8')).trim().split('\n');
    try {
      await withServer(
        wicked('starts', file),
        async (harness) => {
          const tool = await harness.tool('write');
          const [pid] = await starts();
          process.kill(Number(pid), 'SIGKILL');
          // It is dead, and this process has had no moment to notice.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
          assert.equal(harness.state('wicked'), 'ready');
          assert.equal(textOf(await tool.run({ n: 1 }, contextOf())), 'write: {"n":1}');
          assert.equal((await starts()).length, 2);
        },
        { eras },
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('D4: a call that never ends is given up when the signal fires, and the server is told', () =>
    withServer(wicked('good'), async (harness) => {
      const tool = await harness.tool('hang');
      const stop = new AbortController();
      const call = tool.run({}, contextOf({ signal: stop.signal }));
      await harness.until(() => harness.log('wicked').includes('hanging'), 'the call is under way');
      stop.abort();
      await assert.rejects(call, { name: 'AbortError' });
      await harness.until(
        () => /cancelled \d/.test(harness.log('wicked')),
        'cancelled at the server',
      );
      assert.equal(harness.state('wicked'), 'ready');
    }));

  it('a call is not even started when the signal has fired', () =>
    withServer(wicked('good'), async (harness) => {
      const tool = await harness.tool('write');
      const call = tool.run({}, contextOf({ signal: AbortSignal.abort() }));
      await assert.rejects(call, { name: 'AbortError' });
    }));

  it('lines that are no messages go to the log and disturb nothing', () =>
    withServer(wicked('chatty'), async (harness) => {
      assert.equal(textOf(await harness.call('echo')), 'echo: {}');
      assert.match(harness.log('wicked'), /stdout: Welcome to the server!/);
      assert.match(harness.log('wicked'), /stdout: \{"not": "a message"\}/);
    }));

  it('an answer of many megabytes arrives whole', () =>
    withServer(wicked('good'), async (harness) => {
      assert.equal(textOf(await harness.call('huge', { size: 3_000_000 })).length, 3_000_000);
    }));

  it('E3: a text longer than four million characters is cut, and says so', () =>
    withServer(wicked('good'), async (harness) => {
      const text = textOf(await harness.call('huge', { size: 5_000_000 }));
      assert.match(text.slice(-100), /Cut: 1000000 more characters/);
    }));

  it('an answer beyond all bounds fails the call alone, at once, and the server lives on', () =>
    withServer(wicked('good'), async (harness) => {
      const { pid } = JSON.parse(textOf(await harness.call('process'))) as { pid: number };
      const { message } = await failure(harness.call('huge', { size: 40 * 2 ** 20 }));
      assert.match(message, /larger than 16 MB/);
      const after = JSON.parse(textOf(await harness.call('process'))) as { pid: number };
      assert.equal(after.pid, pid);
    }));

  it('E10: an error of the protocol is a failed result, on one line', () =>
    withServer(wicked('good'), async (harness) => {
      const output = await harness.call('refuse');
      assert.equal(output.isError, true);
      assert.match(textOf(output), /the input is not good/);
    }));

  it('an answer that makes no sense is a failure that says so', () =>
    withServer(wicked('good'), async (harness) => {
      const { code, message } = await failure(harness.call('answer', { content: 'a text' }));
      assert.equal(code, 'tool');
      assert.match(message, /does not follow the protocol/);
    }));

  it('an odd part of an answer becomes a note, and the parts beside it are kept', () =>
    withServer(wicked('good'), async (harness) => {
      const content = [
        { type: 'text', text: 'before' },
        { type: 'chart', points: [1, 2] },
        { type: 'text', text: null },
        { type: 'image', data: 'AAAA' },
        { type: 'resource', resource: { uri: 'demo://x' } },
        null,
        { type: 'text', text: 'noted', annotations: { priority: 5 } },
      ];
      const { content: kept, isError } = await harness.call('answer', { content });
      assert.equal(isError, undefined);
      const note = (type: string): string => `[A part${type} was left out: unknown or incomplete.]`;
      assert.deepEqual(
        kept.map((part) => (part.type === 'text' ? part.text : part.type)),
        [
          'before',
          ...['chart', 'text', 'image', 'resource'].map((type) => note(` of type “${type}”`)),
          note(''),
          'noted',
        ],
      );
    }));

  it('of progress in a rush one report is passed on, until some time has gone by', () => {
    const steps = Array.from({ length: 500 }, (_, index) => ({ progress: index + 1, total: 500 }));
    return withServer(
      wicked('good'),
      async (harness) => {
        const { context, events } = recordingContext();
        assert.equal(textOf(await harness.call('progress', { steps }, context)), 'done');
        const [report, ...others] = events;
        assert.deepEqual(report, {
          type: 'tool.progress',
          callId: 'call-1',
          message: '1 of 500',
          fraction: 0.002,
        });
        assert.deepEqual(others, []);
      },
      { clock: new FakeClock() },
    );
  });

  for (const [step, expected] of [
    [
      { progress: 900, total: 500, message: 'too much' },
      { message: 'too much', fraction: 1 },
    ],
    [
      { progress: -1, total: 500 },
      { message: '-1 of 500', fraction: 0 },
    ],
    [{ progress: 1, total: 0 }, { message: '1 of 0' }],
    [{ progress: 3 }, { message: '3' }],
    [{ progress: 1, message: 'a\n\u001b[2Jb' }, { message: 'a b' }],
  ] as const) {
    it(`progress of ${JSON.stringify(step)} is reported as ${JSON.stringify(expected)}`, () =>
      withServer(wicked('good'), async (harness) => {
        const { context, events } = recordingContext();
        await harness.call('progress', { steps: [step] }, context);
        assert.deepEqual(events, [{ type: 'tool.progress', callId: 'call-1', ...expected }]);
      }));
  }

  it('two hundred announcements of changed tools cost a reading or two, and the tools are up to date', () =>
    withServer(wicked('good'), async (harness) => {
      await harness.call('change');
      let changes = 0;
      harness.hub.onChange(() => (changes += 1));
      await harness.until(() => harness.hub.servers()[0]?.tools === 12, 'the new tool');
      assert.equal((await harness.tool('extra')).name, 'mcp__wicked__extra');
      assert.equal(changes, 1);
      const { lists } = JSON.parse(textOf(await harness.call('process'))) as { lists: number };
      assert.ok(lists <= 3, `${lists} readings`);
    }));

  it('two hundred announcements of changed prompts and resources are one', () =>
    withServer(wicked('good'), async (harness) => {
      const version = () => harness.hub.server('wicked')?.session?.offers.version;
      await harness.call('echo');
      assert.equal(version(), 0);
      let tidings = 0;
      harness.hub.onChange(() => (tidings += 1));
      await harness.call('change', { lists: ['prompts', 'resources'] });
      await harness.until(() => tidings > 0, 'it is told');
      assert.equal(version(), 400);
      assert.ok(tidings <= 2, String(tidings));
    }));

  it('a list of tools without an end is cut off', () =>
    withServer(wicked('endless-list'), async (harness) => {
      assert.equal((await harness.hub.tools()).length, 50);
      assert.match(harness.log('wicked'), /cut after 50 pages/);
    }));

  describe('a server that lies about its tools', () => {
    const harness = new Harness();

    before(() => harness.configure({ wicked: wicked('liar') }));
    after(() => harness.hub.dispose());

    it('keeps the tools that make sense and logs the others', async () => {
      const names = (await harness.hub.tools()).map((tool) => tool.serverTool);
      assert.deepEqual(names, [
        'array-root',
        'hidden',
        `long-${'x'.repeat(200)}-1`,
        `long-${'x'.repeat(200)}-2`,
        'no-schema',
        'talks',
        'text-schema',
        'twice',
        'Ünïcode/with spaces',
      ]);
      for (const name of ['deep', 'deep-output', 'many-properties'])
        assert.match(
          harness.log('wicked'),
          new RegExp(`“${name}” is left out: its description has more than 10,000 values or 100`),
        );
      assert.match(harness.log('wicked'), /“n+…” is left out: its name has more than 1,000/);
      assert.match(harness.log('wicked'), /“wide” is left out/);
      assert.match(harness.log('wicked'), /“twice” is listed twice/);
      assert.match(harness.log('wicked'), /A tool without a name is left out/);
    });

    it('names the tools that are left out in the status of the server, with the reason', () => {
      const problems = harness.hub.servers()[0]?.problems.map(inEnglish) ?? [];
      const limits = 'has more than 10,000 values or 100 levels';
      assert.ok(
        problems.includes(`The tool “many-properties” is left out: its description ${limits}.`),
        problems.join('\n'),
      );
    });

    it('gives every tool a name that model APIs take, each its own', async () => {
      const names = (await harness.hub.tools()).map((tool) => tool.name);
      for (const name of names) assert.match(name, /^mcp__wicked__[A-Za-z0-9_-]{1,51}$/);
      assert.equal(new Set(names).size, names.length);
    });

    it('forces the root of a schema to be an object, and leaves the rest alone', async () => {
      const reference = { type: 'object', items: { $ref: 'http://127.0.0.1:9/never' } };
      assert.deepEqual((await harness.tool('array-root')).inputSchema, reference);
      assert.deepEqual((await harness.tool('no-schema')).inputSchema, { type: 'object' });
      assert.deepEqual((await harness.tool('text-schema')).inputSchema, { type: 'object' });
    });

    it('rule 7: shows what descriptions hide, in the schema, too', async () => {
      const { description, inputSchema } = await harness.tool('hidden');
      assert.equal(description, 'Adds.<2 hidden tag characters><U+202E>');
      assert.deepEqual(inputSchema['properties'], {
        a: { type: 'string', description: 'x<U+200B>y' },
      });
    });

    it('cuts long descriptions', async () => {
      assert.equal((await harness.tool('talks')).description.length, 4001);
    });

    it('calls a tool whose output schema is nonsense', async () => {
      assert.equal(textOf(await harness.call('talks')), 'talks: {}');
    });

    it('calls tools by the name that the server knows', async () => {
      assert.equal(textOf(await harness.call('Ünïcode/with spaces')), 'Ünïcode/with spaces: {}');
    });
  });

  it('a server that ends when it is probed for the revision is started without the probe', () =>
    withServer(wicked('probe-kills'), async (harness) => {
      assert.equal(textOf(await harness.call('echo')), 'echo: {}');
    }));

  it('what the probe found is remembered by the definition: the next start is one process', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'belay-mcp-'));
    const file = path.join(folder, 'starts');
    const eras = eraMemory();
    const starts = async (): Promise<number> =>
      (await readFile(file, 'utf8')).trim().split('\n').length;
    try {
      await withServer(
        wicked('starts', file),
        async (harness) => void (await harness.hub.tools()),
        { eras },
      );
      assert.equal(await starts(), 1);
      await withServer(
        wicked('starts', file),
        async (harness) => {
          const [view] = (await harness.hub.tools(), harness.hub.servers());
          assert.equal(eras.get(view?.hash ?? ''), 'legacy');
        },
        { eras },
      );
      assert.equal(await starts(), 2);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('a server that ignores all requests to end, with a child that does, is gone after dispose', async function () {
    if (process.platform !== 'linux') return this.skip();
    const harness = new Harness();
    harness.configure({ wicked: wicked('stubborn') });
    const { pid, grandchild } = JSON.parse(textOf(await harness.call('process'))) as {
      pid: number;
      grandchild: number;
    };
    assert.deepEqual(new Set(harness.processes()), new Set([pid, grandchild]));
    await harness.hub.dispose();
    await harness.until(() => harness.processes().length === 0, 'no process is left');
    return undefined;
  });

  it('children that outlive a crashed server are ended with it', async function () {
    if (process.platform !== 'linux') return this.skip();
    const harness = new Harness();
    harness.configure({ wicked: wicked('family') });
    const { grandchild } = JSON.parse(textOf(await harness.call('process'))) as {
      grandchild: number;
    };
    await failure(harness.call('crash'));
    await harness.until(() => !harness.processes().includes(grandchild), 'the child is gone');
    await harness.hub.dispose();
    return undefined;
  });
});
