import assert from 'node:assert/strict';
import { completeCall } from '../../../src/core/model-call/model-call.ts';
import type {
  ModelEvent,
  ModelRequest,
  Provider,
} from '../../../src/core/model-call/model-call.ts';
import type { FinishReason } from '../../../src/domain/message.ts';
import { callContext, outcomeOf } from '../../support/model-call.ts';

export interface ProviderSubject {
  readonly provider: Provider;
  /** A request that the provider answers with text and no call. */
  readonly textRequest: ModelRequest;
  /** A request that it answers with at least one tool call. */
  readonly toolRequest: ModelRequest;
  /** Frees what the subject holds. */
  close(): Promise<void>;
}

const FINISHES: ReadonlySet<FinishReason> = new Set<FinishReason>([
  'end_turn',
  'tool_use',
  'max_tokens',
  'stop_sequence',
  'pause',
  'context_window',
  'unknown',
]);

/** What every provider owes (B8). `make` gives a fresh one for each test. */
export function providerContract(name: string, make: () => Promise<ProviderSubject>): void {
  describe(`provider contract: ${name}`, () => {
    let subject: ProviderSubject;
    beforeEach(async () => {
      subject = await make();
    });
    afterEach(() => subject.close());

    it('B8: lists its models with limits that can be worked with', () => {
      const models = subject.provider.models();
      assert.ok(models.length > 0);
      assert.equal(new Set(models.map(({ id }) => id)).size, models.length);
      for (const model of models) {
        assert.equal(model.provider, subject.provider.id);
        assert.ok(
          model.contextWindow > 0 &&
            model.maxOutputTokens > 0 &&
            model.maxOutputTokens <= model.contextWindow,
          model.id,
        );
        assert.notEqual(model.name, '');
      }
    });

    it('B8: streams text: started, deltas, the part, complete, in this order', async () => {
      const { events, answer } = await outcomeOf(subject.provider.call, subject.textRequest);
      assert.ok(answer);
      const told = events
        .map(({ type }) => type)
        .filter((type) => type !== 'alive' && type !== 'warning');
      assert.equal(told[0], 'started');
      assert.equal(told.at(-1), 'complete');
      assert.ok(told.includes('delta'));
      checkStream(events);
    });

    it('B8: streams tool calls, which exist only in the answer', async () => {
      const { events, answer } = await outcomeOf(subject.provider.call, subject.toolRequest);
      const calls = answer?.parts.filter((part) => part.type === 'tool_call') ?? [];
      assert.ok(calls.length > 0);
      assert.equal(answer?.finish, 'tool_use');
      const started = events.flatMap((event) =>
        event.type === 'tool_call_started' ? [[event.callId, event.name]] : [],
      );
      assert.deepEqual(
        started,
        calls.map(({ id, name: tool }) => [id, tool]),
      );
      assert.equal(new Set(calls.map(({ id }) => id)).size, calls.length);
      for (const { input } of calls)
        assert.equal(Object.prototype.toString.call(input), '[object Object]');
      checkStream(events);
    });

    it('B8: ends with exactly one of complete and failed', async () => {
      for (const request of [subject.textRequest, subject.toolRequest]) {
        const { events } = await outcomeOf(subject.provider.call, request);
        assert.equal(
          events.filter(({ type }) => type === 'complete' || type === 'failed').length,
          1,
        );
      }
    });

    it('B8: the answer has a model, a known finish and no empty or finish part', async () => {
      for (const request of [subject.textRequest, subject.toolRequest]) {
        const { answer } = await outcomeOf(subject.provider.call, request);
        assert.ok(answer);
        assert.notEqual(answer.model, '');
        assert.ok(FINISHES.has(answer.finish));
        assert.ok(answer.parts.length > 0);
        assert.ok(
          answer.parts.every(
            (part) => part.type !== 'finish' && !(part.type === 'text' && part.text === ''),
          ),
        );
      }
    });

    it('A8: usage is told in whole numbers, or not at all', async () => {
      const { answer } = await outcomeOf(subject.provider.call, subject.textRequest);
      const { billed = 0, estimated: _, ...counts } = answer?.usage ?? {};
      for (const count of Object.values(counts)) assert.ok(Number.isInteger(count) && count >= 0);
      assert.ok(billed >= 0);
    });

    it('B8: send gives the answer at the end, without showing it', async () => {
      const result = await completeCall(subject.provider.call, subject.textRequest, callContext());
      assert.ok('answer' in result && result.answer.parts.length > 0);
    });

    it('B8: a call that was stopped before it began ends as canceled', async () => {
      const stop = new AbortController();
      stop.abort();
      const { events, failure } = await outcomeOf(
        subject.provider.call,
        subject.textRequest,
        callContext(stop.signal),
      );
      assert.equal(failure?.code, 'canceled');
      assert.equal(
        events.some(({ type }) => type === 'delta'),
        false,
      );
    });

    it('B8: a call that is stopped on its way ends as canceled, without an answer', async () => {
      const stop = new AbortController();
      const events: ModelEvent[] = [];
      for await (const event of subject.provider.call(
        subject.textRequest,
        callContext(stop.signal),
      )) {
        events.push(event);
        stop.abort();
      }
      const last = events.at(-1);
      assert.ok(last?.type === 'failed' && last.failure.code === 'canceled');
    });

    it('B8: leaving early is allowed, and the next call is whole', async () => {
      for await (const event of subject.provider.call(subject.textRequest, callContext())) {
        if (event.type !== 'alive') break;
      }
      const { answer } = await outcomeOf(subject.provider.call, subject.textRequest);
      assert.ok(answer);
    });

    it('B8: two calls at once do not mix', async () => {
      const both = await Promise.all([
        outcomeOf(subject.provider.call, subject.textRequest),
        outcomeOf(subject.provider.call, subject.toolRequest),
      ]);
      assert.deepEqual(
        both.map(({ answer }) => answer?.finish === 'tool_use'),
        [false, true],
      );
      for (const { events } of both) checkStream(events);
    });

    it('B8: the request is not touched', async () => {
      const before = JSON.stringify(subject.toolRequest);
      await outcomeOf(subject.provider.call, deepFrozen(subject.toolRequest));
      assert.equal(JSON.stringify(subject.toolRequest), before);
    });

    it('C13, D3: neither missing tools nor a forced one that is not there make it fail', async () => {
      const without = await outcomeOf(subject.provider.call, {
        ...subject.textRequest,
        tools: [],
        toolChoice: { type: 'none' },
      });
      assert.ok(without.answer);
      const forced = await outcomeOf(subject.provider.call, {
        ...subject.textRequest,
        toolChoice: { type: 'tool', name: 'no_such_tool' },
      });
      assert.ok(forced.answer);
    });

    it('C12: tokens are counted exactly, or the provider says that it cannot', async () => {
      const count = await subject.provider.countTokens?.(
        subject.textRequest,
        new AbortController().signal,
      );
      assert.ok(count === undefined || (Number.isInteger(count) && count > 0));
    });
  });
}

/** Deltas of an index are the text of its part; parts of the stream are those of the answer. */
function checkStream(events: readonly ModelEvent[]): void {
  const texts = new Map<number, string>();
  const parts = new Map<number, unknown>();
  for (const event of events) {
    if (event.type === 'delta' && event.kind === 'text')
      texts.set(event.index, (texts.get(event.index) ?? '') + event.text);
    if (event.type === 'part') {
      assert.equal(parts.has(event.index), false, 'one part an index');
      parts.set(event.index, event.part);
      if (event.part.type === 'text') assert.equal(texts.get(event.index), event.part.text);
    }
  }
  const last = events.at(-1);
  assert.ok(last?.type === 'complete');
  const inOrder = [...parts].toSorted(([left], [right]) => left - right).map(([, part]) => part);
  assert.deepEqual(inOrder, last.answer.parts);
}

function deepFrozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFrozen(inner);
  }
  return value;
}
