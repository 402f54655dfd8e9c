import type { ChangeEvidence, ChangeTestRun } from '../../../src/domain/review/evidence.ts';
import type { PendingChange } from '../../../src/core/review/model/hunks.ts';
import type { Stage } from '../../unit/panel/stage.ts';
import { S } from './fixture-session.ts';

/** Half past ten, wherever the machine is. */
const AT = new Date(2026, 10, 23, 10, 32).getTime();

const RUN: ChangeTestRun = {
  callId: 'c5',
  command: 'npx mocha test/unit/parser',
  at: AT + 60_000,
  result: 'passed',
  exitCode: 0,
  timedOut: false,
  hidden: false,
  passed: 42,
  failed: 0,
  skipped: 1,
  covers: true,
};
const SAID =
  'The loop stopped at a repeated token, so a list with the same element twice lost its end; it has to stop at the end of the input.';
const GREEN: ChangeEvidence = {
  calls: [{ callId: 'c4', tool: 'edit_file', at: AT, said: SAID }],
  request: { sessionId: S, messageId: 'm', text: 'Fix the parser, it loses elements' },
  checks: { state: 'answered', at: AT, fresh: [] },
  tests: [RUN],
  doubts: [],
};
const BY_NAME: Readonly<Record<string, ChangeEvidence>> = {
  'broken.ts': {
    ...GREEN,
    checks: {
      state: 'answered',
      at: AT,
      fresh: [
        {
          line: 7,
          severity: 'error',
          message: "Property 'kind' does not exist on type 'Token'.",
          source: 'ts',
          code: '2339',
        },
      ],
    },
    tests: [{ ...RUN, result: 'failed', exitCode: 1, failed: 2 }],
    doubts: ['new problems', 'tests failed'],
  },
  'untested.ts': {
    ...GREEN,
    tests: [{ ...RUN, covers: false }],
    doubts: ['not tested'],
  },
  'table.csv': {
    ...GREEN,
    calls: [{ callId: 'c4', tool: 'edit_file', at: AT, said: '' }],
    checks: { state: 'no answer', at: AT },
    tests: [{ ...RUN, command: 'npm test | tail -5', result: 'unclear', hidden: true }],
    doubts: ['no answer', 'tests unclear'],
  },
};

/** Evidence by the names of files: all others are green. */
export function evidenceByName(): Stage['evidence'] {
  const of = ({ review }: PendingChange): ChangeEvidence => {
    const name = review.path.split('/').at(-1) ?? '';
    return BY_NAME[name] ?? GREEN;
  };
  return {
    known: of,
    of: async (changes) => changes.map(of),
    onLearned: () => ({ dispose: () => undefined }),
  };
}
