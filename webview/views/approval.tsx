import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalView } from '../../src/protocol/view.ts';
import { usePanel } from '../panel.ts';
import { CAPS, KEYS } from '../platform.ts';
import { Button, IconButton } from './button.tsx';
import { DiffLines } from './diff-lines.tsx';
import { DiffStats } from './diff-stats.tsx';
import { Icon } from './icon.tsx';
import { Menu, type MenuItem } from './menu.tsx';

/** A question that has just come up does not take a key that was meant for something else, in milliseconds. */
const ARMED_AFTER = 500;

/**
 * What will happen, and the person's yes or no. The focus goes to the card, never to a button:
 * a key that was meant for something else must not say yes.
 */
export function Approval({ approval }: { readonly approval: ApprovalView }): ComponentChildren {
  const panel = usePanel();
  const card = useRef<HTMLDivElement>(null);
  const [reason, setReason] = useState('');
  const [answered, setAnswered] = useState(false);
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), ARMED_AFTER);
    return () => clearTimeout(timer);
  }, []);
  const wanted = panel.focusWaiting.value;
  useEffect(() => {
    if (wanted > 0) card.current?.focus();
  }, [wanted]);
  useEffect(() => {
    // While the person types the focus stays with them.
    const { activeElement } = document;
    const idle = activeElement === null || activeElement === document.body;
    if (idle && document.hasFocus()) card.current?.focus({ preventScroll: true });
  }, [approval.questionId]);
  const answer = async (allowed: boolean, keep?: Keep): Promise<void> => {
    setAnswered(true);
    const { questionId, hash } = approval;
    const why = reason.trim();
    const told = allowed || why === '' ? {} : { reason: why };
    const done = await panel.ask('answerApproval', {
      questionId,
      hash,
      allowed,
      ...told,
      ...(keep === undefined ? {} : { keep }),
    });
    if (done === undefined) setAnswered(false);
  };
  const { edit } = approval;
  return (
    <div
      class="approval"
      ref={card}
      tabIndex={-1}
      role="group"
      aria-label={`Approval: ${approval.title}`}
      data-question={approval.questionId}
      data-armed={armed}
      onKeyDown={(event) => {
        if (
          event.key === 'Enter' &&
          event.target instanceof HTMLInputElement &&
          !event.ctrlKey &&
          !event.metaKey
        )
          void answer(false);
      }}
    >
      <div class="approval-title">
        <span class="words">{approval.title}</span>
        {edit !== null && <DiffStats diff={edit} />}
        <span class="spring" />
        {edit !== null && (
          <IconButton
            icon="diff"
            label="Open diff"
            onClick={() => panel.do('openDiff', { callId: approval.callId })}
          />
        )}
      </div>
      {edit === null ? (
        <pre class="detail" tabIndex={0}>
          {approval.detail}
        </pre>
      ) : (
        <Proposal approval={approval} edit={edit} />
      )}
      <Answer
        kind={edit === null ? 'act' : 'edit'}
        approval={approval}
        answered={answered}
        armed={armed}
        reason={reason}
        onReason={setReason}
        onAnswer={(allowed, keep) => void answer(allowed, keep)}
      />
    </div>
  );
}

interface AnswerProps {
  readonly kind: 'act' | 'edit';
  readonly approval: ApprovalView;
  readonly answered: boolean;
  /** It has been on screen long enough for a yes to be meant. */
  readonly armed: boolean;
  readonly reason: string;
  readonly onReason: (reason: string) => void;
  readonly onAnswer: (allowed: boolean, keep?: Keep) => void;
}

function Answer({
  kind,
  approval,
  answered,
  armed,
  reason,
  onReason,
  onAnswer,
}: AnswerProps): ComponentChildren {
  const [yes, no] = kind === 'edit' ? ['Accept', 'Reject'] : ['Allow', 'Deny'];
  return (
    <>
      <div class="approval-buttons">
        <Button
          kind="primary"
          keys={CAPS.allow}
          title={`${yes} (${KEYS.allow})`}
          disabled={answered || !armed}
          onClick={() => onAnswer(true)}
        >
          {yes}
        </Button>
        {approval.keep.length > 0 && (
          <Menu
            label={`${yes} and keep the yes`}
            heading="Keep the yes as this rule"
            items={waysToKeep(approval.keep)}
            class="keep-more"
            disabled={answered || !armed}
            onPick={(keep) => onAnswer(true, keep)}
          >
            <Icon name="chevron-down" />
          </Menu>
        )}
        <Button
          keys={CAPS.deny}
          title={`${no} (${KEYS.deny})`}
          disabled={answered}
          onClick={() => onAnswer(false)}
        >
          {no}
        </Button>
      </div>
      {approval.askedOnce && (
        <p class="quiet">
          Asked once: after a yes the same command runs in this project until its scripts change.
        </p>
      )}
      <input
        type="text"
        class="reason"
        value={reason}
        placeholder={`Reason, if you ${no?.toLowerCase()}`}
        aria-label={`Reason for the model, if you ${no?.toLowerCase()}`}
        disabled={answered}
        onInput={(event) => onReason(event.currentTarget.value)}
      />
    </>
  );
}

type Keep = 'session' | 'settings';

/** Shown before anything is written: what, and where. */
function waysToKeep(rules: readonly string[]): readonly MenuItem<Keep>[] {
  const rule = rules.join(' · ');
  return [
    { value: 'session', label: 'For this session', description: rule, icon: 'clock' },
    {
      value: 'settings',
      label: 'Always, in my settings',
      description: `belay.permissions.rules: ${rule}`,
      icon: 'settings-gear',
    },
  ];
}

function Proposal({
  approval,
  edit,
}: {
  readonly approval: ApprovalView;
  readonly edit: NonNullable<ApprovalView['edit']>;
}): ComponentChildren {
  return (
    <>
      {edit.lines.length > 0 && <DiffLines lines={edit.lines} label="Proposed change" />}
      {!edit.complete && (
        <p class="quiet">
          {edit.lines.length === 0
            ? 'The change is too large to be shown here.'
            : 'This is the beginning of the change.'}{' '}
          Open the diff to see all of it.
        </p>
      )}
      {edit.lines.length === 0 && edit.complete && <pre class="detail">{approval.detail}</pre>}
    </>
  );
}
