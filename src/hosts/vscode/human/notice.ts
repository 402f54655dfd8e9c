import type { Pending } from './desk.ts';

/** Characters of a detail that a notification shows whole; VS Code cuts longer ones. */
const WHOLE = 160;

/** What a notification says about something that waits, and what may be answered from it. */
export interface Notice {
  readonly text: string;
  /**
   * Yes may be said here: only when the whole of what will happen is in the text. An edit is shown
   * as a diff first, a long or many-lined command in the panel.
   */
  readonly mayAllow: boolean;
  readonly mayDeny: boolean;
}

export function noticeOf(pending: Pending, sessionTitle: string | undefined): Notice {
  const from = sessionTitle === undefined || sessionTitle === '' ? '' : ` (${sessionTitle})`;
  if (pending.kind === 'question') {
    return {
      text: `Belay asks${from}: ${shortened(pending.question.question)}`,
      mayAllow: false,
      mayDeny: false,
    };
  }
  const { title, detail, edit } = pending.question;
  if (edit !== undefined) {
    return { text: `Belay proposes${from}: ${title}`, mayAllow: false, mayDeny: true };
  }
  const whole = detail.length <= WHOLE && !detail.includes('\n');
  return {
    text: `Belay waits for your yes${from}: ${title}${detail === '' ? '' : `: ${shortened(detail)}`}`,
    mayAllow: whole,
    mayDeny: true,
  };
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/gu, ' ⏎ ');
  return line.length <= WHOLE ? line : `${line.slice(0, WHOLE - 1)}…`;
}
