import * as l10n from '@vscode/l10n';
import { type Failure, type FailureCode, wordsOf } from '../../domain/failure.ts';
import type { LastRestore } from '../../core/restore/restore-values.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import type { RunEnd, RunEndReason } from '../../domain/run.ts';
import {
  type NoticeAction,
  type NoticeView,
  type RunEndView,
  END_NOTICE,
} from '../../protocol/view.ts';
import { count, plural } from '../../domain/text/language.ts';

/** The buttons that help with a failure, most helpful first (D10). */
function actionsFor(code: FailureCode): readonly NoticeAction[] {
  switch (code) {
    case 'auth':
    case 'permission':
      return ['set_api_key', 'choose_model'];
    case 'config':
      return ['set_api_key', 'try_demo', 'open_settings'];
    case 'model_not_found':
    case 'refusal':
    case 'billing':
      return ['choose_model', 'open_settings'];
    case 'context_overflow':
    case 'context_limit':
    case 'request_too_large':
    case 'output_limit':
      return ['compact', 'choose_model'];
    case 'budget':
    case 'invalid':
      return ['open_settings'];
    case 'network':
    case 'timeout':
    case 'overloaded':
    case 'rate_limited':
    case 'stream_broken':
    case 'empty_response':
    case 'max_iterations':
    case 'time_limit':
    case 'canceled':
    case 'busy':
    case 'not_found':
    case 'resume_unsafe':
    case 'stuck':
      return [];
    case 'bad_response':
    case 'history_rejected':
    case 'image_rejected':
    case 'tool_schema_rejected':
    case 'api':
    case 'tool':
    case 'store':
    case 'unexpected':
      return ['show_log'];
    default:
      return code satisfies never;
  }
}

/** Failures of a limit: the run goes on where it paused, and nothing is retried. */
const PAUSES: ReadonlySet<FailureCode> = new Set([
  'max_iterations',
  'time_limit',
  'budget',
  'stuck',
]);

/** A notice for a failure. */
export function failureNotice(id: string, failure: Failure, canContinue: boolean): NoticeView {
  const actions = actionsFor(failure.code);
  const passes = actions.every((action) => action === 'show_log');
  const again: NoticeAction = PAUSES.has(failure.code) ? 'continue' : 'retry';
  const isLost = failure.code === 'stream_broken' || failure.details?.['problem'] === 'lost';
  return {
    id,
    level: failure.code === 'max_iterations' || failure.code === 'time_limit' ? 'warning' : 'error',
    message: isLost
      ? l10n.t('The connection was lost. Everything so far is kept.')
      : wordsOf(failure),
    actions: [
      ...(canContinue && passes ? [again] : []),
      ...actions,
      ...(canContinue && !passes ? [again] : []),
      ...(passes && !actions.includes('show_log') && failure.code !== 'max_iterations'
        ? (['show_log'] as const)
        : []),
    ],
  };
}

/** The notice about the end of a run, with the way on; none when it ended well. */
export function endNotice(end: RunEnd): NoticeView | undefined {
  if (end.failure !== undefined && end.failure.code !== 'canceled') {
    return failureNotice(END_NOTICE, end.failure, end.canContinue);
  }
  const message = sentenceFor(end);
  if (message === undefined) return undefined;
  const actions: NoticeAction[] = end.canContinue ? ['continue'] : [];
  if (end.reason === 'budget') actions.push('open_settings');
  if (end.reason === 'context_limit') actions.push('compact');
  return {
    id: END_NOTICE,
    level: levelOf(end.reason),
    message,
    actions,
  };
}

function levelOf(reason: RunEndReason): NoticeView['level'] {
  if (reason === 'failure') return 'error';
  return reason === 'canceled' ? 'info' : 'warning';
}

function sentenceFor(end: RunEnd): string | undefined {
  switch (end.reason) {
    case 'canceled':
      return end.canContinue
        ? l10n.t('You stopped this run. Everything so far is kept.')
        : undefined;
    case 'done':
    case 'denied':
    case 'needs_human':
      return undefined;
    case 'max_iterations':
      return l10n.t(
        'Paused: this run has made as many model calls as belay.loop.maxIterations allows. Everything so far is kept.',
      );
    case 'time_limit':
      return l10n.t(
        'Paused: this run has worked as long as its time limit allows. Everything so far is kept.',
      );
    case 'budget':
      return l10n.t('Stopped: the token budget is used up. Everything so far is kept.');
    case 'context_limit':
      return l10n.t(
        'Stopped: the conversation no longer fits into the model’s context window. Everything so far is kept.',
      );
    case 'failure':
      return l10n.t(
        'The run ended with a failure. Everything so far is kept; send a message to go on.',
      );
    default:
      return end.reason satisfies never;
  }
}

/** The end of a run for the panel. */
export function endView(end: RunEnd): RunEndView {
  return {
    reason: end.reason,
    canContinue: end.canContinue,
    failure:
      end.failure === undefined ? null : { code: end.failure.code, message: wordsOf(end.failure) },
  };
}

/** The notice about the last restore, with the way back. */
export function restoredNotice(last: LastRestore): NoticeView {
  const { what, title, messages, files, isSnapshot = false } = last;
  const place = isSnapshot ? l10n.t('in “{0}”', title) : l10n.t('before “{0}”', title);
  const changed = count(files, 'file');
  const taken = plural(
    messages,
    '{0} message is kept as a snapshot',
    '{0} messages are kept as a snapshot',
  );
  const sentences = {
    files: l10n.t('{0} restored to {1}.', changed, place),
    conversation: l10n.t(
      'The conversation is as it was {0}: {1}. Files were not changed.',
      place,
      taken,
    ),
    both: l10n.t('{0} and the conversation are as they were {1}: {2}.', changed, place, taken),
  } as const;
  return {
    id: 'restored',
    level: 'info',
    message: makeVisible(sentences[what]),
    actions: ['redo_restore'],
  };
}
