import * as l10n from '@vscode/l10n';
import { useComputed } from '@preact/signals';
import { Component, type ComponentChildren, Fragment } from 'preact';
import { readChangeComment } from '../../../src/domain/review/change-comment.ts';
import type { Origin } from '../../../src/domain/message.ts';
import type { PartView } from '../../../src/protocol/view.ts';
import { Part } from '../../parts/part.tsx';
import { SeriesLine } from '../../parts/series-line.tsx';
import { partKey } from '../../series.ts';
import { usePanel } from '../../panel.ts';
import type { MessageEntry } from '../../transcript.ts';
import { CommentedChange } from './change-comment.tsx';
import { CopyButton } from '../elements/copy-button.tsx';
import { Icon } from '../elements/icon.tsx';
import { act, ForkButton, MessageMenu, UndoTurnButton } from './message-menu.tsx';
import { textOf } from './message-text.ts';
import { spoken } from '../../../src/domain/text/language.ts';

/** A message; rendered again only when it is another one. What changes inside are signals. */
export class Row extends Component<{ readonly entry: MessageEntry }> {
  override shouldComponentUpdate(next: { readonly entry: MessageEntry }): boolean {
    return next.entry !== this.props.entry;
  }

  override render(): ComponentChildren {
    return <Message entry={this.props.entry} />;
  }
}

function Message({ entry }: { readonly entry: MessageEntry }): ComponentChildren {
  const { role, origin } = entry.view.value;
  if (role === 'assistant') return <Answer entry={entry} />;
  if (origin === undefined || origin === 'person') return <Request entry={entry} />;
  return <Aside entry={entry} origin={origin} />;
}

function Answer({ entry }: { readonly entry: MessageEntry }): ComponentChildren {
  const { open, model } = entry.view.value;
  const parts = entry.parts.value;
  const panel = usePanel();
  const places = useComputed(() => panel.conversation.placesIn(entry)).value;
  const visible = parts.map((part) => part.value).filter(isVisible);
  const isFolded =
    places.includes('-') &&
    parts.every((part, index) => places[index] === '-' || !isVisible(part.value));
  const rope = `${visible[0]?.type === 'tool' ? ' begins-with-tool' : ''}${visible.at(-1)?.type === 'tool' ? ' ends-in-tool' : ''}`;
  return (
    <article
      class={`row answer${rope}${isFolded ? ' is-folded' : ''}`}
      data-message={entry.id}
      aria-busy={open}
    >
      <Author name={l10n.t('Belay')} />
      {parts.map((part, index) => {
        const place = places[index];
        const key = partKey(entry.id, index);
        return (
          <Fragment key={index}>
            {(place === 'l' || place === 'L') && <SeriesLine id={key} />}
            {place !== 'l' && place !== '-' && (
              <Part
                part={part}
                partKey={key}
                messageSeq={entry.seq}
                index={index}
                open={open && index === parts.length - 1}
              />
            )}
          </Fragment>
        );
      })}
      {open && visible.length > 0 && <Interrupted />}
      {!open && visible.at(-1)?.type === 'text' && (
        <>
          <UndoTurnButton messageId={entry.id} />
          <AnswerFoot entry={entry} model={model} />
        </>
      )}
    </article>
  );
}

/** Who a message is of: not seen, and a heading for those who go from one to the next. */
function Author({ name }: { readonly name: string }): ComponentChildren {
  return <h2 class="unseen" aria-label={name} />;
}

/** Where an answer was cut off, while it waits to be asked for again. */
function Interrupted(): ComponentChildren {
  if (usePanel().store.session.run.value.phase !== 'retrying') return null;
  return (
    <div class="finish is-interrupted">
      <Icon name="debug-disconnect" />
      <span>{l10n.t('The answer was cut off here. It is asked for again.')}</span>
    </div>
  );
}

/** Empty texts, redacted thinking and ordinary ends show nothing. */
function isVisible(part: PartView): boolean {
  return part.type === 'text' || part.type === 'reasoning'
    ? part.text !== ''
    : part.type !== 'finish';
}

/** Shown when the pointer or the focus is on the answer. */
function AnswerFoot({
  entry,
  model,
}: {
  readonly entry: MessageEntry;
  readonly model: string | undefined;
}): ComponentChildren {
  const { createdAt } = entry.view.value;
  const { models } = usePanel().store;
  const label = models.value.find(({ id }) => id === model)?.name ?? model;
  return (
    <footer class="answer-foot">
      <CopyButton text={() => textOf(entry)} label={l10n.t('Copy answer')} />
      <ForkButton messageId={entry.id} />
      <MessageMenu entry={entry} />
      {label !== undefined && <span title={model}>{label}</span>}
      <time>{clockTime(createdAt)}</time>
    </footer>
  );
}

/** Lines of a request that are shown at once. */
const LINES = 14;

function Request({ entry }: { readonly entry: MessageEntry }): ComponentChildren {
  const panel = usePanel();
  const parts = entry.parts.value;
  const key = `request/${entry.id}`;
  const unfolded = panel.conversation.folds.value.get(key) ?? false;
  const whole = textOf(entry);
  const comment = readChangeComment(whole);
  const text = comment?.comment ?? whole;
  const long = text.length > 1200 || text.split('\n', LINES + 1).length > LINES;
  return (
    <article class="row request" data-message={entry.id}>
      <Author name={l10n.t('You')} />
      <div class="bubble">
        {comment !== undefined && (
          <CommentedChange comment={comment} foldKey={`commented/${entry.id}`} />
        )}
        <RequestText
          text={text}
          isClipped={long && !unfolded}
          onEdit={() => act(panel, entry.id, 'edit')}
        />
        {long && (
          <button
            type="button"
            class="link"
            aria-expanded={unfolded}
            onClick={() => panel.conversation.fold(key, !unfolded)}
          >
            {unfolded ? l10n.t('Show less') : l10n.t('Show all')}
          </button>
        )}
        {parts.map((part, index) =>
          part.peek().type === 'text' ? null : (
            <Part
              key={index}
              part={part}
              partKey={`${entry.id}/${index}`}
              messageSeq={entry.seq}
              index={index}
              open={false}
            />
          ),
        )}
      </div>
      <MessageMenu entry={entry} />
      <CopyButton text={() => textOf(entry)} label={l10n.t('Copy message')} />
    </article>
  );
}

interface RequestTextProps {
  readonly text: string;
  readonly isClipped: boolean;
  readonly onEdit: () => void;
}

/** The text of a message of the user: a click edits it, unless it only ends a selection. */
function RequestText({ text, isClipped, onEdit }: RequestTextProps): ComponentChildren {
  const panel = usePanel();
  const clipped = isClipped ? 'clipped' : '';
  if (panel.run.hindrance.value !== '') return <div class={`request-text ${clipped}`}>{text}</div>;
  return (
    <div
      class={`request-text is-editable ${clipped}`}
      role="button"
      tabIndex={0}
      title={l10n.t('Edit & Send Again…')}
      onClick={() => {
        if (document.getSelection()?.isCollapsed !== false) onEdit();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        onEdit();
      }}
    >
      {text}
    </div>
  );
}

type Others = Exclude<Origin, 'person'>;

const ASIDES: Readonly<Record<Others, { readonly icon: string; readonly label: string }>> = {
  policy: { icon: 'comment', label: l10n.t('Belay to the model') },
  summary: { icon: 'fold', label: l10n.t('Summary of older messages') },
  journal: { icon: 'notebook', label: l10n.t('Journal of the run') },
  followup: { icon: 'watch', label: l10n.t('Scheduled follow-up') },
  parent: { icon: 'organization', label: l10n.t('Task') },
  environment: { icon: 'info', label: l10n.t('Context sent along') },
  memory: { icon: 'bookmark', label: l10n.t('Remembered from before') },
};

/** Messages to the model by others than the person: folded, but never hidden. */
function Aside({
  entry,
  origin,
}: {
  readonly entry: MessageEntry;
  readonly origin: Others;
}): ComponentChildren {
  const panel = usePanel();
  const key = `aside/${entry.id}`;
  const unfolded = panel.conversation.folds.value.get(key) ?? false;
  const { icon, label } = ASIDES[origin];
  const text = textOf(entry);
  return (
    <article class={`row aside of-${origin}`} data-message={entry.id} aria-label={label}>
      <button
        type="button"
        class="fold"
        aria-expanded={unfolded}
        onClick={() => panel.conversation.fold(key, !unfolded)}
      >
        <Icon name={icon} />
        <span>{label}</span>
        {!unfolded && !text.startsWith('<') && (
          <span class="preview">{text.trimStart().split('\n', 1)[0]?.slice(0, 160)}</span>
        )}
      </button>
      {unfolded && <div class="request-text">{text}</div>}
    </article>
  );
}

function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString(spoken(), { hour: '2-digit', minute: '2-digit' });
}
