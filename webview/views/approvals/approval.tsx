import * as l10n from '@vscode/l10n';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalView, EditView } from '../../../src/protocol/view.ts';
import { usePanel } from '../../panel.ts';
import { joinReason, Reason } from './reason.tsx';
import { ApprovalAnswers, type Keep, isComplete } from './approval-answers.tsx';
import { IconButton } from '../elements/button.tsx';
import { DiffLines } from '../elements/diff-lines.tsx';
import { DiffStats } from '../elements/diff-stats.tsx';
import { isFocusIdle } from '../../keyboard/keep-focus.ts';
import { useGate } from './gate.ts';
import { useInView } from './in-view.ts';

/**
 * The call that waits for the user. The focus goes to the card, never to a button: a key that was meant for something
 * else must not allow it.
 */
export function Approval({ approval }: { readonly approval: ApprovalView }): ComponentChildren {
  const panel = usePanel();
  const card = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLElement>(null);
  const [reason, setReason] = useState<string>();
  const [answered, setAnswered] = useState(false);
  const [without, setWithout] = useState<readonly string[]>([]);
  const { questionId } = approval;
  // A change that is not all on the card is read in its diff.
  const isInDiff = !isComplete(approval);
  const gate = useGate(questionId, isInDiff ? { current: null } : end);
  useFocus(card, questionId);
  useInView(card, questionId);
  const answer = async (allowed: boolean, keep?: Keep): Promise<void> => {
    if (answered || !(allowed ? gate.isOpen : gate.isArmed)) return;
    const why = reason?.trim() ?? '';
    setAnswered(true);
    const done = await panel.host.ask('answerApproval', {
      questionId,
      hash: approval.hash,
      allowed,
      ...(allowed || why === '' ? {} : { reason: why }),
      ...(keep === undefined ? {} : { keep }),
      ...(allowed && without.length > 0 ? { without: [...without] } : {}),
    });
    if (done === undefined) setAnswered(false);
  };
  const openDiff = async (): Promise<void> => {
    const opened = await panel.host.ask('openDiff', { callId: approval.callId });
    if (opened !== undefined) panel.questions.markSeen(questionId);
  };
  const show = (): void => {
    if (isInDiff) void openDiff();
    else gate.showEnd();
  };
  // Before the paint: a key acts on what is on the screen.
  useLayoutEffect(() => {
    panel.questions.cards.set(questionId, {
      allow: () => {
        if (gate.isSeen) void answer(true);
        else if (gate.isArmed) show();
      },
      deny: () => void answer(false),
      show,
    });
  });
  useEffect(() => () => void panel.questions.cards.delete(questionId), [questionId]);
  return (
    <div
      class="approval"
      ref={card}
      tabIndex={-1}
      role="group"
      aria-label={l10n.t('Approval: {0}', approval.title)}
      data-question={questionId}
      data-armed={gate.isSeen ? gate.isOpen : gate.isArmed}
      data-seen={gate.isSeen}
    >
      {approval.agent !== '' && (
        <div class="approval-agent">{l10n.t('Sub-agent “{0}” asks', approval.agent)}</div>
      )}
      {!COMMAND_TOOLS.has(approval.tool) && (
        <Title approval={approval} onOpenDiff={() => void openDiff()} />
      )}
      <WhatHappens
        approval={approval}
        end={end}
        without={without}
        onSelect={(path, isTaken) =>
          setWithout(isTaken ? without.filter((one) => one !== path) : [...without, path])
        }
      />
      <Why approval={approval} />
      <ApprovalAnswers
        approval={approval}
        gate={gate}
        answered={answered}
        reason={reason}
        onReason={setReason}
        onShow={show}
        onAnswer={(allowed, keep) => void answer(allowed, keep)}
      />
    </div>
  );
}

/** Tools whose command line says what they do: their card begins with it. */
const COMMAND_TOOLS: ReadonlySet<string> = new Set(['run_command', 'run_tests']);

/** One line: why the call requires approval, and the folder when it is not the workspace's root. */
function Why({ approval }: { readonly approval: ApprovalView }): ComponentChildren {
  const words = joinReason(approval);
  if (words === '') return null;
  return (
    <p class="why">
      <Reason words={words} />
    </p>
  );
}

function Title({
  approval: { title, edits },
  onOpenDiff,
}: {
  readonly approval: ApprovalView;
  readonly onOpenDiff: () => void;
}): ComponentChildren {
  const [first] = edits;
  return (
    <div class="approval-title">
      <span class="words">{title}</span>
      {edits.length === 1 && first !== undefined && <DiffStats diff={first} />}
      <span class="spring" />
      {edits.length > 0 && (
        <IconButton icon="diff" label={l10n.t('Open diff')} onClick={onOpenDiff} />
      )}
    </div>
  );
}

/** The card takes the focus when it is looked for, and when nobody else has it. */
export function useFocus(card: RefObject<HTMLElement | null>, questionId: string): void {
  const wanted = usePanel().questions.focus.value;
  useLayoutEffect(() => {
    if (wanted > 0) card.current?.focus();
  }, [wanted]);
  useLayoutEffect(() => {
    // While the person types the focus stays with them.
    if (isFocusIdle() && document.hasFocus()) card.current?.focus({ preventScroll: true });
  }, [questionId]);
}

interface WhatHappensProps {
  readonly approval: ApprovalView;
  /** Gets the mark after the last line. */
  readonly end: RefObject<HTMLElement | null>;
}

interface SelectionProps {
  /** Paths that are left out. */
  readonly without: readonly string[];
  readonly onSelect: (path: string, isTaken: boolean) => void;
}

/** The change, the command, the address or the arguments. */
function WhatHappens({
  approval,
  end,
  ...selection
}: WhatHappensProps & SelectionProps): ComponentChildren {
  const { edits } = approval;
  return edits.some((edit) => !edit.complete || edit.lines.length > 0) || edits.length > 1 ? (
    <Edits approval={approval} end={end} {...selection} />
  ) : (
    <Detail approval={approval} end={end} />
  );
}

/** The command, message or arguments, to the letter; sentences as sentences. */
function Detail({ approval: { detail, prose }, end }: WhatHappensProps): ComponentChildren {
  return prose ? (
    <div class="detail is-prose" tabIndex={0}>
      {detail.split('\n').map((line, index) => (
        <p key={index}>{line}</p>
      ))}
      <span class="card-end" ref={end} />
    </div>
  ) : (
    <pre class="detail" tabIndex={0}>
      <code>{detail}</code>
      <span class="card-end" ref={end} />
    </pre>
  );
}

/** The change of each file. */
function Edits({
  approval: { edits, isSelectable },
  end,
  without,
  onSelect,
}: WhatHappensProps & SelectionProps): ComponentChildren {
  return (
    <div class="edits" tabIndex={0}>
      {edits.map((edit) => (
        <div key={edit.path}>
          {(edits.length > 1 || isSelectable) && (
            <label class="edit-file">
              {isSelectable && (
                <input
                  type="checkbox"
                  checked={!without.includes(edit.path)}
                  onChange={(event) => onSelect(edit.path, event.currentTarget.checked)}
                />
              )}
              <span class="words">{editTitle(edit)}</span>
              <DiffStats diff={edit} />
            </label>
          )}
          {edit.lines.length > 0 && (
            <DiffLines
              lines={edit.lines}
              of={edit}
              label={l10n.t('Change of {0}', edit.name)}
              scrolls={false}
            />
          )}
          {!edit.complete && (
            <p class="quiet">
              {edit.lines.length === 0
                ? l10n.t('The change is too large to be shown here. Open the diff to see it.')
                : l10n.t('This is the beginning of the change. Open the diff to see all of it.')}
            </p>
          )}
        </div>
      ))}
      <span class="card-end" ref={end} />
    </div>
  );
}

function editTitle({ name, deletes, creates, movesTo }: EditView): string {
  if (movesTo !== null) return l10n.t('Move {0} to {1}', name, movesTo);
  if (deletes) return l10n.t('Delete {0}', name);
  return creates ? l10n.t('Create {0}', name) : name;
}
