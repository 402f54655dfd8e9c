import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalView } from '../../../src/protocol/view.ts';
import { usePanel } from '../../panel.ts';
import { Button } from '../elements/button.tsx';
import { useArmed, useJudging } from './judging.ts';

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
    return group.length < 2 ? null : <Group key={runId} id={`group ${runId}`} group={group} />;
  });
}

interface GroupProps {
  readonly id: string;
  readonly group: readonly ApprovalView[];
}

function Group({ id, group }: GroupProps): ComponentChildren {
  const panel = usePanel();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState('');
  const [answered, setAnswered] = useState(false);
  const ids = group.map(({ questionId }) => questionId).join(' ');
  useEffect(() => setAnswered(false), [ids]);
  const chosen = group.filter(({ questionId }) => !left.has(questionId));
  const unread = chosen.find(({ questionId }) => !panel.read.value.has(questionId));
  const armed = useArmed(`${ids} ${unread === undefined}`);
  const answer = async (isAllowed: (one: ApprovalView) => boolean): Promise<void> => {
    if (answered || !armed) return;
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
  const show = (): void => panel.cards.get(unread?.questionId ?? '')?.show();
  const allow = (): void => {
    if (unread !== undefined) show();
    else if (chosen.length > 0) void answer(({ questionId }) => !left.has(questionId));
  };
  const deny = (): void => void answer(() => false);
  useEffect(() => void panel.cards.set(id, { allow, deny, show }));
  useEffect(() => () => void panel.cards.delete(id), [id]);
  const toggle = (questionId: string): void => {
    const next = new Set(left);
    if (!next.delete(questionId)) next.add(questionId);
    setLeft(next);
  };
  const disabled = answered || !armed;
  const title = `${group.length} things wait for your yes`;
  return (
    <section class="approval-group" aria-label={title} data-question={id}>
      <h2>{title}</h2>
      <ul>
        {group.map((one) => (
          <GroupRow
            key={one.questionId}
            approval={one}
            chosen={!left.has(one.questionId)}
            onToggle={() => toggle(one.questionId)}
          />
        ))}
      </ul>
      <div class="approval-buttons">
        <Button
          kind="primary"
          answer={unread === undefined ? 'allow' : 'show'}
          disabled={disabled || chosen.length === 0}
          onClick={allow}
        >
          {yesWords(unread !== undefined, chosen.length, group.length)}
        </Button>
        <Button answer="deny" disabled={disabled} onClick={deny}>
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

function yesWords(unread: boolean, chosen: number, all: number): string {
  if (unread) return 'Show what was not on screen';
  return chosen === all ? 'Allow all' : `Allow ${chosen}, deny ${all - chosen}`;
}

interface GroupRowProps {
  readonly approval: ApprovalView;
  readonly chosen: boolean;
  readonly onToggle: () => void;
}

/** All of it: an answer for all is one for everything that is said here. The diff of an edit is on its card. */
function GroupRow({ approval, chosen, onToggle }: GroupRowProps): ComponentChildren {
  const { questionId, title, detail, edit, where, reason } = approval;
  const content = useRef<HTMLElement>(null);
  useJudging(questionId, edit === null ? content : { current: null });
  return (
    <li>
      <label>
        <input type="checkbox" checked={chosen} onChange={onToggle} />
        <span class="words">
          {title}
          <code class="read-content" ref={content} tabIndex={0}>
            {edit === null ? detail : `${edit.path} +${edit.added} −${edit.removed}`}
          </code>
          {[where, reason].map((words) =>
            words === '' ? null : (
              <span class="why" key={words}>
                {words}
              </span>
            ),
          )}
        </span>
      </label>
    </li>
  );
}
