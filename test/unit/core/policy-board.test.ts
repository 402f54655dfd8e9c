import assert from 'node:assert/strict';
import { PolicyBoard, strongest } from '../../../src/core/policy.ts';
import type { Policy, TurnView, Verdict } from '../../../src/core/policy.ts';

const view: TurnView = {
  iteration: 1,
  activeMs: 0,
  contextTokens: 0,
  contextLimit: 1000,
  messageCount: 1,
  calls: [],
  tools: [],
};
const stop: Verdict = { kind: 'stop', reason: 'budget' };
const compact: Verdict = { kind: 'compact', keep: 10, depth: 'normal', reason: 'threshold' };
const inject = (text: string, forceTool?: string): Verdict => ({
  kind: 'inject',
  messages: [text],
  ...(forceTool === undefined ? {} : { forceTool }),
});

function counting(name: string, verdict: Verdict): Policy {
  return {
    name,
    init: () => 0,
    before: (_view, state) => ({ verdict, state: Number(state) + 1 }),
  };
}

describe('the policy board', () => {
  it('B16: the strongest verdict wins, wherever it stands in the list', () => {
    assert.deepEqual(strongest([inject('a'), stop, compact, { kind: 'continue' }]), stop);
    assert.deepEqual(strongest([inject('a'), compact]), compact);
    assert.deepEqual(strongest([]), { kind: 'continue' });
  });

  it('B16: several injects are merged, and the last forced tool holds', () => {
    assert.deepEqual(strongest([inject('a', 'x'), inject('b'), inject('c', 'y')]), {
      kind: 'inject',
      messages: ['a', 'b', 'c'],
      forceTool: 'y',
    });
  });

  it('B16: every policy sees every turn, also when an earlier one stops the run', () => {
    const board = new PolicyBoard([counting('first', stop), counting('second', inject('x'))]);
    board.ask('before', view);
    board.ask('before', view);
    assert.deepEqual(board.states, { first: 2, second: 2 });
  });

  it('C8: goes on with the states of a checkpoint, and starts new policies afresh', () => {
    const board = new PolicyBoard([counting('old', stop), counting('new', stop)], {
      old: 7,
      gone: 1,
    });
    board.ask('before', view);
    assert.deepEqual(board.states, { old: 8, new: 1 });
  });
});
