import { Journals } from '../../src/core/session/journals.ts';
import type { ToolRecords } from '../../src/tools/tool-parts.ts';
import { MapValues } from './map-values.ts';

/** Journals that nobody hears of. */
export const journalsInMemory = (): ToolRecords['journals'] => ({
  records: new Journals(new MapValues(), { publish: () => undefined }),
  mask: (text) => Promise.resolve(text),
});
