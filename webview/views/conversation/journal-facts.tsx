import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { JOURNAL_TEXTS } from '../../../src/domain/session/journal.ts';
import { SECTION_NAMES } from '../../../src/domain/session/journal-names.ts';
import { usePanel } from '../../panel.ts';

/** The agent's own words on a run that did not end well: what it was at, how far it was, what comes next (C10). */
export function JournalFacts(): ComponentChildren {
  const { dock, store } = usePanel();
  const journal = store.session.journal.value;
  const facts = JOURNAL_TEXTS.filter((section) => journal[section] !== '');
  const [blocker] = journal.blockers;
  if (facts.length === 0 && blocker === undefined) return null;
  return (
    <div class="journal-facts">
      <dl>
        {facts.map((section) => (
          <div key={section}>
            <dt>{l10n.t(SECTION_NAMES[section])}</dt>
            <dd>{journal[section]}</dd>
          </div>
        ))}
        {blocker !== undefined && (
          <div>
            <dt>{l10n.t('Blocker')}</dt>
            <dd>{blocker}</dd>
          </div>
        )}
      </dl>
      <button
        type="button"
        class="link"
        onClick={() => {
          dock.open.value = 'journal';
        }}
      >
        {l10n.t('Show the journal')}
      </button>
    </div>
  );
}
