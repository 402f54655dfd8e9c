import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalView } from '../../../src/protocol/view.ts';
import { usePanel } from '../../panel.ts';
import { CAPS, KEYS } from '../../keyboard/platform.ts';
import { Button } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import type { Gate } from './gate.ts';
import { Menu, type MenuItem } from '../elements/menu.tsx';
import { isComposing } from '../../keyboard/composition.ts';

/** The scope that an approval is remembered for. */
export type Keep = 'session' | 'project' | 'edits';

interface AnswersProps {
  readonly approval: ApprovalView;
  readonly gate: Gate;
  readonly answered: boolean;
  /** The text for the model while the user writes it; `undefined` before *Deny* was pressed. */
  readonly reason: string | undefined;
  readonly onReason: (reason: string | undefined) => void;
  /** Brings what was not on the screen yet into view. */
  readonly onShow: () => void;
  readonly onAnswer: (allowed: boolean, keep?: Keep) => void;
}

/** Shows Allow, Allow from now on, and Deny, which asks for a reason. */
export function ApprovalAnswers(props: AnswersProps): ComponentChildren {
  const { approval, gate, answered, reason, onReason, onAnswer } = props;
  const keyed = useKeyed(approval.questionId);
  if (reason !== undefined)
    return (
      <DenyReason
        reason={reason}
        disabled={answered}
        onReason={onReason}
        onDeny={() => onAnswer(false)}
      />
    );
  const deny = l10n.t('Deny');
  return (
    <div class="approval-buttons">
      <Allow {...props} keyed={keyed} />
      <Button
        answer="deny"
        {...(keyed ? { keys: CAPS.deny } : {})}
        title={keyed ? `${deny} (${KEYS.deny})` : deny}
        disabled={answered || !gate.isArmed}
        onClick={() => onReason('')}
      >
        {deny}
      </Button>
    </div>
  );
}

interface DenyReasonProps {
  readonly reason: string;
  readonly disabled: boolean;
  /** `undefined`: the user does not deny after all. */
  readonly onReason: (reason: string | undefined) => void;
  readonly onDeny: () => void;
}

/** The optional reason after *Deny*: Enter denies, Escape goes back. */
export function DenyReason(props: DenyReasonProps): ComponentChildren {
  const { reason, disabled, onReason, onDeny } = props;
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => row.current?.querySelector('input')?.focus(), []);
  return (
    <div
      class="approval-buttons"
      ref={row}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isComposing(event)) return;
        event.stopPropagation();
        onReason(undefined);
      }}
    >
      <ReasonField reason={reason} disabled={disabled} onReason={onReason} onEnter={onDeny} />
      <Button disabled={disabled} onClick={onDeny}>
        {l10n.t('Deny')}
      </Button>
    </div>
  );
}

interface ReasonFieldProps {
  readonly reason: string;
  readonly disabled: boolean;
  readonly onReason: (reason: string) => void;
  readonly onEnter?: () => void;
}

export function ReasonField(props: ReasonFieldProps): ComponentChildren {
  const { reason, disabled, onReason, onEnter } = props;
  const words = l10n.t('Tell Belay why (optional)');
  return (
    <input
      type="text"
      class="reason"
      value={reason}
      placeholder={words}
      aria-label={words}
      disabled={disabled}
      onInput={(event) => onReason(event.currentTarget.value)}
      onKeyDown={(event) => {
        const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
        if (event.key === 'Enter' && isPlain && !isComposing(event)) onEnter?.();
      }}
    />
  );
}

/** True when the keys answer this question while none has the focus: the first on the page. */
function useKeyed(questionId: string): boolean {
  const waiting = usePanel().store.session.approvals.value;
  const [keyed, setKeyed] = useState(false);
  useLayoutEffect(() => {
    const first = document.querySelector<HTMLElement>('.approval[data-question]');
    setKeyed(first?.dataset['question'] === questionId);
  }, [waiting]);
  return keyed;
}

function Allow({
  approval,
  gate: { isArmed, isSeen, isOpen },
  answered,
  onShow,
  onAnswer,
  keyed,
}: AnswersProps & { readonly keyed: boolean }): ComponentChildren {
  const caps = keyed ? { keys: CAPS.allow } : {};
  const allow = l10n.t('Allow');
  if (isArmed && !isSeen) {
    return (
      <Button kind="primary" answer="show" {...caps} disabled={answered} onClick={onShow}>
        {isComplete(approval) ? l10n.t('Show the rest') : l10n.t('Open the diff')}
      </Button>
    );
  }
  const disabled = answered || !isOpen;
  const kept = approval.keep.join('; ');
  const title = approval.remembersCheck ? l10n.t('Remembered for this project: {0}', kept) : allow;
  return (
    <>
      <Button
        kind="primary"
        answer="allow"
        {...caps}
        title={keyed ? `${title} (${KEYS.allow})` : title}
        disabled={disabled}
        onClick={() => onAnswer(true)}
      >
        {allow}
      </Button>
      {(approval.keep.length > 0 || approval.offersAllEdits) && (
        <Menu
          label={l10n.t('{0}, and do not ask again', allow)}
          heading={approval.offersAllEdits ? '' : l10n.t('From now on: {0}', kept)}
          items={approval.offersAllEdits ? ALL_EDITS : WAYS_TO_KEEP}
          class="keep-more"
          disabled={disabled}
          onPick={(keep) => onAnswer(true, keep)}
        >
          <Icon name="chevron-down" />
        </Menu>
      )}
    </>
  );
}

/** True when the whole of what will happen is on the card. */
export function isComplete({ edits }: ApprovalView): boolean {
  return edits.every(({ complete }) => complete);
}

const ALL_EDITS: readonly MenuItem<Keep>[] = [
  {
    value: 'edits',
    label: l10n.t('Allow All Edits in This Session'),
    description: l10n.t('Protected files and files outside the workspace still need approval.'),
    icon: 'check-all',
  },
];

const WAYS_TO_KEEP: readonly MenuItem<Keep>[] = [
  {
    value: 'session',
    label: l10n.t('For This Session'),
    description: l10n.t('Forgotten when this window is closed.'),
    icon: 'clock',
  },
  {
    value: 'project',
    label: l10n.t('For This Project'),
    description: l10n.t(
      'Remembered for this workspace until scripts or settings that it runs change.',
    ),
    icon: 'folder',
  },
];
