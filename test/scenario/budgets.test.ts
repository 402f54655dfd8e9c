import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SettingKey } from '../../src/domain/settings/settings.ts';
import { type Usage, textOf } from '../../src/domain/message.ts';
import { TestEngine, type TestHost } from '../support/engine/test-engine.ts';
import { HandClock } from '../support/hand-clock.ts';
import { call, calls, say } from '../support/model-server/turn.ts';
import type { Script, Turn } from '../support/model-server/turn.ts';

const DAY = 24 * 60 * 60 * 1000;
/** One answer of so many tokens. */
const answer = (text: string, tokens: number): Turn =>
  say(text, { usage: { input_tokens: tokens, output_tokens: 0 } });

/** A person with windows on workspaces, and one database over all of them. */
class Windows implements AsyncDisposable {
  readonly folder: string;
  readonly clock = new HandClock();
  readonly settings: Partial<Record<SettingKey, unknown>>;
  readonly #opened: TestEngine[] = [];

  private constructor(folder: string, settings: Partial<Record<SettingKey, unknown>>) {
    this.folder = folder;
    this.settings = settings;
  }

  static async open(settings: Partial<Record<SettingKey, unknown>>): Promise<Windows> {
    return new Windows(await mkdtemp(path.join(os.tmpdir(), 'belay-person-')), settings);
  }

  async window(script: Script, host: Partial<TestHost> = {}): Promise<TestEngine> {
    const { settings, clock } = this;
    const window = await TestEngine.open({
      script,
      settings,
      host: {
        clock,
        person: { folder: this.folder, name: 'work' },
        ...host,
      },
    });
    this.#opened.push(window);
    return window;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const window of this.#opened) await window[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }
}

const tokensOf = (usage: Usage): number =>
  usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;

const used = async (window: TestEngine): Promise<number> => {
  const [use] = await window.engine.store.person.uses(
    [{ period: 'month', unit: 'tokens', limit: 1 }],
    {},
  );
  return use?.used ?? 0;
};

describe('stories of budgets', function () {
  this.timeout(60_000);

  it('A2: two windows on two workspaces and three runs share one cap: never over by more than one response', async () => {
    await using windows = await Windows.open({
      'budget.tokensPerMonth': 60_000,
      'model.maxOutputTokens': 1000,
    });
    const script: Script = async (_request, n) => {
      await delay(20);
      const usage = { input_tokens: 7000, output_tokens: 100 };
      return { ...calls(call('read_file', { path: `${n}.txt` })), usage };
    };
    const [one, other] = await Promise.all([windows.window(script), windows.window(script)]);
    for (const window of [one, other]) window.human.answer = async () => Promise.resolve('Stop');
    const ends = await Promise.all([one.run('a'), one.run('b'), other.run('c')]);
    assert.deepEqual(
      ends.map(({ end }) => end?.reason),
      ['budget', 'budget', 'budget'],
    );
    const total = await used(one);
    assert.equal(total, await used(other), 'both windows see one sum');
    const [first, second] = await Promise.all(
      [one, other].map(async ({ engine }) => engine.store.usage.total(0)),
    );
    assert.equal(total, Number(first?.tokens) + Number(second?.tokens), 'each call counts once');
    const largest = Math.max(
      ...[one, other].flatMap((window) =>
        window.ofType('model.usage').map(({ usage }) => tokensOf(usage)),
      ),
    );
    assert.ok(total > 60_000 - 2 * largest && total <= 60_000 + largest, String(total));
  });

  it('A2: an answer that breaks off or is stopped counts its input and the output so far, once', async () => {
    await using windows = await Windows.open({ 'advanced.modelRetryDelaySeconds': 0.01 });
    const text = 'x'.repeat(400);
    const usage = {
      input_tokens: 70,
      cache_read_input_tokens: 20,
      cache_creation_input_tokens: 10,
    };
    const window = await windows.window((_request, n) => ({
      ...say(text, { usage: { ...usage, output_tokens: 90 }, deltaSize: 400 }),
      ...(n < 3 ? { cut: { how: n === 1 ? 'reset' : 'hang', at: { events: 4 } } } : {}),
    }));
    const sessionId = await window.start('Go.');
    while (window.server.requests.length < 2 || window.ofType('message.delta').length < 2)
      await delay(5);
    window.engine.agent.runs.cancel(sessionId);
    await window.engine.agent.runs.settled(sessionId);
    const broken = {
      inputTokens: 70,
      outputTokens: 100,
      cacheReadTokens: 20,
      cacheWriteTokens: 10,
    };
    const records = async () =>
      (await window.engine.store.usage.records(sessionId)).map((record) => record.usage);
    const estimated = { ...broken, estimated: true };
    assert.deepEqual(await records(), [estimated, estimated]);
    assert.deepEqual(
      window.ofType('model.usage').map((event) => event.usage),
      [estimated, estimated],
    );
    assert.equal(await used(window), 400);
    await window.engine.agent.send(sessionId, { text: 'Again.' });
    await window.engine.agent.runs.settled(sessionId);
    assert.deepEqual((await records()).at(-1), { ...broken, outputTokens: 90 });
    assert.equal(await used(window), 590);
    const session = await window.engine.store.transcripts.session(sessionId);
    assert.deepEqual([session?.inputTokens, session?.outputTokens], [300, 290]);
  });

  it('A2: a run over its cap pauses with the figures and goes on with more for this run; no setting changes', async () => {
    await using windows = await Windows.open({
      'budget.tokensPerDay': 26_000,
      'model.maxOutputTokens': 1000,
    });
    const window = await windows.window((_request, n) =>
      n < 4
        ? {
            ...calls(call('run_command', { command: `echo ${n} >> done.txt` })),
            usage: { input_tokens: 9000, output_tokens: 50 },
          }
        : answer('Done.', 9000),
    );
    window.human.answer = async ({ choices }) => Promise.resolve(choices[0] ?? '');
    const { sessionId, end } = await window.run('Write lines.');
    assert.equal(end?.reason, 'done', JSON.stringify(end));
    const [question] = window.human.questions;
    assert.match(
      question?.question ?? '',
      /^You have used 2\d,\d{3} tokens of today’s limit of 26,000 tokens\. The next request needs about [\d,]+ tokens\. It starts again on Nov 22, 2026/u,
    );
    assert.deepEqual(question?.choices, ['Continue (+26,000 tokens)', 'Stop']);
    assert.equal((await window.engine.store.runs.runs({ sessionId })).length, 1, 'one run');
    const lines = (await window.messages(sessionId)).map(textOf).join('\n');
    assert.match(lines, /Done\./u);
    const events = window.ofType('warning').filter(({ message }) => /budget\./u.test(message));
    assert.equal(events.length, 1, 'warned once at 80 %');
    assert.match(events[0]?.message ?? '', /tokens of 26,000 tokens are used today\./u);
    assert.equal(windows.settings['budget.tokensPerDay'], 26_000);
    assert.equal((await window.run('Another run.')).end?.reason, 'done', 'it is asked anew');
    assert.equal(window.human.questions.length, 2);
  });

  it('A2: a paused run goes on by itself on the next day, and a guest has 5,000 tokens a month', async () => {
    await using windows = await Windows.open({
      'budget.tokensPerDay': 10_000,
      'model.maxOutputTokens': 1000,
    });
    const window = await windows.window(() => answer('Done.', 9900));
    assert.equal((await window.run('first')).end?.reason, 'done');
    window.human.answer = async () => new Promise(() => undefined);
    const sessionId = await window.start('second');
    await window.event('agent_run.waiting');
    assert.equal(
      (await window.engine.store.runs.runs({ sessionId }))[0]?.state,
      'waiting_on_human',
    );
    assert.equal(window.server.requests.length, 1, 'nothing was sent');
    windows.clock.jump(DAY);
    assert.equal((await window.engine.agent.runs.settled(sessionId))?.reason, 'done');

    windows.settings['budget.tokensPerDay'] = 0;
    windows.settings['identity.defaultLevel'] = 'guest';
    window.human.answer = async () => Promise.resolve('Stop');
    const third = await window.run('third');
    assert.equal(third.end?.reason, 'budget');
    assert.match(third.end.failure?.message ?? '', /this month’s limit of 5,000 tokens/u);
    windows.clock.jump(30 * DAY);
    windows.settings['budget.tokensPerMonth'] = 30_000;
    assert.equal((await window.run('after the reset')).end?.reason, 'done');
    const last = window.ofType('model.usage').at(-1);
    assert.ok(last !== undefined);
    assert.equal(await used(window), tokensOf(last.usage), 'the month begins anew 30 days later');
  });

  it('A2: requests beside a run are held, too, and a cap in money counts at the prices of the model', async () => {
    await using windows = await Windows.open({
      'budget.usdPerDay': 0.05,
      'model.maxOutputTokens': 1000,
      'model.smallModel': 'claude-haiku-4-5',
    });
    const window = await windows.window(
      (request) =>
        JSON.stringify(request.system).includes('You write the title')
          ? answer('A title', 100)
          : answer('Done.', 15_000),
      { titlesByModel: true },
    );
    window.human.answer = async () => Promise.resolve('Stop');
    assert.equal((await window.run('first')).end?.reason, 'done');
    const before = window.server.requests.length;
    const second = await window.run('second');
    assert.equal(second.end?.reason, 'budget');
    assert.match(second.end.failure?.message ?? '', /today’s limit of \$0\.05/u);
    const sent = window.server.requests.slice(before).map(({ body }) => body.model);
    assert.ok(!sent.includes('claude-sonnet-4-5'), sent.join());
  });
});
