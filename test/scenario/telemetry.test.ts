import assert from 'node:assert/strict';
import { inEnglish } from '../../src/domain/text/told.ts';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { openTelemetry } from '../../src/compose/telemetry/telemetry.ts';
import type { SettingKey } from '../../src/domain/settings/settings.ts';
import { settingsFrom } from '../../src/domain/settings/read-settings.ts';
import { SystemClock } from '../../src/hosts/node/clock.ts';
import { TestEngine, type TestEngineOptions } from '../support/engine/test-engine.ts';
import { silentLog } from '../support/memory-recorder.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code?: number };
}

interface SentBody {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** A collector on loopback; `answer` decides, else it takes everything. */
class Collector implements AsyncDisposable {
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[] = [];
  readonly spans: SentSpan[] = [];
  readonly #server: Server;
  answer: ((response: ServerResponse) => void) | undefined;

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  static async open(): Promise<Collector> {
    const made = new Collector();
    made.#server.listen(0, '127.0.0.1');
    await once(made.#server, 'listening');
    return made;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  named(name: string): SentSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request)) as SentBody;
    this.requests.push({ path: request.url ?? '', headers: request.headers });
    if (this.answer !== undefined) {
      this.answer(response);
      return;
    }
    this.spans.push(
      ...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
    response.end('{}');
  }
}

interface Opened extends AsyncDisposable {
  readonly test: TestEngine;
  /** Ends telemetry: what is left is sent. */
  readonly end: () => Promise<void>;
  readonly warnings: string[];
}

async function open(
  settings: Partial<Record<SettingKey, unknown>>,
  options: TestEngineOptions,
  more: { readonly key?: string; readonly environment?: Record<string, string> } = {},
): Promise<Opened> {
  const test = await TestEngine.open(options);
  const warnings: string[] = [];
  const telemetry = openTelemetry(test.engine, {
    clock: new SystemClock(),
    log: {
      ...silentLog,
      warn: (message, details) => warnings.push(`${message} ${JSON.stringify(details)}`),
      error: (message, thrown) => warnings.push(`${message} ${String(thrown)}`),
    },
    settings: settingsFrom(
      (key) => settings[key],
      (problem) => {
        throw new Error(inEnglish(problem.message));
      },
    ),
    key: async () => Promise.resolve(more.key),
    environment: more.environment ?? {},
    version: '1.2.3',
  });
  return {
    test,
    warnings,
    end: async () => telemetry.dispose(),
    [Symbol.asyncDispose]: async () => {
      await telemetry.dispose();
      await test[Symbol.asyncDispose]();
    },
  };
}

const SECRET = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';

const story = (): TestEngineOptions => ({
  script: inOrder(
    {
      ...calls(call('run_command', { command: `echo ${SECRET}` }, 'one')),
      usage: { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 900 },
    },
    calls(call('read_file', { files: [{ path: 'missing.txt' }] }, 'two')),
    say('All done.'),
  ),
});

const values = (span: SentSpan | undefined): Record<string, unknown> =>
  Object.fromEntries(
    (span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]),
  );

describe('stories of telemetry', function () {
  this.timeout(180_000);

  it('C11: a run, its calls of the model and of tools are nested spans of one trace, without content', async () => {
    await using collector = await Collector.open();
    await using opened = await open({ 'telemetry.otlpEndpoint': collector.url }, story(), {
      key: 'collector-key-1',
    });
    const { sessionId } = await opened.test.run('Please do the thing.');
    await opened.end();
    assert.deepEqual(opened.warnings, []);
    const [run] = collector.named('invoke_agent belay');
    assert.ok(run !== undefined && run.parentSpanId === undefined);
    assert.equal(values(run)['gen_ai.conversation.id'], sessionId);
    const chats = collector.named('chat claude-sonnet-4-5');
    assert.equal(chats.length, 3);
    const tools = [
      ...collector.named('execute_tool run_command'),
      ...collector.named('execute_tool read_file'),
    ];
    assert.equal(tools.length, 2);
    for (const span of [...chats, ...tools]) {
      assert.equal(span.traceId, run.traceId);
      assert.equal(span.parentSpanId, run.spanId);
      assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano));
    }
    const first = values(chats[0]);
    // What came from the cache is a part of the input.
    const [used] = opened.test.ofType('model.usage');
    assert.ok(used !== undefined && used.usage.cacheReadTokens > 0);
    const { inputTokens, cacheReadTokens, cacheWriteTokens } = used.usage;
    assert.equal(
      first['gen_ai.usage.input_tokens'],
      String(inputTokens + cacheReadTokens + cacheWriteTokens),
    );
    assert.equal(first['gen_ai.usage.cache_read.input_tokens'], String(cacheReadTokens));
    assert.equal(first['gen_ai.provider.name'], 'anthropic');
    assert.deepEqual(first['gen_ai.response.finish_reasons'], {
      values: [{ stringValue: 'tool_use' }],
    });
    assert.deepEqual(
      tools.map((span) => [values(span)['gen_ai.tool.call.id'], span.status.code]),
      [
        ['one', undefined],
        ['two', 2],
      ],
    );
    const [request] = collector.requests;
    assert.equal(request?.path, '/v1/traces');
    assert.equal(request?.headers['authorization'], 'Bearer collector-key-1');
    const sent = JSON.stringify(collector.spans);
    for (const word of ['do the thing', 'echo', 'All done', 'missing.txt', SECRET])
      assert.ok(!sent.includes(word), word);
  });

  it('C11: with content, messages, arguments and results go along, and no secret', async () => {
    await using collector = await Collector.open();
    await using opened = await open(
      { 'telemetry.otlpEndpoint': `${collector.url}/v1/traces/`, 'telemetry.content': true },
      story(),
    );
    await opened.test.run('Please do the thing.');
    await opened.end();
    const sent = JSON.stringify(collector.spans);
    for (const word of ['do the thing', 'echo', 'All done', 'missing.txt'])
      assert.ok(sent.includes(word), word);
    assert.ok(!sent.includes(SECRET));
    assert.equal(collector.requests[0]?.path, '/v1/traces');
  });

  it('C11: the run of a delegated session lies below the call that delegated', async () => {
    await using collector = await Collector.open();
    await using opened = await open({ 'telemetry.otlpEndpoint': collector.url }, story());
    const { broker } = opened.test.engine;
    const end = { reason: 'done', state: 'completed', canContinue: false } as const;
    broker.publish('parent', 'r1', {
      type: 'agent_run.started',
      model: 'claude-sonnet-4-5',
      resumed: false,
    });
    broker.publish('parent', 'r1', { type: 'tool.started', callId: 'delegated', name: 'agent' });
    broker.publish('delegated', 'r2', {
      type: 'agent_run.started',
      model: 'claude-sonnet-4-5',
      resumed: false,
    });
    broker.publish('delegated', 'r2', { type: 'agent_run.completed', end });
    // The parent's is left open, as by a process that ends.
    await opened.end();
    const [tool] = collector.named('execute_tool agent');
    const child = collector
      .named('invoke_agent belay')
      .find(({ parentSpanId }) => parentSpanId !== undefined);
    assert.equal(child?.parentSpanId, tool?.spanId);
    assert.equal(child?.traceId, tool?.traceId);
    assert.equal(collector.spans.length, 3);
  });

  it('C11: nothing is sent by default, nor to what the environment names, unless the person says so', async () => {
    await using collector = await Collector.open();
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=blue%20team, x-key=abc',
    };
    for (const useEnvironment of [false, true]) {
      await using opened = await open({ 'telemetry.useEnvironment': useEnvironment }, story(), {
        environment,
        key: 'of another collector',
      });
      await opened.test.run('Hello.');
      await opened.end();
      assert.equal(collector.requests.length > 0, useEnvironment);
    }
    const { headers } = collector.requests[0] ?? {};
    assert.deepEqual(
      [headers?.['x-team'], headers?.['x-key'], headers?.['authorization']],
      ['blue team', 'abc', undefined],
    );
  });

  const other = 'http://127.0.0.1:1';
  for (const [name, warned, answer] of [
    ['never answers', /dropped/u, () => undefined],
    ['breaks off', /dropped/u, (response) => void response.destroy()],
    ['refuses', /HTTP 400/u, (response) => void response.writeHead(400).end()],
    [
      'sends on to another host',
      /sends requests on to .* They were not sent there/u,
      (response) => void response.writeHead(307, { location: `${other}/v1/traces` }).end(),
    ],
  ] as readonly (readonly [string, RegExp, (response: ServerResponse) => void])[])
    it(`C11: a collector that ${name} neither delays nor fails a run`, async () => {
      await using collector = await Collector.open();
      collector.answer = answer;
      await using opened = await open(
        { 'telemetry.otlpEndpoint': collector.url },
        { script: () => say('Done.') },
        { key: 'collector-key-1' },
      );
      const { end } = await opened.test.run('Hello.');
      assert.equal(end?.reason, 'done');
      await opened.end();
      assert.match(opened.warnings.join('\n'), warned);
      assert.ok(!opened.warnings.join('\n').includes('collector-key-1'));
    });

  it('C11: a key never goes unencrypted to another machine', async () => {
    await using opened = await open(
      { 'telemetry.otlpEndpoint': 'http://collector.invalid:4318' },
      story(),
      { key: 'collector-key-1' },
    );
    await opened.test.run('Hello.');
    await opened.end();
    assert.match(
      opened.warnings.join('\n'),
      /Nothing was sent to http:\/\/collector\.invalid:4318/u,
    );
  });
});
