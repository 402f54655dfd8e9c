import type { Sample } from './samples.ts';

export const JOURNAL_SAMPLES = {
  append_run_journal_entry: {
    good: { section: 'decisions', entry: 'Keep the old parser: its tests pass.' },
    bad: [
      [{ section: 'objective', entry: 'x' }, /"section"/u],
      [{ section: 'blockers', entry: '' }, /"entry" needs at least 1/u],
    ],
    changes: false,
    needsNoFolder: { section: 'decisions', entry: 'x' },
  },
  get_run_journal: {
    good: {},
    bad: [[{ all: true }, /"all"/u]],
    changes: false,
    needsNoFolder: {},
  },
  update_run_journal: {
    good: { objective: 'Port the parser.', blockers: ['No grammar'] },
    bad: [
      [{ goal: 'x' }, /"goal"/u],
      [{ objective: 'x'.repeat(1001) }, /"objective" may have at most 1000/u],
    ],
    changes: false,
    needsNoFolder: { objective: 'x' },
  },
} as const satisfies Readonly<Record<string, Sample>>;
