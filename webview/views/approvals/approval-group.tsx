import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalView } from '../../../src/protocol/view.ts';
import { usePanel, type Panel } from '../../panel.ts';
import { Button } from '../elements/button.tsx';
import { endAtFirstLine, isInSight, useArmed, useJudging, useSight } from './judging.ts';
import { Reason } from './reason.tsx';

/**
 * Several questions of one run at once: what each is about, a choice for each, and one answer for all.
 * Calls that are not chosen are denied, with one reason. The yes is for what is in sight together, a line of each
 * at least; what does not fit is answered one by one.
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
  const unread = chosen.find(({ questionId }) => !panel.questions.read.value.has(questionId));
  const rows = useRef(new Map<string, HTMLElement>());
  const looks = (): boolean => isTogether(panel, rows.current, chosen);
  const inSight = useSight(looks);
  const apart = unread === undefined && !inSight;
  const armed = useArmed(`${ids} ${unread === undefined} ${apart}`);
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
    const last = rows.current.get(chosen.at(-1)?.questionId ?? '');
    if (unread !== undefined) panel.questions.cards.get(unread.questionId)?.show();
    else if (last !== undefined) endAtFirstLine(last);
  };
  const allow = (): void => {
    if (unread !== undefined || !looks()) show();
    else if (chosen.length > 0) void answer(({ questionId }) => !left.has(questionId));
  };
  const deny = (): void => void answer(() => false);
  useEffect(() => void panel.questions.cards.set(id, { allow, deny, show, looks }));
  useEffect(() => () => void panel.questions.cards.delete(id), [id]);
  const toggle = (questionId: string): void => {
    const next = new Set(left);
    if (!next.delete(questionId)) next.add(questionId);
    setLeft(next);
  };
  const disabled = answered || !armed;
  const title = l10n.t('{0} things wait for your yes', group.length);
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
            rows={rows.current}
          />
        ))}
      </ul>
      <div class="approval-buttons">
        <Button
          kind="primary"
          answer={unread === undefined && !apart ? 'allow' : 'show'}
          disabled={disabled || chosen.length === 0}
          onClick={allow}
        >
          {yesWords(unread !== undefined, apart, chosen.length, group.length)}
        </Button>
        <Button answer="deny" disabled={disabled} onClick={deny}>
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
      <Why apart={apart} disabled={answered} reason={reason} onReason={setReason} />
    </section>
  );
}

interface WhyProps {
  /** Not all of it is in sight together. */
  readonly apart: boolean;
  readonly disabled: boolean;
  readonly reason: string;
  readonly onReason: (reason: string) => void;
}

/** Why there is no yes for all now, and room for why there is a no. */
function Why({ apart, disabled, reason, onReason }: WhyProps): ComponentChildren {
  return (
    <>
      {apart && (
        <p class="quiet">
          {l10n.t(
            'One answer for all needs a line of each in sight. What does not fit on the screen together: answer one by one.',
          )}
        </p>
      )}
      <input
        type="text"
        class="reason"
        value={reason}
        placeholder={l10n.t('Reason for what you deny')}
        aria-label={l10n.t('Reason for the model, for what you deny')}
        disabled={disabled}
        onInput={(event) => onReason(event.currentTarget.value)}
      />
    </>
  );
}

/** True when a line of each is in sight; the change of an edit is on its card. */
const isTogether = (
  panel: Panel,
  rows: ReadonlyMap<string, HTMLElement>,
  chosen: readonly ApprovalView[],
): boolean =>
  chosen.every(({ questionId, edits }) => {
    const row = rows.get(questionId);
    const isThere = row !== undefined && isInSight(row);
    return (
      isThere && (edits.length === 0 || panel.questions.cards.get(questionId)?.looks() === true)
    );
  });

function yesWords(unread: boolean, apart: boolean, chosen: number, all: number): string {
  if (unread) return l10n.t('Show what was not on screen');
  if (apart) return l10n.t('Show them again');
  return chosen === all ? l10n.t('Allow all') : l10n.t('Allow {0}, deny {1}', chosen, all - chosen);
}

interface GroupRowProps {
  readonly approval: ApprovalView;
  readonly chosen: boolean;
  readonly onToggle: () => void;
  /** Elements on the screen, by question. */
  readonly rows: Map<string, HTMLElement>;
}

/** All of it: an answer for all is one for everything that is said here. The diff of an edit is on its card. */
function GroupRow({ approval, chosen, onToggle, rows }: GroupRowProps): ComponentChildren {
  const { questionId, title, detail, edits, where, reason } = approval;
  const content = useRef<HTMLElement>(null);
  useJudging(questionId, edits.length === 0 ? content : { current: null });
  useLayoutEffect(() => {
    if (content.current !== null) rows.set(questionId, content.current);
    return () => void rows.delete(questionId);
  }, [questionId]);
  return (
    <li>
      <label>
        <input type="checkbox" checked={chosen} onChange={onToggle} />
        <span class="words">
          {title}
          <code class="read-content" ref={content} tabIndex={0}>
            {edits.length === 0
              ? detail
              : edits.map(({ path, added, removed }) => `${path} +${added} −${removed}`).join('\n')}
          </code>
          {[where, reason].map((words) =>
            words === '' ? null : (
              <span class="why" key={words}>
                <Reason words={words} />
              </span>
            ),
          )}
        </span>
      </label>
    </li>
  );
}
