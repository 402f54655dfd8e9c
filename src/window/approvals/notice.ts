import * as l10n from '@vscode/l10n';
import type { Pending } from './approval-queue.ts';
import { filledLines } from '../../domain/text/text-end.ts';

/** Characters of a detail that a notification shows whole; VS Code cuts longer ones. */
const WHOLE = 160;

/** The words of a notification about something that waits, and the answers it offers. */
export interface Notice {
  readonly text: string;
  /**
   * Yes may be said here: only when the whole of what will happen is in the text. An edit is shown
   * as a diff first, a long command in the panel.
   */
  readonly mayAllow: boolean;
  readonly mayDeny: boolean;
}

export function noticeOf(pending: Pending, sessionTitle: string | undefined): Notice {
  const from = sessionTitle === undefined || sessionTitle === '' ? '' : ` (${sessionTitle})`;
  if (pending.kind === 'question') {
    return {
      text: l10n.t('Belay asks{0}: {1}', from, cut(oneLine(pending.question.question))),
      mayAllow: false,
      mayDeny: false,
    };
  }
  const { title, detail, where = '', reason = '', edits } = pending.question;
  if (edits !== undefined)
    return {
      text: l10n.t('Belay wants to edit{0}: {1}', from, title),
      mayAllow: false,
      mayDeny: true,
    };
  const shown = oneLine([detail, where, reason].filter((words) => words !== '').join('\n'));
  return {
    text: l10n.t(
      'Belay waits for your approval{0}: {1}{2}',
      from,
      title,
      shown === '' ? '' : `: ${cut(shown)}`,
    ),
    mayAllow: cut(shown) === shown,
    mayDeny: true,
  };
}

/** Line ends are shown, so that nothing hides behind one. */
function oneLine(text: string): string {
  return filledLines(text).join(' ⏎ ');
}

function cut(line: string): string {
  return line.length <= WHOLE ? line : `${line.slice(0, WHOLE - 1)}…`;
}
