import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { type FollowUp, FOLLOWUP_LENGTH } from '../../../src/domain/session/followup.ts';
import { dateAndTime } from '../../../src/domain/text/language.ts';
import { usePanel } from '../../panel.ts';
import { Button, IconButton } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import { isComposing } from '../../keyboard/composition.ts';

/** The scheduled prompts, each to be edited. */
export function FollowUps(): ComponentChildren {
  const { followUps, elsewhere } = usePanel().store.session;
  return (
    <div class="dock-body">
      {followUps.value.map((followUp) => (
        <Waiting key={followUp.id} followUp={followUp} locked={elsewhere.value} />
      ))}
    </div>
  );
}

interface WaitingProps {
  readonly followUp: FollowUp;
  readonly locked: boolean;
}

function Waiting({ followUp, locked }: WaitingProps): ComponentChildren {
  const panel = usePanel();
  const { followUps } = panel.input;
  const { id, prompt, dueAt } = followUp;
  if (followUps.at(id) !== undefined) return <Editing followUp={followUp} />;
  return (
    <div class="dock-item queued">
      <Icon name="watch" label={l10n.t('Scheduled follow-up')} />
      <button
        type="button"
        class="queued-text"
        title={l10n.t('Edit')}
        disabled={locked}
        onClick={() => followUps.set(id, { text: prompt, time: fieldOf(dueAt) })}
      >
        <span class="quiet">{dateAndTime(dueAt)}</span> {prompt}
      </button>
      {!locked && (
        <span class="queued-buttons">
          <IconButton
            icon="close"
            label={l10n.t('Cancel this follow-up')}
            onClick={() => panel.host.do('cancelFollowUp', { id })}
          />
        </span>
      )}
    </div>
  );
}

/** A time as a field of a form has it: local, without a zone. */
const fieldOf = (at: number): string =>
  new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

function Editing({
  followUp: { id, prompt, dueAt },
}: {
  readonly followUp: FollowUp;
}): ComponentChildren {
  const panel = usePanel();
  const { followUps } = panel.input;
  const draft = followUps.at(id) ?? { text: prompt, time: fieldOf(dueAt) };
  const { text, time } = draft;
  const done = (): void => followUps.set(id, undefined);
  const save = async (): Promise<void> => {
    // The minute shown is the one that was meant; seconds stay where it was not changed.
    const at = time === fieldOf(dueAt) ? dueAt : Date.parse(time);
    if (text.trim() === '' || !Number.isFinite(at)) return;
    // The typed text stays when it could not be kept.
    const saved = await panel.host.ask('editFollowUp', { id, prompt: text.trim(), dueAt: at });
    if (saved !== undefined) done();
  };
  return (
    <div
      class="follow-up-form"
      onKeyDown={(event) => {
        if (isComposing(event)) return;
        if (event.key === 'Escape') {
          event.stopPropagation();
          done();
        } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.stopPropagation();
          event.preventDefault();
          void save();
        }
      }}
    >
      <textarea
        class="todo-field"
        rows={2}
        value={text}
        maxLength={FOLLOWUP_LENGTH}
        aria-label={l10n.t('Prompt of the follow-up')}
        ref={(element) => {
          if (element !== null && element.dataset['focused'] === undefined) {
            element.dataset['focused'] = '';
            element.focus();
          }
        }}
        onInput={(event) => followUps.set(id, { ...draft, text: event.currentTarget.value })}
      />
      <div class="journal-buttons">
        <input
          type="datetime-local"
          class="todo-field"
          value={time}
          aria-label={l10n.t('Time of the follow-up')}
          onInput={(event) => followUps.set(id, { ...draft, time: event.currentTarget.value })}
        />
        <Button kind="primary" onClick={() => void save()}>
          {l10n.t('Save')}
        </Button>
        <Button onClick={done}>{l10n.t('Cancel')}</Button>
      </div>
    </div>
  );
}
