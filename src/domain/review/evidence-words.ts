import * as l10n from '@vscode/l10n';
import type {
  ChangeChecks,
  ChangeDoubt,
  ChangeEvidence,
  ChangeTestRun,
  KeptProblem,
} from './evidence.ts';
import { count } from '../text/language.ts';

/** Tells a time of the day: "10:32". */
type Time = (at: number) => string;

const timeOf: Time = (at) => {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes()].map((one) => String(one).padStart(2, '0')).join(':');
};

/** "2 new errors and 1 new warning". */
function freshText(fresh: readonly KeptProblem[]): string {
  const { length: errors } = fresh.filter(({ severity }) => severity === 'error');
  const { length: warnings } = fresh.filter(({ severity }) => severity === 'warning');
  const words = [
    errors === 0 ? '' : count(errors, 'new error'),
    warnings === 0 ? '' : count(warnings, 'new warning'),
  ].filter((one) => one !== '');
  return words.length < 2 ? words.join() : l10n.t('{0} and {1}', ...words);
}

/** The word of language servers after a change, and when they were asked. */
export function checksText(checks: ChangeChecks): string {
  switch (checks.state) {
    case 'not asked':
      return l10n.t('No language server was asked.');
    case 'no answer':
      return l10n.t(
        'No language server had looked at the file in time (asked {0}).',
        timeOf(checks.at),
      );
    case 'unclear':
      return l10n.t(
        'The file has too many problems to tell new ones from old ones (asked {0}).',
        timeOf(checks.at),
      );
    case 'answered': {
      const { fresh, at } = checks;
      const what = fresh.length === 0 ? l10n.t('No new problems') : freshText(fresh);
      const text = l10n.t('{0} in the file (asked {1})', what, timeOf(at));
      return `${text}${fresh.length === 0 ? '.' : ':'}`;
    }
    default:
      return checks satisfies never;
  }
}

/** "line 5: Type string is not assignable to type number. [ts 2322]". */
export function problemText({ line, message, source, code }: KeptProblem): string {
  const by = [source, code].filter((part) => part !== '').join(' ');
  return `${l10n.t('line {0}', line)}: ${message}${by === '' ? '' : ` [${by}]`}`;
}

const RESULTS: Readonly<Record<ChangeTestRun['result'], string>> = {
  passed: l10n.t('passed'),
  failed: l10n.t('failed'),
  unclear: l10n.t('not clear'),
};

/** The end of a run of tests: "passed: 12 passed, exit code 0 (10:33)". */
export function testText(run: ChangeTestRun): string {
  const { result, passed, failed, skipped, exitCode, timedOut, hidden, covers, at } = run;
  const facts = [
    ...(timedOut ? [l10n.t('timed out')] : []),
    ...(failed === undefined ? [] : [l10n.t('{0} failed', failed)]),
    ...(passed === undefined
      ? [l10n.t('no tests counted in its output')]
      : [l10n.t('{0} passed', passed)]),
    ...((skipped ?? 0) > 0 ? [l10n.t('{0} skipped', skipped ?? 0)] : []),
    ...(exitCode === undefined ? [] : [l10n.t('exit code {0}', exitCode)]),
    ...(hidden ? [l10n.t('which may be that of another command of the line')] : []),
  ];
  const later = covers ? '' : `; ${l10n.t('the file has changed since')}`;
  const word = RESULTS[result];
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
}: ChangeEvidence): readonly { readonly title: string; readonly text: string }[] {
  const fresh = checks.state === 'answered' ? checks.fresh.slice(0, MOST) : [];
  const said = calls.slice(-MOST).filter((call) => call.said !== '');
  const why = [
    ...said.map((call) => ({ title: l10n.t('Why'), text: `“${call.said}”` })),
    ...(request.text === '' ? [] : [{ title: l10n.t('For'), text: `“${request.text}”` }]),
  ];
  const runs = tests.slice(0, MOST).map((run) => `${run.command}, ${testText(run)}`);
  return [
    ...why,
    {
      title: l10n.t('Language servers'),
      text: [checksText(checks), ...fresh.map(problemText)].join(' '),
    },
    ...(runs.length === 0 ? [l10n.t('No test run began after it.')] : runs).map((text) => ({
      title: l10n.t('Tests'),
      text,
    })),
  ];
}

/** Why a change is not green, as part of a sentence. */
export function doubtText(doubt: ChangeDoubt): string {
  return DOUBTS[doubt];
}

const DOUBTS: Readonly<Record<ChangeDoubt, string>> = {
  edited: l10n.t('you or another program changed lines of it'),
  unknown: l10n.t('the call that made it is not on record'),
  renamed: l10n.t('a new name goes with it, which nobody looked at'),
  unsaved: l10n.t('the file is not saved'),
  'not checked': l10n.t('no language server was asked after it'),
  'no answer': l10n.t('no language server had looked at it in time'),
  'unclear problems': l10n.t('new problems could not be told from old ones'),
  'new problems': l10n.t('there are new problems in the file'),
  'changed since checked': l10n.t('the file changed after language servers were asked'),
  'not tested': l10n.t("no test run began after the file's last change"),
  'tests failed': l10n.t("a test run after the file's last change failed"),
  'tests unclear': l10n.t("no test run after the file's last change is known to have passed"),
};

/** The evidence of a change in a few words: "no new problems · tests passed". */
export function evidenceSummary({ checks, tests, doubts }: ChangeEvidence): string {
  if (doubts[0] === 'unsaved') return '';
  const fresh = checks.state === 'answered' ? checks.fresh : [];
  const isOld = doubts.includes('changed since checked');
  const problems =
    fresh.length > 0
      ? freshText(fresh)
      : checks.state === 'answered' && !isOld
        ? l10n.t('no new problems')
        : '';
  const ran = tests.some(({ covers }) => covers);
  const failed = doubts.includes('tests failed');
  const unclear = doubts.includes('tests unclear');
  const outcome = failed
    ? l10n.t('tests failed')
    : unclear
      ? l10n.t('tests not clear')
      : l10n.t('tests passed');
  return [problems, ran ? outcome : l10n.t('not tested since')]
    .filter((word) => word !== '')
    .join(' · ');
}

/** The meaning of green, said before anything is kept for it. */
export const GREEN_MEANS = l10n.t(
  'Green means: after its last edit language servers saw no new problems in the file, a test run that began later passed, none failed, and the file has not changed since. It does not mean that a test reaches these lines.',
);
