import type { MemoryRow, MemoryView } from '../../../src/protocol/center/memory-view.ts';
import type { CenterHandlers } from '../../../src/protocol/center/requests.ts';

const note = (
  id: string,
  text: string,
  source = 'Nov 23, 2026 · How the tests are run',
): MemoryRow => ({ id, scope: id.startsWith('p') ? 'person' : 'workspace', text, source });

export const MEMORY: MemoryView = {
  problem: '',
  on: true,
  rows: [
    note('w2', 'The integration tests need Postgres on port 5433; start it with `make db-up`.'),
    note(
      'p1',
      'Answers are short: the result first, reasons only when asked.',
      'Nov 20, 2026 · app',
    ),
    note('w1', 'Prices are stored in cents; formatMoney() is the only place that divides by 100.'),
  ],
};

type Handlers = Pick<
  CenterHandlers,
  'readMemory' | 'changeMemory' | 'removeMemory' | 'restoreMemory' | 'exportMemory' | 'switchMemory'
>;

/** A memory that does what it is asked. */
export function memoryHandlers(
  stage: { memory: MemoryView },
  call: (words: string) => Promise<null>,
): Handlers {
  let removed: MemoryView['rows'] = [];
  const rows = (next: MemoryView['rows']): void => {
    stage.memory = { ...stage.memory, rows: next };
  };
  return {
    readMemory: async () => stage.memory,
    changeMemory: async ({ id, text }) => {
      await call(`change ${id} ${text}`);
      rows(stage.memory.rows.map((row) => (row.id === id ? { ...row, text } : row)));
      return null;
    },
    removeMemory: async ({ id }) => {
      await call(`remove ${id}`);
      removed = stage.memory.rows;
      rows(removed.filter((row) => row.id !== id));
      return null;
    },
    restoreMemory: async ({ id }) => {
      await call(`restore ${id}`);
      rows(removed);
      return null;
    },
    exportMemory: async ({ format }) => call(`export ${format}`),
    switchMemory: async ({ on }) => {
      await call(`memory ${on ? 'on' : 'off'}`);
      stage.memory = { ...stage.memory, on };
      return null;
    },
  };
}
