import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FormRequest } from '../../../src/domain/mcp/server-request.ts';
import type { QuestionView } from '../../../src/protocol/view.ts';
import { usePanel } from '../../panel.ts';
import { useArmed } from '../approvals/gate.ts';
import { Button } from '../elements/button.tsx';
import { Field } from './form-field.tsx';
import { complaintAbout, type Typed, typedForm, valueOf } from './form-values.ts';
import { ServerCard } from './server-card.tsx';

/** Milliseconds after a key until what is written is given to the host to keep. */
const KEEP_AFTER = 250;

interface FormProps {
  readonly question: QuestionView;
  readonly request: FormRequest;
}

/** A form that a server wants filled in: sent with what is seen in it, declined, or closed. */
export function ServerForm({ question, request }: FormProps): ComponentChildren {
  const panel = usePanel();
  const { questionId } = question;
  const { fields, hash } = request;
  const [typed, setTyped] = useState(() => typedForm(fields, question.typed));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [answered, setAnswered] = useState(false);
  const armed = useArmed(questionId);
  useKept(questionId, typed, answered);
  const idOf = (name: string): string =>
    `${questionId}-${fields.findIndex((field) => field.name === name)}`;
  const answer = async (action: 'accept' | 'decline' | 'cancel'): Promise<void> => {
    const wrong = fields.find((field) => complaintAbout(field, typed[field.name] ?? '') !== '');
    if (!armed || answered) return;
    if (action === 'accept' && wrong !== undefined) {
      setLeft(new Set(fields.map(({ name }) => name)));
      document.querySelector<HTMLElement>(`#${CSS.escape(idOf(wrong.name))}`)?.focus();
      return;
    }
    setAnswered(true);
    const content = Object.fromEntries(
      fields.map((field) => [field.name, valueOf(field, typed[field.name] ?? '')]),
    ) as Parameters<typeof panel.host.ask<'answerServer'>>[1]['content'];
    const params = { questionId, hash, action, content: action === 'accept' ? content : {} };
    if ((await panel.host.ask('answerServer', params)) === undefined) setAnswered(false);
  };
  const type = (name: string, value: Typed): void =>
    setTyped((before) => ({ ...before, [name]: value }));
  const disabled = answered || !armed;
  return (
    <ServerCard question={question} request={request}>
      <div class="fields">
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            id={idOf(field.name)}
            typed={typed[field.name] ?? ''}
            complaint={left.has(field.name) ? complaintAbout(field, typed[field.name] ?? '') : ''}
            disabled={answered}
            onType={(value) => type(field.name, value)}
            onLeave={() => setLeft((before) => new Set(before).add(field.name))}
            onEnter={() => void answer('accept')}
          />
        ))}
      </div>
      {/* The field keeps the focus until the click is whole: what it complains of when it is left would move the button away. */}
      <div class="approval-buttons" onMouseDown={(event) => event.preventDefault()}>
        <Button
          kind="primary"
          answer="accept"
          disabled={disabled}
          title={l10n.t('Send this to the MCP server “{0}”', request.server)}
          onClick={() => void answer('accept')}
        >
          {fields.length === 0 ? l10n.t('Agree') : l10n.t('Send')}
        </Button>
        <Button
          answer="decline"
          disabled={disabled}
          title={l10n.t('The server is told that you say no')}
          onClick={() => void answer('decline')}
        >
          {l10n.t('Decline')}
        </Button>
        <Button
          answer="cancel"
          disabled={disabled}
          title={l10n.t('Closed without an answer: neither yes nor no')}
          onClick={() => void answer('cancel')}
        >
          {l10n.t('Cancel')}
        </Button>
      </div>
    </ServerCard>
  );
}

/** Gives what is written to the host a moment after each change: the panel may be hidden, or loaded anew. */
function useKept(questionId: string, typed: Record<string, Typed>, answered: boolean): void {
  const panel = usePanel();
  const first = useRef(typed);
  useEffect(() => {
    if (typed === first.current || answered) return undefined;
    const keep = (): void => {
      const changeable = Object.entries(typed).map(
        ([name, value]) => [name, typeof value === 'string' ? value : [...value]] as const,
      );
      panel.host.do('keepForm', { questionId, typed: Object.fromEntries(changeable) });
    };
    const timer = setTimeout(keep, KEEP_AFTER);
    return () => clearTimeout(timer);
  }, [typed, answered]);
}
