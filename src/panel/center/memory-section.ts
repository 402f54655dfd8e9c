import * as l10n from '@vscode/l10n';
import type { MemoryRecords } from '../../core/ports/store/memories.ts';
import { failureOf, fault, wordsOf } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { Memory } from '../../domain/memory.ts';
import type { Session } from '../../domain/session/session.ts';
import { cleanText, makeVisible } from '../../domain/text/honest-text.ts';
import { spoken } from '../../domain/text/language.ts';
import type { MemoryView } from '../../protocol/center/memory-view.ts';
import type { CenterHandlers } from '../../protocol/center/requests.ts';

export interface MemorySectionParts {
  readonly memories: Pick<MemoryRecords, 'all' | 'change' | 'remove' | 'restore'>;
  /** Of this workspace. */
  readonly sessions: () => Promise<readonly Pick<Session, 'id' | 'title'>[]>;
  /** The setting. */
  readonly enabled: () => boolean;
  readonly enable: (on: boolean) => Promise<void>;
  /** Takes secrets out. */
  readonly mask: (text: string) => Promise<string>;
  /** Saves a text where the person says; `false`: they gave up. */
  readonly save: (name: string, text: string) => Promise<boolean>;
}

type Requests =
  | 'readMemory'
  | 'changeMemory'
  | 'removeMemory'
  | 'restoreMemory'
  | 'exportMemory'
  | 'switchMemory';

/** The notes, with the ways to change, remove, bring back, save and stop them. */
export function memorySection(parts: MemorySectionParts): Pick<CenterHandlers, Requests> {
  const { memories, enabled, enable, mask, save } = parts;
  /** Notes that were removed here, to be brought back. */
  const removed = new Map<string, Memory>();
  return {
    readMemory: async () => {
      const on = enabled();
      try {
        return { problem: '', on, rows: await rowsOf(parts) };
      } catch (error) {
        return { problem: wordsOf(failureOf(error)), on, rows: [] };
      }
    },
    changeMemory: async ({ id, text }) => {
      const kept = cleanText(await mask(text)).trim();
      if (kept === '') throw fault('invalid', told`A note needs words.`);
      if (!(await memories.change(id, kept))) throw gone();
      return null;
    },
    removeMemory: async ({ id }) => {
      const note = await memories.remove(id);
      if (note === undefined) throw gone();
      removed.set(id, note);
      return null;
    },
    restoreMemory: async ({ id }) => {
      const note = removed.get(id);
      if (note === undefined) throw gone();
      await memories.restore(note);
      removed.delete(id);
      return null;
    },
    exportMemory: async ({ format }) => {
      const notes = await memories.all();
      if (format === 'json') await save('memory.json', `${JSON.stringify(notes, null, 2)}\n`);
      else await save('memory.md', markdown(notes));
      return null;
    },
    switchMemory: async ({ on }) => {
      await enable(on);
      return null;
    },
  };
}

async function rowsOf({ memories, sessions }: MemorySectionParts): Promise<MemoryView['rows']> {
  const [notes, known] = await Promise.all([memories.all(), sessions()]);
  const titles = new Map(known.map(({ id, title }) => [id, title]));
  return notes.map((note) => {
    const title = titles.get(note.sessionId) ?? note.workspace;
    const day = new Date(note.at).toLocaleDateString(spoken(), { dateStyle: 'medium' });
    return {
      id: note.id,
      scope: note.scope,
      text: makeVisible(note.text),
      source: [day, makeVisible(title)].filter((word) => word !== '').join(' · '),
    };
  });
}

/** A list for each scope. */
function markdown(notes: readonly Memory[]): string {
  const list = (title: string, scope: Memory['scope']): string =>
    [
      `## ${title}\n`,
      ...notes
        .filter((note) => note.scope === scope)
        .map(
          ({ id, text, at }) =>
            `- ${text.replaceAll('\n', '\n  ')} (${id}, ${new Date(at).toISOString().slice(0, 10)})`,
        ),
    ].join('\n');
  return `# ${l10n.t('Memory')}\n\n${list(l10n.t('All workspaces'), 'person')}\n\n${list(l10n.t('This workspace'), 'workspace')}\n`;
}

const gone = () => fault('not_found', told`This note is not there any more.`);
