import type { ToolRecords } from '../../src/tools/tool-parts.ts';

/** A memory that is switched off. */
export const NO_MEMORIES: ToolRecords['memories'] = {
  records: {
    add: () => Promise.reject(new Error('There is no memory.')),
    all: () => Promise.resolve([]),
    recall: () => Promise.resolve([]),
    remove: () => Promise.resolve(undefined),
  },
  enabled: () => false,
  mask: (text) => Promise.resolve(text),
};
