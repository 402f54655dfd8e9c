import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ApprovalView } from '../../src/protocol/view.ts';
import { usePanel } from '../panel.ts';
import { Button } from './button.tsx';

/** Questions that have just come up take no answer that was meant for something else, in milliseconds. */
const ARMED_AFTER = 500;

/**
 * Several questions of one run at once: what each is about, a choice for each, and one answer for all.
 * What is not chosen is denied, with one reason.
 */
export function ApprovalGroup(): ComponentChildren {
  const { session } = usePanel().store;
  const { approvals } = session;
  const runs = new Set(approvals.value.map(({ runId }) => runId));
  return [...runs].map((runId) => {
    const group = approvals.value.filter((approval) => approval.runId === runId);
    return group.length < 2 ? null : <Group key={runId} group={group} />;
  });
}

function Group({ group }: { readonly group: readonly ApprovalView[] }): ComponentChildren {
  const panel = usePanel();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState('');
  const [armed, setArmed] = useState(false);
  const [answered, setAnswered] = useState(false);
  const ids = group.map(({ questionId }) => questionId).join(' ');
  useEffect(() => {
    setArmed(false);
    setAnswered(false);
    const timer = setTimeout(() => setArmed(true), ARMED_AFTER);
    return () => clearTimeout(timer);
  }, [ids]);
  const answer = async (isAllowed: (one: ApprovalView) => boolean): Promise<void> => {
    setAnswered(true);
    const why = reason.trim();
    // What is allowed goes first: a no cancels what was not decided yet.
    const order = [...group.filter(isAllowed), ...group.filter((one) => !isAllowed(one))];
    for (const one of order) {
      const { questionId, hash } = one;
      const allowed = isAllowed(one);
      const told = allowed || why === '' ? {} : { reason: why };
      await panel.ask('answerApproval', { questionId, hash, allowed, ...told });
    }
    setAnswered(false);
  };
  const chosen = group.filter(({ questionId }) => !left.has(questionId)).length;
  const toggle = (questionId: string): void => {
    const next = new Set(left);
    if (!next.delete(questionId)) next.add(questionId);
    setLeft(next);
  };
  const disabled = answered || !armed;
  return (
    <section class="approval-group" aria-label={`${group.length} things wait for your yes`}>
      <h2>{`${group.length} things wait for your yes`}</h2>
      <ul>
        {group.map((one) => (
          <li key={one.questionId}>
            <label>
              <input
                type="checkbox"
                checked={!left.has(one.questionId)}
                onChange={() => toggle(one.questionId)}
              />
              <span class="words">
                {one.title}
                <code tabIndex={0}>{shownOf(one)}</code>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <div class="approval-buttons">
        <Button
          kind="primary"
          disabled={disabled || chosen === 0}
          onClick={() => void answer(({ questionId }) => !left.has(questionId))}
        >
          {chosen === group.length ? 'Allow all' : `Allow ${chosen}, deny ${group.length - chosen}`}
        </Button>
        <Button disabled={answered} onClick={() => void answer(() => false)}>
          Deny all
        </Button>
        <Button
          disabled={answered}
          title="Deny all and stop the run (Esc)"
          onClick={() => panel.stop()}
        >
          Stop
        </Button>
      </div>
      <input
        type="text"
        class="reason"
        value={reason}
        placeholder="Reason for what you deny"
        aria-label="Reason for the model, for what you deny"
        disabled={answered}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
    </section>
  );
}

/** All of it: an answer for all is one for everything that is said here. The diff of an edit is on its card. */
function shownOf({ detail, edit }: ApprovalView): string {
  return edit === null
    ? detail.replaceAll(/\n{2,}/gu, '\n')
    : `${edit.path} +${edit.added} −${edit.removed}`;
}
