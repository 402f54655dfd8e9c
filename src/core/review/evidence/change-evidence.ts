import type {
  ChangeChecks,
  ChangeDoubt,
  ChangeEvidence,
  ChangeTestRun,
} from '../../../domain/review/evidence.ts';
import type { Attribution, FileReview } from '../model/file-review.ts';
import { listAuthors, type PendingChange } from '../model/hunks.ts';
import { newProblems } from './new-problems.ts';
import type { SessionFacts } from './session-facts.ts';

/** Calls and test runs that are told; the last ones. */
const MAX_LISTED = 5;

/** A file on disk. */
export interface FileState {
  /** Milliseconds since the epoch; absent: it is not there. */
  readonly modifiedAt?: number;
  /** An editor has a text of it that nobody saved. */
  readonly unsaved: boolean;
}

const NO_FACTS: SessionFacts = {
  calls: new Map(),
  checks: new Map(),
  tests: [],
  requests: new Map(),
};

/** Everything that is on record about a pending change: why it was made, and what was found out about it since. */
export function evidenceOf(
  change: PendingChange,
  factsOf: (sessionId: string) => SessionFacts | undefined,
  file: FileState,
): ChangeEvidence {
  const { review } = change;
  const by = authorsOf(change);
  const last = by.at(-1);
  const facts = factsOf(last?.sessionId ?? '') ?? NO_FACTS;
  const subject = { review, by, facts, file };
  const checks = checksOf(subject);
  const tests = testsOf(subject);
  const messageId = last?.messageId ?? '';
  return {
    calls: by.slice(-MAX_LISTED).map(({ sessionId, callId, tool, at, why }) => ({
      callId,
      tool,
      at,
      said: factsOf(sessionId)?.calls.get(callId)?.said || why,
    })),
    request: {
      sessionId: last?.sessionId ?? '',
      messageId,
      text: facts.requests.get(messageId) ?? '',
    },
    checks,
    tests: tests.slice(0, MAX_LISTED),
    doubts: doubtsOf(change, subject, { checks, tests }),
  };
}

/** The calls that made a change, each once, oldest first. */
export function authorsOf({ review, hunk }: PendingChange): readonly Attribution[] {
  const all = hunk === undefined ? review.wholeFileBy : hunk.by;
  return [...new Map(all.map((one) => [one.callId, one])).values()];
}

interface Subject {
  readonly review: FileReview;
  readonly by: readonly Attribution[];
  readonly facts: SessionFacts;
  readonly file: FileState;
}

/** When the file became what it is, in milliseconds since the epoch, as far as anybody knows. */
function changedAt({ review, file }: Subject): number {
  // File systems count parts of milliseconds.
  return Math.max(Math.floor(file.modifiedAt ?? -Infinity), lastCallAt(review));
}

/** By review: each of its changes asks. */
const lastCalls = new WeakMap<FileReview, number>();

function lastCallAt(review: FileReview): number {
  const known = lastCalls.get(review);
  if (known !== undefined) return known;
  const last = listAuthors(review).reduce((latest, { at }) => Math.max(latest, at), -Infinity);
  lastCalls.set(review, last);
  return last;
}

/** From before the first of its calls to the last answer: what came and went in between is no news. */
function checksOf({ review, by, facts }: Subject): ChangeChecks {
  const { path, renamedFrom = path } = review;
  const all = [...new Set([renamedFrom, path])].flatMap((one) => facts.checks.get(one) ?? []);
  const first = all.find(({ callId }) => callId === by[0]?.callId);
  const last = all.at(-1)?.file;
  if (first === undefined || last === undefined) return { state: 'not asked' };
  const { at } = last;
  if (!last.answered) return { state: 'no answer', at };
  if (first.file.cut === true || last.cut === true) return { state: 'unclear', at };
  return { state: 'answered', at, fresh: newProblems(first.file.before, last.after) };
}

/** Newest first. A run covers what the file is now when the file has not changed since it began. */
function testsOf(subject: Subject): readonly ChangeTestRun[] {
  const { by, facts, file } = subject;
  const positions = by.flatMap(({ callId }) => facts.calls.get(callId)?.position ?? []);
  if (positions.length === 0 || positions.length < by.length) return [];
  const made = Math.max(...positions);
  const madeAt = Math.max(...by.map(({ at }) => at));
  const since = changedAt(subject);
  return facts.tests
    .filter(({ position, at }) => position > made && at >= madeAt)
    .map((run) => ({ ...run, covers: run.at >= since && !file.unsaved }))
    .toReversed();
}

function doubtsOf(
  { hunk }: PendingChange,
  subject: Subject,
  { checks, tests }: Pick<ChangeEvidence, 'checks' | 'tests'>,
): readonly ChangeDoubt[] {
  const { review, by, facts, file } = subject;
  const isKnown = by.length > 0 && by.every(({ callId }) => facts.calls.has(callId));
  return [
    ...(hunk?.editedByUser === true ? (['edited'] as const) : []),
    ...(isKnown ? [] : (['unknown'] as const)),
    ...(review.renamedFrom === undefined ? [] : (['renamed'] as const)),
    ...(file.unsaved ? (['unsaved'] as const) : []),
    ...checkDoubts(checks, changedAt(subject)),
    ...testDoubts(tests.filter(({ covers }) => covers)),
  ];
}

function checkDoubts(checks: ChangeChecks, since: number): readonly ChangeDoubt[] {
  switch (checks.state) {
    case 'not asked':
      return ['not checked'];
    case 'no answer':
      return ['no answer'];
    case 'unclear':
      return ['unclear problems'];
    case 'answered':
      return [
        ...(checks.fresh.length > 0 ? (['new problems'] as const) : []),
        ...(since > checks.at ? (['changed since checked'] as const) : []),
      ];
    default:
      return checks satisfies never;
  }
}

/** Of each command line its last run counts: what failed and was mended is no doubt any more. */
function testDoubts(covering: readonly ChangeTestRun[]): readonly ChangeDoubt[] {
  if (covering.length === 0) return ['not tested'];
  const last = new Map(covering.toReversed().map((run) => [run.command, run.result]));
  const results = [...last.values()];
  if (results.includes('failed')) return ['tests failed'];
  return results.includes('passed') ? [] : ['tests unclear'];
}
