import assert from 'node:assert/strict';
import { CallsUnderWay } from '../../../src/mcp/requests/calls-under-way.ts';
import type { AskingCall } from '../../../src/mcp/requests/person.ts';

const callOf = (callId: string): AskingCall => ({
  sessionId: 'session-1',
  runId: 'run-1',
  callId,
  emit: () => {},
});

describe('Calls of a server that are under way', () => {
  it('a question belongs to the call that began last, and is over with it, not with others', () => {
    const calls = new CallsUnderWay();
    assert.equal(calls.latest(), undefined);
    const endFirst = calls.begin(callOf('first'));
    const first = calls.latest();
    const endSecond = calls.begin(callOf('second'));
    const [second, again] = [calls.latest(), calls.latest()];
    assert.deepEqual([first?.callId, second?.callId, calls.size], ['first', 'second', 2]);
    endSecond();
    assert.deepEqual(
      [first, second, again].map((call) => call?.over?.aborted),
      [false, true, true],
    );
    assert.equal(calls.latest()?.callId, 'first');
    endFirst();
    assert.deepEqual([first?.over?.aborted, calls.size], [true, 0]);
  });
});
