import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { ApprovalView } from '../../../src/protocol/view.ts';
import { usePanel } from '../../panel.ts';
import { CAPS, KEYS } from '../../platform.ts';
import { Button } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import type { Judging } from './judging.ts';
import { Menu, type MenuItem } from '../elements/menu.tsx';

/** How long a yes counts. */
export type Keep = 'session' | 'settings';

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

/** Yes, yes from now on, no with a reason. */
export function ApprovalAnswers(props: AnswersProps): ComponentChildren {
  const { approval, judging, answered, reason, onReason, onAnswer } = props;
  const words =
    approval.edit === null
      ? { yes: 'Allow', no: 'Deny', ifNo: 'if you deny' }
      : { yes: 'Accept', no: 'Reject', ifNo: 'if you reject' };
  const keyed = useKeyed(approval.questionId);
  const disabled = answered || !judging.armed;
  return (
    <>
      <div class="approval-buttons">
        <Yes {...props} yes={words.yes} keyed={keyed} />
        <Button
          answer="deny"
          {...(keyed ? { keys: CAPS.deny } : {})}
          title={keyed ? `${words.no} (${KEYS.deny})` : words.no}
          disabled={disabled}
          onClick={() => onAnswer(false)}
        >
          {words.no}
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
        placeholder={`Reason, ${words.ifNo}`}
        aria-label={`Reason for the model, ${words.ifNo}`}
        disabled={answered}
        onInput={(event) => onReason(event.currentTarget.value)}
        onKeyDown={(event) => {
          const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
          if (event.key === 'Enter' && plain && !event.isComposing) onAnswer(false);
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
    const inDiff = approval.edit !== null && !approval.edit.complete;
    const label = inDiff ? 'Open the diff' : read ? 'Show it again' : 'Show the rest';
    return (
      <Button
        kind="primary"
        answer="show"
        {...caps}
        title={`${yes} comes when all of it has been on the screen, and some of it is`}
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
      {approval.keep.length > 0 && (
        <Menu
          label={`${yes}, and do not ask again`}
          heading={`From now on: ${approval.keep.join(' ')}`}
          items={WAYS_TO_KEEP}
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

const WAYS_TO_KEEP: readonly MenuItem<Keep>[] = [
  {
    value: 'session',
    label: 'For this session',
    description: 'Forgotten when this window is closed.',
    icon: 'clock',
  },
  {
    value: 'settings',
    label: 'Always',
    description: 'Kept in your settings; the rules page takes it back.',
    icon: 'settings-gear',
  },
];
