import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { type Json, isJsonObject } from '../../domain/data/json.ts';
import {
  type Journal,
  type JournalChange,
  type JournalList,
  type JournalSection,
  contentText,
  EMPTY_JOURNAL,
  isEmptyJournal,
  JOURNAL_LENGTH,
  JOURNAL_LISTS,
  JOURNAL_SECTIONS,
  journalFrom,
  journalText,
  MOST_ENTRIES,
  withSections,
} from '../../domain/session/journal.ts';
import { type Message, toolCallsOf, toolResultsOf } from '../../domain/message.ts';
import type { Emit } from '../ports/events.ts';
import type { Values } from '../ports/store/values.ts';
import type { ModelNotice } from '../run/model-notices.ts';
import type { EventBroker } from './event-broker.ts';

/** Under which the journal is kept with its session, and up to which revision the model knows it. */
export const JOURNAL_KEY = 'journal';
export const JOURNAL_TOLD_KEY = 'journal-told';

export const UPDATE_JOURNAL = 'update_run_journal';
export const APPEND_JOURNAL = 'append_run_journal_entry';

/** The stored journal. `byPerson`: sections that the person wrote last, with the revision that they made. */
interface Stored {
  readonly journal: Journal;
  /** Counts writings. */
  readonly revision: number;
  readonly byPerson: Readonly<Partial<Record<JournalSection, number>>>;
}

/** The outcome of a writing by the model; `refused`: sections with words of the person that it did not know. */
export interface JournalWritten {
  readonly journal: Journal;
  readonly refused: readonly JournalSection[];
}

/** The journals of sessions (C10). The model gets the person's words before it may replace them. */
export class Journals {
  readonly #values: Values;
  readonly #broker: Pick<EventBroker, 'publish'>;
  /** Writings of a session, one after the other. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(values: Values, broker: Pick<EventBroker, 'publish'>) {
    this.#values = values;
    this.#broker = broker;
  }

  async read(sessionId: string): Promise<Journal> {
    return (await this.#stored(sessionId)).journal;
  }

  /** As the model reads it: what the person wrote is known to it from then on. */
  async readByModel(sessionId: string): Promise<Journal> {
    return this.#inTurn(sessionId, async () => {
      const { journal, revision, byPerson } = await this.#stored(sessionId);
      if (Object.keys(byPerson).length > 0) await this.#tell(sessionId, revision);
      return journal;
    });
  }

  /** Replaces sections. Rejects with `invalid` when the journal would be too long: then nothing is written. */
  async update(sessionId: string, change: JournalChange, emit: Emit): Promise<JournalWritten> {
    return this.#inTurn(sessionId, async () => {
      const stored = await this.#stored(sessionId);
      const told = await this.#told(sessionId);
      const given = JOURNAL_SECTIONS.filter((section) => change[section] !== undefined);
      const refused = given.filter((section) => (stored.byPerson[section] ?? 0) > told);
      if (refused.length > 0) {
        await this.#tell(sessionId, stored.revision);
        return { journal: stored.journal, refused };
      }
      const journal = await this.#write(sessionId, stored, change);
      emit({ type: 'journal_update', sections: change });
      return { journal, refused };
    });
  }

  /** Adds an entry; one that is there already is not added again. Rejects with `invalid` when there is no room. */
  async append(
    sessionId: string,
    { section, entry }: { readonly section: JournalList; readonly entry: string },
    emit: Emit,
  ): Promise<Journal> {
    return this.#inTurn(sessionId, async () => {
      const stored = await this.#stored(sessionId);
      const { [section]: entries } = stored.journal;
      if (entries.includes(entry)) return stored.journal;
      if (entries.length >= MOST_ENTRIES)
        throw fault(
          'invalid',
          told`${section} has ${MOST_ENTRIES} entries, which is all that fit. Nothing was written; put them together with ${UPDATE_JOURNAL} first.`,
        );
      const change = { [section]: [...entries, entry] };
      const byPerson = stored.byPerson[section];
      const journal = await this.#write(sessionId, stored, change, byPerson);
      emit({ type: 'journal_update', sections: change });
      return journal;
    });
  }

  /** Replaces sections by what the person wrote. Rejects with `invalid` when the journal would be too long. */
  async writeByPerson(sessionId: string, given: JournalChange): Promise<void> {
    const clean = journalFrom(given as Json);
    const change = Object.fromEntries(
      JOURNAL_SECTIONS.filter((section) => given[section] !== undefined).map((section) => [
        section,
        clean[section],
      ]),
    );
    await this.#inTurn(sessionId, async () => {
      const stored = await this.#stored(sessionId);
      await this.#write(sessionId, stored, change, stored.revision + 1);
      this.#broker.publish(sessionId, '', { type: 'journal_update', sections: change });
    });
  }

  /** Sections that the person changed since the model last knew them. */
  async news(sessionId: string): Promise<readonly ModelNotice[]> {
    const { journal, revision, byPerson } = await this.#stored(sessionId);
    if (Object.keys(byPerson).length === 0) return [];
    const told = await this.#told(sessionId);
    const changed = JOURNAL_SECTIONS.filter((section) => (byPerson[section] ?? 0) > told);
    if (changed.length === 0) return [];
    const texts = changed.map((section) => {
      const content = contentText(journal[section]);
      return content === '' ? `${section} is empty now.` : `${section} is now:\n${content}`;
    });
    return [
      {
        about: 'journal',
        text: `The user changed the run journal.\n${texts.join('\n')}`,
        told: { kind: 'value', key: JOURNAL_TOLD_KEY, sessionId, value: revision },
      },
    ];
  }

  async #write(
    sessionId: string,
    { journal, revision, byPerson }: Stored,
    change: JournalChange,
    byPersonAt?: number,
  ): Promise<Journal> {
    const next = withSections(journal, change);
    refuseLong(next);
    const sections = JOURNAL_SECTIONS.filter((section) => change[section] !== undefined);
    const writers: Partial<Record<JournalSection, number>> = { ...byPerson };
    for (const section of sections) {
      if (byPersonAt === undefined) delete writers[section];
      else writers[section] = byPersonAt;
    }
    await this.#values.set(
      JOURNAL_KEY,
      storedValue({ journal: next, revision: revision + 1, byPerson: writers }),
      sessionId,
    );
    return next;
  }

  async #stored(sessionId: string): Promise<Stored> {
    return storedFrom(await this.#values.get(JOURNAL_KEY, sessionId));
  }

  async #told(sessionId: string): Promise<number> {
    const told = await this.#values.get(JOURNAL_TOLD_KEY, sessionId);
    return typeof told === 'number' ? told : 0;
  }

  async #tell(sessionId: string, revision: number): Promise<void> {
    await this.#values.set(JOURNAL_TOLD_KEY, revision, sessionId);
  }

  async #inTurn<Result>(sessionId: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#turns.get(sessionId) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#turns.set(sessionId, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(sessionId) === turn) this.#turns.delete(sessionId);
    }
  }
}

function refuseLong(journal: Journal): void {
  const { length } = journalText(journal);
  if (length <= JOURNAL_LENGTH) return;
  throw fault(
    'invalid',
    told`The journal would have ${length} characters, and at most ${JOURNAL_LENGTH} fit. Nothing was written; shorten what is there first.`,
  );
}

function storedFrom(value: Json | undefined): Stored {
  const given = isJsonObject(value) ? value : {};
  const { revision, byPerson } = given;
  const writers = JOURNAL_SECTIONS.flatMap((section) => {
    const at = isJsonObject(byPerson) ? byPerson[section] : undefined;
    return typeof at === 'number' ? [[section, at] as const] : [];
  });
  return {
    journal: journalFrom(given['journal']),
    revision: typeof revision === 'number' ? revision : 0,
    byPerson: Object.fromEntries(writers),
  };
}

const storedValue = ({ journal, revision, byPerson }: Stored): Json => ({
  journal,
  revision,
  byPerson,
});

/**
 * Values of a session that was cut behind `seq`: sections that the model wrote are as they were there, those that the
 * person wrote stay. Empty: the journal stays as it is.
 */
export function journalAfter(
  value: Json | undefined,
  messages: readonly Message[],
  seq: number,
): Readonly<Record<string, Json>> {
  const stored = storedFrom(value);
  if (isEmptyJournal(stored.journal)) return {};
  const then = replayed(messages.filter((message) => message.seq <= seq));
  const ofModel = JOURNAL_SECTIONS.filter((section) => stored.byPerson[section] === undefined);
  const change = Object.fromEntries(ofModel.map((section) => [section, then[section]]));
  return {
    [JOURNAL_KEY]: storedValue({ ...stored, journal: withSections(stored.journal, change) }),
    // The notice of the person's changes may be gone with the messages.
    [JOURNAL_TOLD_KEY]: null,
  };
}

/** The journal that the calls of a conversation made. */
function replayed(messages: readonly Message[]): Journal {
  const done = new Set(
    messages
      .flatMap(toolResultsOf)
      .flatMap(({ callId, state }) => (state === 'done' ? [callId] : [])),
  );
  let journal = EMPTY_JOURNAL;
  for (const { id, name, input } of messages.flatMap(toolCallsOf)) {
    if (!done.has(id)) continue;
    if (name === UPDATE_JOURNAL) journal = journalFrom({ ...journal, ...input });
    const { section, entry } = input;
    const list = JOURNAL_LISTS.find((one) => one === section);
    if (name !== APPEND_JOURNAL || typeof entry !== 'string' || list === undefined) continue;
    if (!journal[list].includes(entry))
      journal = journalFrom({ ...journal, [list]: [...journal[list], entry] });
  }
  return journal;
}
