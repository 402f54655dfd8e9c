import * as l10n from '@vscode/l10n';
import { plural } from '../domain/text/language.ts';
export interface StatusInput {
  /** Sessions with a run. */
  readonly running: number;
  /** Approvals and questions that wait for the person. */
  readonly pending: number;
  /** Pending changes of files that nobody has decided about. */
  readonly changes: number;
  /** Sessions with a run that was cut off and can go on. */
  readonly cutOff: number;
  readonly session?: {
    readonly title: string;
    /** US dollars. */
    readonly cost: number;
    /** A part of the cost is not known. */
    readonly costUnknown: boolean;
  };
}

export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  /** For screen readers: the text without icons. */
  readonly label: string;
  /** Drawn in the warning colours: someone waits. */
  readonly warning: boolean;
}

/** The one line of the status bar: who waits first, then what runs, what was cut off, what is to be reviewed, and its cost. */
export function statusText({
  running,
  pending,
  changes,
  cutOff,
  session,
}: StatusInput): StatusText {
  const cost = session === undefined ? '' : costText(session.cost, session.costUnknown);
  const lines = [
    ...(pending > 0 ? [plural(pending, '{0} thing waits for you', '{0} things wait for you')] : []),
    ...(cutOff > 0
      ? [
          plural(
            cutOff,
            '{0} session was cut off and can go on',
            '{0} sessions were cut off and can go on',
          ),
        ]
      : []),
    ...(changes > 0 ? [plural(changes, '{0} change to review', '{0} changes to review')] : []),
    ...(running > 0 ? [plural(running, '{0} session is running', '{0} sessions are running')] : []),
    ...(session === undefined ? [] : [`${session.title}${cost === '' ? '' : `: ${cost}`}`]),
  ];
  const tooltip = ['Belay', ...lines].join('\n');
  if (pending > 0) {
    const label = l10n.t('Belay: {0} waiting', pending);
    return { text: `$(bell-dot) ${label}`, tooltip, label, warning: true };
  }
  const suffix = cost === '' ? '' : ` ${cost}`;
  const review =
    changes > 0 ? plural(changes, '{0} change to review', '{0} changes to review') : '';
  if (running > 0) {
    const work = running === 1 ? l10n.t('Belay working') : l10n.t('Belay: {0} working', running);
    const label = `${work}${review === '' ? '' : `, ${review}`}${suffix}`;
    return { text: `$(loading~spin) ${label}`, tooltip, label, warning: false };
  }
  if (cutOff > 0) {
    const label = l10n.t('Belay: {0} cut off', cutOff);
    return { text: `$(debug-continue) ${label}`, tooltip, label, warning: true };
  }
  if (review !== '') {
    const label = `Belay: ${review}${suffix}`;
    return { text: `$(diff) ${label}`, tooltip, label, warning: false };
  }
  const label = `Belay${suffix}`;
  return { text: label, tooltip, label, warning: false };
}

/** "$0.042", "$1.20", "≥ $0.10" where a part is unknown; empty for nothing. */
export function costText(cost: number, unknown: boolean): string {
  if (cost === 0) return '';
  const amount =
    cost < 0.01 ? '<$0.01' : `$${cost < 1 ? cost.toFixed(3).replace(/0$/u, '') : cost.toFixed(2)}`;
  return unknown ? `≥ ${amount.replace('<', '')}` : amount;
}
