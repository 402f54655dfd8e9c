import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { ApprovalView } from '../../../src/protocol/view.ts';
import { usePanel } from '../../panel.ts';
import { CAPS, KEYS } from '../../keyboard/platform.ts';
import { Button } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import type { Judging } from './judging.ts';
import { Menu, type MenuItem } from '../elements/menu.tsx';
import { isComposing } from '../../keyboard/composition.ts';

/** The scope that an approval is remembered for. */
export type Keep = 'session' | 'project' | 'edits';

interface AnswersProps {
  readonly approval: ApprovalView;
  readonly judging: Judging;
  readonly answered: boolean;
  readonly reason: string;
  readonly onReason: (reason: string) => void;
  /** Brings what was not on the screen yet into view. */
  readonly onShow: () => void;
  readonly onAnswer: (allowed: boolean, keep?: Keep) => void;
}

/** Shows Allow, Allow from now on, and Deny with a reason. */
export function ApprovalAnswers(props: AnswersProps): ComponentChildren {
  const { approval, judging, answered, reason, onReason, onAnswer } = props;
  const [yes, no] = [l10n.t('Allow'), l10n.t('Deny')];
  const keyed = useKeyed(approval.questionId);
  const disabled = answered || !judging.armed;
  return (
    <>
      <div class="approval-buttons">
        <Yes {...props} yes={yes} keyed={keyed} />
        <Button
          answer="deny"
          {...(keyed ? { keys: CAPS.deny } : {})}
          title={keyed ? `${no} (${KEYS.deny})` : no}
          disabled={disabled}
          onClick={() => onAnswer(false)}
        >
          {no}
        </Button>
      </div>
      {approval.remembersCheck && (
        <p class="quiet">{l10n.t('Remembered for this project: {0}', approval.keep.join('; '))}</p>
      )}
      <input
        type="text"
        class="reason"
        value={reason}
        placeholder={l10n.t('Reason, if you deny')}
        aria-label={l10n.t('Reason for the model, if you deny')}
        disabled={answered}
        onInput={(event) => onReason(event.currentTarget.value)}
        onKeyDown={(event) => {
          const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
          if (event.key === 'Enter' && plain && !isComposing(event)) onAnswer(false);
        }}
      />
    </>
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

function Yes({
  approval,
  judging: { armed, read, inSight },
  answered,
  onShow,
  onAnswer,
  yes,
  keyed,
}: AnswersProps & { readonly yes: string; readonly keyed: boolean }): ComponentChildren {
  const caps = keyed ? { keys: CAPS.allow } : {};
  if (armed && !(read && inSight)) {
    const inDiff = !isComplete(approval);
    const label = inDiff
      ? l10n.t('Open the diff')
      : read
        ? l10n.t('Show it again')
        : l10n.t('Show the rest');
    return (
      <Button
        kind="primary"
        answer="show"
        {...caps}
        title={l10n.t('{0} comes when all of it has been on the screen, and some of it is', yes)}
        disabled={answered}
        onClick={onShow}
      >
        {label}
      </Button>
    );
  }
  const disabled = answered || !armed;
  return (
    <>
      <Button
        kind="primary"
        answer="allow"
        {...caps}
        title={keyed ? `${yes} (${KEYS.allow})` : yes}
        disabled={disabled}
        onClick={() => onAnswer(true)}
      >
        {yes}
      </Button>
      {(approval.keep.length > 0 || approval.offersAllEdits) && (
        <Menu
          label={l10n.t('{0}, and do not ask again', yes)}
          heading={
            approval.offersAllEdits ? '' : l10n.t('From now on: {0}', approval.keep.join('; '))
          }
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
