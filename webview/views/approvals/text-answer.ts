import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import { KEYS } from '../../keyboard/platform.ts';
import { usePanel, type Panel } from '../../panel.ts';
import { useArmed } from './gate.ts';

/** Tells how the message box answers while something waits for the user. */
export interface TextAnswer {
  /** The question that a text without attachments answers now. */
  readonly questionId: string | undefined;
  /** Tells what Enter does with a text; empty: nothing waits. */
  readonly hint: string;
}

/**
 * Finds the question that a text in the message box answers: the agent's own, when nothing else waits. Forms of servers
 * need their fields, and a paused budget is not a question of the agent. A draft that was begun before the question
 * answers it only when the question was on screen long enough to be noticed.
 */
export function useTextAnswer(draft: string, hasChips: boolean): TextAnswer {
  const { approvals, questions } = usePanel().store.session;
  const waiting = approvals.value.length + questions.value.length;
  const question = waiting > 1 ? undefined : questions.value[0];
  const isText = question !== undefined && question.request === null && question.callId !== '';
  const questionId = isText ? question.questionId : '';
  const armed = useArmed(questionId);
  const first = useRef({ questionId: '', isBegun: false });
  if (first.current.questionId !== questionId)
    first.current = { questionId, isBegun: draft.trim() !== '' };
  if (isText && !hasChips && (armed || !first.current.isBegun))
    return {
      questionId,
      hint: l10n.t('Enter answers the question. {0} queues your message.', KEYS.second),
    };
  return { questionId: undefined, hint: queueHint(approvals.value.length, waiting, isText) };
}

function queueHint(approvals: number, waiting: number, isText: boolean): string {
  if (waiting === 0) return '';
  if (approvals > 0) return l10n.t('Approval pending – Enter queues your message');
  return isText
    ? l10n.t('An answer takes only text – Enter queues your message')
    : l10n.t('Answer on the card – Enter queues your message');
}

/** Gives a text as the answer, as the question's card does. @returns false when it was not taken */
export async function answerWith(panel: Panel, questionId: string, text: string): Promise<boolean> {
  const ask = async (): Promise<boolean> =>
    (await panel.host.ask('answerQuestion', { questionId, text })) !== undefined;
  panel.conversation.toEnd.value += 1;
  // A card in a folded series is not on the page.
  return (panel.questions.answers.get(questionId) ?? ask)(text);
}
