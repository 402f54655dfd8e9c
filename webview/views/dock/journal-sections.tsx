import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import {
  isJournalList,
  JOURNAL_ENTRY_LENGTH,
  JOURNAL_SECTIONS,
  JOURNAL_TEXT_LENGTH,
  type JournalSection,
  MOST_ENTRIES,
} from '../../../src/domain/session/journal.ts';
import { SECTION_NAMES } from '../../../src/domain/session/journal-names.ts';
import { usePanel } from '../../panel.ts';
import { Button, IconButton } from '../elements/button.tsx';
import { isComposing } from '../../keyboard/composition.ts';

type Content = string | readonly string[];

const asText = (content: Content): string =>
  typeof content === 'string' ? content : content.join('\n');

/** The sections of the run's journal, each to be edited. */
export function JournalSections({ sessionId }: { readonly sessionId: string }): ComponentChildren {
  const { store, host } = usePanel();
  const { journal, elsewhere } = store.session;
  return (
    <div class="dock-body journal-sections">
      {JOURNAL_SECTIONS.map((section) => (
        <Section
          key={section}
          sessionId={sessionId}
          section={section}
          content={journal.value[section]}
          locked={elsewhere.value}
          write={async (content) =>
            (await host.ask('setJournal', { sessionId, sections: { [section]: content } })) !==
            undefined
          }
        />
      ))}
    </div>
  );
}

interface SectionProps {
  readonly sessionId: string;
  readonly section: JournalSection;
  readonly content: Content;
  readonly locked: boolean;
  /** Resolves with whether it is on record. */
  readonly write: (content: string | string[]) => Promise<boolean>;
}

function Section({ sessionId, section, content, locked, write }: SectionProps): ComponentChildren {
  const { journal } = usePanel().input;
  const draft = journal.draft(sessionId, section);
  const setDraft = (next: typeof draft): void => journal.setDraft(sessionId, section, next);
  const name = l10n.t(SECTION_NAMES[section]);
  return (
    <div class="journal-section">
      <div class="journal-head">
        <h3>{name}</h3>
        {!locked && draft === undefined && (
          <IconButton
            icon="edit"
            label={l10n.t('Edit: {0}', name)}
            onClick={() => setDraft({ text: asText(content), from: asText(content) })}
          />
        )}
      </div>
      {draft === undefined ? (
        <Written content={content} />
      ) : (
        <Editing
          name={name}
          list={isJournalList(section)}
          draft={draft.text}
          change={(text) => setDraft({ ...draft, text })}
          now={asText(content) === draft.from ? undefined : asText(content)}
          save={async (written) => {
            if (await write(written)) setDraft(undefined);
          }}
          cancel={() => setDraft(undefined)}
        />
      )}
    </div>
  );
}

function Written({ content }: { readonly content: Content }): ComponentChildren {
  if (content.length === 0) return <p class="quiet">{l10n.t('Nothing yet')}</p>;
  if (typeof content === 'string') return <p class="journal-text">{content}</p>;
  return (
    <ul>
      {content.map((entry) => (
        <li key={entry}>{entry}</li>
      ))}
    </ul>
  );
}

interface EditingProps {
  readonly name: string;
  readonly list: boolean;
  readonly draft: string;
  readonly change: (text: string) => void;
  /** The agent's text there by now. */
  readonly now: string | undefined;
  readonly save: (content: string | string[]) => Promise<void>;
  readonly cancel: () => void;
}

function Editing({
  name,
  list,
  draft,
  change,
  now,
  save,
  cancel,
}: EditingProps): ComponentChildren {
  const lines = draft
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const fault = !list
    ? undefined
    : lines.length > MOST_ENTRIES
      ? l10n.t('At most {0} entries', MOST_ENTRIES)
      : lines.some((line) => line.length > JOURNAL_ENTRY_LENGTH)
        ? l10n.t('At most {0} characters in a line', JOURNAL_ENTRY_LENGTH)
        : undefined;
  const keep = (): void => {
    if (fault === undefined) void save(list ? lines : draft.trim());
  };
  return (
    <>
      <textarea
        class="todo-field"
        rows={list ? 4 : 3}
        value={draft}
        maxLength={list ? undefined : JOURNAL_TEXT_LENGTH}
        aria-label={list ? l10n.t('{0}, one entry a line', name) : name}
        ref={(element) => {
          if (element !== null && element.dataset['focused'] === undefined) {
            element.dataset['focused'] = '';
            element.focus();
          }
        }}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (isComposing(event)) return;
          if (event.key === 'Escape') {
            event.stopPropagation();
            cancel();
          } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.stopPropagation();
            event.preventDefault();
            keep();
          }
        }}
      />
      {fault !== undefined && (
        <p class="caution" role="alert">
          {fault}
        </p>
      )}
      {now !== undefined && (
        <p class="caution" role="status">
          {l10n.t('The agent has changed this meanwhile; saving replaces it: {0}', now)}
        </p>
      )}
      <div class="journal-buttons">
        <Button kind="primary" disabled={fault !== undefined} onClick={keep}>
          {l10n.t('Save')}
        </Button>
        <Button onClick={cancel}>{l10n.t('Cancel')}</Button>
      </div>
    </>
  );
}
