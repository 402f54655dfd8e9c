import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalView } from '../../../src/protocol/view.ts';
import { usePanel } from '../../panel.ts';
import { Button } from '../elements/button.tsx';
import { DenyReason, ReasonField } from './approval-answers.tsx';
import { useArmed, useGate } from './gate.ts';
import { joinReason, Reason } from './reason.tsx';

/**
 * Several questions of one run: what each one asks, a choice for each, and one answer for all. Calls that are not chosen
 * are denied, with one reason.
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
  const [isDenying, setDenying] = useState(false);
  const [answered, setAnswered] = useState(false);
  const ids = group.map(({ questionId }) => questionId).join(' ');
  useEffect(() => setAnswered(false), [ids]);
  const chosen = group.filter(({ questionId }) => !left.has(questionId));
  const unseen = chosen.find(({ questionId }) => !panel.questions.seen.value.has(questionId));
  const armed = useArmed(`${ids} ${unseen === undefined}`);
  const answer = async (isAllowed: (one: ApprovalView) => boolean): Promise<void> => {
    if (answered || !armed) return;
    setAnswered(true);
    const why = reason.trim();
    // Allowed calls go first: a no cancels those not decided yet.
    const order = [...group.filter(isAllowed), ...group.filter((one) => !isAllowed(one))];
    for (const one of order) {
      const { questionId, hash } = one;
      const allowed = isAllowed(one);
      const told = allowed || why === '' ? {} : { reason: why };
      await panel.host.ask('answerApproval', { questionId, hash, allowed, ...told });
    }
    setAnswered(false);
  };
  const show = (): void => {
    if (unseen !== undefined) panel.questions.cards.get(unseen.questionId)?.show();
  };
  const allow = (): void => {
    if (unseen !== undefined) show();
    else if (chosen.length > 0) void answer(({ questionId }) => !left.has(questionId));
  };
  const deny = (): void => void answer(() => false);
  useLayoutEffect(() => void panel.questions.cards.set(id, { allow, deny, show }));
  useEffect(() => () => void panel.questions.cards.delete(id), [id]);
  const toggle = (questionId: string): void => {
    const next = new Set(left);
    if (!next.delete(questionId)) next.add(questionId);
    setLeft(next);
  };
  const disabled = answered || !armed;
  const title = l10n.t('{0} approvals pending', group.length);
  return (
    <section class="approval-group" aria-label={title} data-question={id}>
      <h2>{title}</h2>
      <GroupRows group={group} left={left} onToggle={toggle} />
      {isDenying ? (
        <DenyReason
          reason={reason}
          disabled={disabled}
          onReason={(words) => {
            setReason(words ?? '');
            setDenying(words !== undefined);
          }}
          onDeny={deny}
        />
      ) : (
        <div class="approval-buttons">
          <Button
            kind="primary"
            answer={unseen === undefined ? 'allow' : 'show'}
            disabled={disabled || chosen.length === 0}
            onClick={allow}
          >
            {allowWords(unseen !== undefined, chosen.length, group.length)}
          </Button>
          <Button answer="deny" disabled={disabled} onClick={() => setDenying(true)}>
            {l10n.t('Deny all')}
          </Button>
          <Button
            disabled={answered}
            title={l10n.t('Deny all and stop the run (Esc)')}
            onClick={() => panel.run.stop()}
          >
            {l10n.t('Stop')}
          </Button>
        </div>
      )}
      {left.size > 0 && !isDenying && (
        <ReasonField reason={reason} disabled={answered} onReason={setReason} />
      )}
    </section>
  );
}

interface GroupRowsProps {
  readonly group: readonly ApprovalView[];
  /** Ids of those that are not chosen. */
  readonly left: ReadonlySet<string>;
  readonly onToggle: (questionId: string) => void;
}

function GroupRows({ group, left, onToggle }: GroupRowsProps): ComponentChildren {
  return (
    <ul>
      {group.map((one) => (
        <GroupRow
          key={one.questionId}
          approval={one}
          chosen={!left.has(one.questionId)}
          onToggle={() => onToggle(one.questionId)}
        />
      ))}
    </ul>
  );
}

function allowWords(isUnseen: boolean, chosen: number, all: number): string {
  if (isUnseen) return l10n.t('Show what was not on screen');
  return chosen === all ? l10n.t('Allow all') : l10n.t('Allow {0}, deny {1}', chosen, all - chosen);
}

interface GroupRowProps {
  readonly approval: ApprovalView;
  readonly chosen: boolean;
  readonly onToggle: () => void;
}

/** All that the call does; the diff of an edit is on its own card. */
function GroupRow({ approval, chosen, onToggle }: GroupRowProps): ComponentChildren {
  const { questionId, title, detail, edits } = approval;
  const end = useRef<HTMLElement>(null);
  useGate(questionId, edits.length === 0 ? end : { current: null });
  const why = joinReason(approval);
  return (
    <li>
      <label>
        <input type="checkbox" checked={chosen} onChange={onToggle} />
        <span class="words">
          {title}
          <code>
            {edits.length === 0
              ? detail
              : edits.map(({ path, added, removed }) => `${path} +${added} −${removed}`).join('\n')}
          </code>
          <span class="card-end" ref={end} />
          {why !== '' && (
            <span class="why">
              <Reason words={why} />
            </span>
          )}
        </span>
      </label>
    </li>
  );
}
