import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { isEmptyJournal } from '../../../src/domain/session/journal.ts';
import { usePanel } from '../../panel.ts';
import { Icon } from '../elements/icon.tsx';
import { later } from '../elements/later.tsx';

const JournalSections = later(async () => (await import('./journal-sections.tsx')).JournalSections);

/** The run's journal above the input: one line that unfolds into its sections, each to be edited. */
export function Journal(): ComponentChildren {
  const panel = usePanel();
  const { journal, id } = panel.store.session;
  const { open } = panel.input.journal;
  const shown = journal.value;
  const sessionId = id.value;
  const unfolded = open.value;
  if (sessionId === null || (isEmptyJournal(shown) && !unfolded)) return null;
  return (
    <section class="journal" aria-label={l10n.t('Journal')}>
      <button
        type="button"
        class="todo-line"
        aria-expanded={unfolded}
        onClick={() => {
          open.value = !unfolded;
        }}
      >
        <Icon name={unfolded ? 'chevron-down' : 'chevron-right'} />
        <span class="todo-count">{l10n.t('Journal')}</span>
        <span class="todo-current">{shown.current_state || shown.objective}</span>
      </button>
      {unfolded && <JournalSections sessionId={sessionId} />}
    </section>
  );
}
