import type { Sample } from './samples.ts';

export const MEMORY_SAMPLES = {
  forget: {
    good: { id: 'w1' },
    bad: [[{ id: '' }, /"id" needs at least 1/u]],
    changes: true,
    asks: false,
    missing: { id: 'w999' },
    needsNoFolder: { id: 'w1' },
    prepare: async ({ rig: { store } }) =>
      store.memories.restore({
        id: 'w1',
        scope: 'workspace',
        text: 'Old.',
        at: 1,
        sessionId: 's',
        workspace: '',
      }),
  },
  recall: {
    good: { query: 'tests' },
    bad: [[{ query: '' }, /"query" needs at least 1/u]],
    changes: false,
    needsNoFolder: { query: 'tests' },
  },
  remember: {
    good: { text: 'Tests need Postgres.' },
    bad: [[{ text: '' }, /"text" needs at least 1/u]],
    changes: true,
    asks: false,
    needsNoFolder: { text: 'Tests need Postgres.' },
  },
} as const satisfies Readonly<Record<string, Sample>>;
