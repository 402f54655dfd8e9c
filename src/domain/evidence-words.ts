import type {
  ChangeChecks,
  ChangeDoubt,
  ChangeEvidence,
  ChangeTestRun,
  KeptProblem,
} from './evidence.ts';

/** Tells a time of the day: "10:32". */
type Time = (at: number) => string;

const timeOf: Time = (at) => {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes()].map((one) => String(one).padStart(2, '0')).join(':');
};

const counted = (number: number, one: string): string =>
  `${number} ${one}${number === 1 ? '' : 's'}`;

/** "2 new errors and 1 new warning". */
function freshText(fresh: readonly KeptProblem[]): string {
  const of = (severity: KeptProblem['severity']): readonly string[] => {
    const { length } = fresh.filter((one) => one.severity === severity);
    return length === 0 ? [] : [counted(length, `new ${severity}`)];
  };
  return [...of('error'), ...of('warning')].join(' and ');
}

/** The word of language servers after a change, and when they were asked. */
export function checksText(checks: ChangeChecks): string {
  switch (checks.state) {
    case 'not asked':
      return 'No language server was asked.';
    case 'no answer':
      return `No language server had looked at the file in time (asked ${timeOf(checks.at)}).`;
    case 'unclear':
      return `The file has too many problems to tell new ones from old ones (asked ${timeOf(checks.at)}).`;
    case 'answered': {
      const { fresh, at } = checks;
      const what = fresh.length === 0 ? 'No new problems' : freshText(fresh);
      return `${what} in the file (asked ${timeOf(at)})${fresh.length === 0 ? '.' : ':'}`;
    }
    default:
      return checks satisfies never;
  }
}

/** "line 5: Type string is not assignable to type number. [ts 2322]". */
export function problemText({ line, message, source, code }: KeptProblem): string {
  const by = [source, code].filter((part) => part !== '').join(' ');
  return `line ${line}: ${message}${by === '' ? '' : ` [${by}]`}`;
}

/** The end of a run of tests: "passed: 12 passed, exit code 0 (10:33)". */
export function testText(run: ChangeTestRun): string {
  const { result, passed, failed, skipped, exitCode, timedOut, hidden, covers, at } = run;
  const facts = [
    ...(timedOut ? ['timed out'] : []),
    ...(failed === undefined ? [] : [`${failed} failed`]),
    ...(passed === undefined ? ['no tests counted in its output'] : [`${passed} passed`]),
    ...((skipped ?? 0) > 0 ? [`${skipped} skipped`] : []),
    ...(exitCode === undefined ? [] : [`exit code ${exitCode}`]),
    ...(hidden ? ['which may be that of another command of the line'] : []),
  ];
  const later = covers ? '' : '; the file has changed since';
  const word = result === 'unclear' ? 'not clear' : result;
  return `${word}: ${facts.join(', ')} (${timeOf(at)}${later})`;
}

/** Everything about a change in sentences, for where there is room for a text alone. */
export function evidenceLines(evidence: ChangeEvidence): readonly string[] {
  return evidenceFacts(evidence).map(({ title, text }) => `${title}: ${text}`);
}

/** Reasons, problems and test runs that are named each. */
const MOST = 3;

/** Everything about a change, one thing after the other, with what it is. */
export function evidenceFacts({
  calls,
  request,
  checks,
  tests,
  doubts,
}: ChangeEvidence): readonly { readonly title: string; readonly text: string }[] {
  const fresh = checks.state === 'answered' ? checks.fresh.slice(0, MOST) : [];
  const said = calls.slice(-MOST).filter((call) => call.said !== '');
  const why = [
    ...said.map((call) => ({ title: 'Why', text: `“${call.said}”` })),
    ...(request.text === '' ? [] : [{ title: 'For', text: `“${request.text}”` }]),
  ];
  if (doubts[0] === 'proposed') return why;
  const runs = tests.slice(0, MOST).map((run) => `${run.command}, ${testText(run)}`);
  return [
    ...why,
    {
      title: 'Language servers',
      text: [checksText(checks), ...fresh.map(problemText)].join(' '),
    },
    ...(runs.length === 0 ? ['No test run began after it.'] : runs).map((text) => ({
      title: 'Tests',
      text,
    })),
  ];
}

/** Why a change is not green, as part of a sentence. */
export function doubtText(doubt: ChangeDoubt): string {
  return DOUBTS[doubt];
}

const DOUBTS: Readonly<Record<ChangeDoubt, string>> = {
  proposed: 'it is only proposed, so nothing can have looked at it',
  unknown: 'the call that made it is not on record',
  renamed: 'a new name goes with it, which nobody looked at',
  unsaved: 'the file is not saved',
  'not checked': 'no language server was asked after it',
  'no answer': 'no language server had looked at it in time',
  'unclear problems': 'new problems could not be told from old ones',
  'new problems': 'there are new problems in the file',
  'changed since checked': 'the file changed after language servers were asked',
  'not tested': "no test run began after the file's last change",
  'tests failed': "a test run after the file's last change failed",
  'tests unclear': "no test run after the file's last change is known to have passed",
};

/** The evidence of a change in a few words: "no new problems · tests passed". */
export function evidenceSummary({ checks, tests, doubts }: ChangeEvidence): string {
  if (doubts[0] === 'proposed' || doubts[0] === 'unsaved') return '';
  const fresh = checks.state === 'answered' ? checks.fresh : [];
  const isOld = doubts.includes('changed since checked');
  const problems =
    fresh.length > 0
      ? freshText(fresh)
      : checks.state === 'answered' && !isOld
        ? 'no new problems'
        : '';
  const ran = tests.some(({ covers }) => covers);
  const failed = doubts.includes('tests failed');
  const unclear = doubts.includes('tests unclear');
  const outcome = failed ? 'tests failed' : unclear ? 'tests not clear' : 'tests passed';
  return [problems, ran ? outcome : 'not tested since'].filter((word) => word !== '').join(' · ');
}

/** The meaning of green, said before anything is accepted for it. */
export const GREEN_MEANS =
  'Green means: after its last edit language servers saw no new problems in the file, a test run that began later passed, none failed, and the file has not changed since. It does not mean that a test reaches these lines.';
