import { told } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { eligibility } from '../../../src/core/run/recovery/handoff.ts';
import type { Checkpoint, CheckpointKind } from '../../../src/domain/run.ts';

const checkpoint = (kind: CheckpointKind): Checkpoint => ({
  runId: 'r',
  sessionId: 's',
  number: 1,
  kind,
  iteration: 1,
  messageCursor: 1,
  messageCount: 1,
  promptHash: 'h',
  finishedCallIds: [],
  policyStates: {},
  loop: { activeMs: 0 },
});

/** The document's rules: at a boundary of work it goes on, at a pause or an end it does not. */
const RULES: Record<CheckpointKind, boolean> = {
  input: true,
  llm_response: true,
  tool_result: true,
  compaction: true,
  journal_update: true,
  human_pause: false,
  final: false,
};

describe('whether a run that was left behind may go on', () => {
  for (const [kind, resumable] of Object.entries(RULES)) {
    it(`C8: after a checkpoint of kind ${kind}: ${resumable ? 'yes' : 'no, with the reason'}`, () => {
      const found = eligibility(checkpoint(kind as CheckpointKind));
      assert.equal(found.resumable, resumable);
      assert.equal(found.reason !== undefined, !resumable);
    });
  }

  it('C8: without a checkpoint: no', () => {
    assert.deepEqual(eligibility(undefined), {
      resumable: false,
      reason: told`No safe point of this run was recorded.`,
    });
  });

  it('C8: a run that waited for the person may ask again, one that had ended may not', () => {
    assert.equal(eligibility(checkpoint('human_pause')).asksAgain, true);
    assert.equal(eligibility(checkpoint('final')).asksAgain, undefined);
  });
});
