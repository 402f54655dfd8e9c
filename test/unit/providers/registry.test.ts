import assert from 'node:assert/strict';
import { NO_BUDGET } from '../../support/no-budget.ts';
import { Pictures } from '../../../src/core/model-call/pictures.ts';
import type { ModelEvent, Provider } from '../../../src/core/model-call/model-call.ts';
import type { UsageRecord } from '../../../src/core/ports/store/recorder.ts';
import type { ModelInfo } from '../../../src/domain/models/model.ts';
import { createNamedCatalog } from '../../../src/providers/named-catalog.ts';
import { createModelCall } from '../../../src/compose/order.ts';
import { createRegistry } from '../../../src/providers/registry.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import {
  modelRequest,
  namesOf,
  outcomeOf,
  quietLog,
  settingsWith,
  user,
  message,
} from '../../support/model-call.ts';
import { complete, delta, failed } from '../model-call/scripted-call.ts';
import { ModelNames } from '../../../src/providers/instance.ts';

const info = (id: string, provider: string): ModelInfo => ({
  id,
  name: id,
  provider,
  contextWindow: 100,
  maxOutputTokens: 10,
  thinking: false,
  vision: false,
  toolChoice: false,
  prices: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
});

const usage = { inputTokens: 1_000_000, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** A provider whose model always plays these events; remembers what it was asked. */
function provider(
  id: string,
  model: string,
  play: readonly ModelEvent[],
): Provider & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    id,
    asked,
    models: () => [info(model, id)],
    async *call(request) {
      asked.push(`${request.model}: ${request.messages.length}`);
      yield* play;
    },
  };
}

const registryOf = (providers: readonly Provider[]) =>
  createRegistry(namesOf(providers), new Map(providers.map((one) => [one.id, one])));

function compose(providers: readonly [Provider, ...Provider[]], settings: Record<string, unknown>) {
  const clock = new FakeClock();
  const names = namesOf(providers);
  const records: UsageRecord[] = [];
  const call = createModelCall({
    budget: NO_BUDGET,
    registry: registryOf(providers),
    catalog: createNamedCatalog(names),
    settings: settingsWith(settings),
    clock,
    log: quietLog,
    random: () => 0.5,
    mask: async (request) => request,
    recorded: async () => undefined,
    pictures: new Pictures(undefined, () => undefined),
    onUsage: (record) => records.push(record),
  });
  return { call, clock, records };
}

describe('provider registry', () => {
  it('A11: a model belongs to the instance that its name begins with; bare names to the first', () => {
    const registry = registryOf([provider('one', 'a', []), provider('two', 'b', [])]);
    assert.deepEqual(
      ['a', 'two/b', 'unheard-of', 'one/a', 'vendor/a', 'two/vendor/a'].map((model) =>
        registry.instanceOf(model),
      ),
      ['one', 'two', 'one', 'one', 'one', 'two'],
    );
  });

  it('A11: where the first instance is at a gateway, its own prefix is a vendor there', () => {
    const instance = { id: 'one', name: 'one', wire: 'chat', models: [] } as const;
    const names = (baseUrl: string) => new ModelNames([{ ...instance, baseUrl }]);
    assert.equal(names('').addressOf('one/a').model, 'a');
    assert.equal(names('https://gateway.example/v1').addressOf('one/a').model, 'one/a');
  });

  it('A11: a provider is asked for its own name of a model, and answers under the chosen one', async () => {
    const two = provider('two', 'b', [complete('ok', 'b-2026')]);
    const { call } = compose([provider('one', 'a', []), two], {});
    const outcome = await outcomeOf(call, modelRequest({ model: 'two/b' }));
    assert.deepEqual(two.asked, ['b: 1']);
    assert.equal(outcome.answer?.model, 'two/b-2026');
  });

  it('A11, A8, B9: retries are of one model, the next one begins anew, and every attempt is recorded under its model', async () => {
    const bad = provider('one', 'a', [
      delta('half'),
      { ...(failed('overloaded') as Extract<ModelEvent, { type: 'failed' }>), usage },
    ]);
    const good = provider('two', 'b', [
      {
        type: 'complete',
        answer: { parts: [{ type: 'text', text: 'ok' }], finish: 'end_turn', model: 'b', usage },
      },
    ]);
    const { call, clock, records } = compose([bad, good], {
      'model.fallbacks': ['two/b'],
      'advanced.modelRetries': 2,
      'advanced.modelRetryDelaySeconds': 1,
    });
    const running = outcomeOf(call, modelRequest({ model: 'a' }));
    await clock.advance(10_000);
    const outcome = await running;
    assert.equal(outcome.answer?.model, 'two/b');
    assert.deepEqual([bad.asked.length, good.asked.length], [3, 1]);
    assert.deepEqual(
      records.map(({ model, cost }) => [model, cost]),
      [
        ['a', 1],
        ['a', 1],
        ['a', 1],
        ['two/b', 1],
      ],
    );
    assert.deepEqual(
      outcome.events.map(({ type }) => type),
      ['delta', 'discard', 'delta', 'discard', 'delta', 'discard', 'complete'],
    );
    assert.deepEqual(
      outcome.emitted.map(({ type }) => type),
      [
        'model.usage',
        'model.waiting',
        'model.usage',
        'model.waiting',
        'model.usage',
        'model.fallback',
        'model.usage',
      ],
    );
  });

  it('h14: every provider gets a repaired history', async () => {
    const one = provider('one', 'a', [complete('ok', 'a')]);
    const { call } = compose([one], {});
    await outcomeOf(
      call,
      modelRequest({
        model: 'a',
        messages: [
          user('1'),
          message('assistant', [{ type: 'tool_call', id: 'c', name: 'x', input: {} }]),
        ],
      }),
    );
    assert.deepEqual(one.asked, ['a: 3']);
  });

  it('A14: a provider that throws is a failure, not a crash', async () => {
    const thrower: Provider = {
      id: 'one',
      models: () => [info('a', 'one')],
      call: () => {
        throw new Error('a defect');
      },
    };
    const { call } = compose([thrower], {});
    assert.equal((await outcomeOf(call, modelRequest({ model: 'a' }))).failure?.code, 'unexpected');
  });
});
