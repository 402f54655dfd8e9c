import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isRequest, windowOf } from '../../../src/core/context/window.ts';
import { compactedHistory, history, splitPairs } from './histories.ts';

const limit = fc.nat({ max: 30 });

/** The first request that is not left out for good because the model declined it. */
function isDeclined(messages: ReturnType<typeof windowOf>['messages'], index: number): boolean {
  const next = messages[index + 1]?.parts.at(-1);
  return (
    next?.type === 'finish' &&
    next.reason === 'refusal' &&
    messages.slice(index + 1).some(isRequest)
  );
}

describe('context window, for all histories', () => {
  it('C3 E4: a call and its result are never split', () => {
    fc.assert(
      fc.property(compactedHistory, limit, ({ messages, compaction }, historyLimit) => {
        assert.deepEqual(splitPairs(windowOf({ messages, historyLimit }).messages), []);
        assert.deepEqual(splitPairs(windowOf({ messages, compaction, historyLimit }).messages), []);
      }),
    );
  });

  it('E5: the first request is kept', () => {
    fc.assert(
      fc.property(compactedHistory, limit, ({ messages, compaction }, historyLimit) => {
        const first = messages.find(
          (message, index) => isRequest(message) && !isDeclined(messages, index),
        );
        assert.ok(
          windowOf({ messages, compaction, historyLimit }).messages.includes(first as never),
        );
      }),
    );
  });

  it('C3: what was compacted is gone but for the first request, and nothing else', () => {
    fc.assert(
      fc.property(compactedHistory, ({ messages, compaction }) => {
        const sent = windowOf({ messages, compaction }).messages.map((message) => message.id);
        const without = windowOf({ messages }).messages.filter(
          (message) => message.seq > compaction.throughSeq,
        );
        for (const message of without) assert.ok(sent.includes(message.id));
        assert.ok(sent.length <= without.length + 2);
      }),
    );
  });

  it('is the same when it is taken of its own result', () => {
    fc.assert(
      fc.property(compactedHistory, limit, ({ messages, compaction }, historyLimit) => {
        const once = windowOf({ messages, compaction, historyLimit }).messages;
        assert.deepEqual(windowOf({ messages: once, compaction, historyLimit }).messages, once);
      }),
    );
  });

  it('stays in the order of seq, after the summary', () => {
    fc.assert(
      fc.property(compactedHistory, limit, ({ messages, compaction }, historyLimit) => {
        const seqs = windowOf({ messages, compaction, historyLimit }).messages.map(
          (message) => message.seq,
        );
        assert.deepEqual(
          seqs,
          seqs.toSorted((a, b) => a - b),
        );
      }),
    );
  });

  it('E4: is at most as long as the limit, but for what always stays and the last exchange', () => {
    const longestExchange = 7;
    fc.assert(
      fc.property(history, fc.integer({ min: 12, max: 30 }), (messages, historyLimit) => {
        const window = windowOf({ messages, historyLimit });
        const most = Math.max(historyLimit, window.fixed + longestExchange);
        assert.ok(window.messages.length <= most);
      }),
    );
  });

  it('needs only the first request and what came after the compaction', () => {
    fc.assert(
      fc.property(compactedHistory, ({ messages, compaction }) => {
        const whole = windowOf({ messages, compaction }).messages;
        const first = whole.find(isRequest);
        const part = messages.filter(
          (message) => message === first || message.seq > compaction.throughSeq,
        );
        assert.deepEqual(windowOf({ messages: part, compaction }).messages, whole);
      }),
    );
  });
});
