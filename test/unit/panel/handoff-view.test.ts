import assert from 'node:assert/strict';
import type { Handoff } from '../../../src/core/run/agent-service.ts';
import type { LedgerEntry, Run } from '../../../src/domain/run.ts';
import { handoffView } from '../../../src/panel/session/load-session.ts';

const entry = (command: string, state?: string): LedgerEntry => ({
  runId: 'r',
  sessionId: 's',
  callId: command,
  name: 'run_command',
  input: { command },
  idempotent: false,
  state: 'done',
  attempts: 1,
  ...(state === undefined ? {} : { result: { state } }),
});
const run: Run = {
  id: 'r',
  sessionId: 's',
  state: 'timed_out',
  iteration: 1,
  model: 'm',
  mode: 'ask',
  cancelRequested: false,
  resumeAvailable: true,
  startedAt: 1,
  heartbeatAt: 1,
};

describe('the card of an interrupted run', () => {
  it('calls certainly done what ended by itself alone; what was stopped may have done a part', () => {
    const handoff: Handoff = {
      run,
      written: [],
      finished: [
        entry('whole', 'done'),
        entry('wrong', 'failed'),
        entry('killed', 'canceled'),
        entry('lost', 'unknown'),
        entry('refused', 'denied'),
      ],
      unknown: [entry('open')],
      resumable: true,
      promptDrift: false,
    };
    const { finished, stopped, unknown } = handoffView(handoff);
    const ids = (calls: typeof finished): readonly string[] => calls.map(({ callId }) => callId);
    assert.deepEqual(ids(finished), ['whole', 'wrong']);
    assert.deepEqual(ids(stopped), ['killed', 'lost']);
    assert.deepEqual(ids(unknown), ['open']);
  });
});
