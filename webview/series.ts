import { computed, type ReadonlySignal } from '@preact/signals';
import type { PartView, ToolView } from '../src/protocol/view.ts';
import { isOne, numeral } from '../src/domain/text/language.ts';

/** Calls in a row from which on they are folded into one line. */
const FEWEST = 4;

/** A letter for each part of a message: a call that may be folded, thinking, nothing to see, anything else. */
const [CALL, THOUGHT, NOTHING] = ['c', 't', '-'] as const;
export const OTHER = 'x';

/** The kind of a part. */
export function shapeOf(part: PartView): string {
  switch (part.type) {
    case 'tool':
      return mayBeFolded(part) ? CALL : OTHER;
    case 'reasoning':
      return part.text === '' ? NOTHING : THOUGHT;
    case 'text':
      return part.text === '' ? NOTHING : OTHER;
    case 'finish':
      return NOTHING;
    default:
      return OTHER;
  }
}

/** True for a call that has looked at something and ended well, with nothing else to see on its card. */
function mayBeFolded(tool: ToolView): boolean {
  const { counted, details, diff, media, retry, server, state, trouble } = tool;
  const isPlain = diff === null && retry === null && server === null && media.length === 0;
  const isWell = state === 'done' && trouble === '' && !details.some(({ problem }) => problem);
  return counted !== null && isPlain && isWell;
}

/** Calls in a row that only looked at something. */
export interface Series {
  /** The key of its first call's part. */
  readonly id: string;
  readonly calls: readonly ReadonlySignal<PartView>[];
}

/** Key of a part within the panel: its message and its place there. */
export const partKey = (messageId: string, index: number): string => `${messageId}/${index}`;

/** A message, as far as series know it. */
interface Entry {
  readonly id: string;
  readonly shape: ReadonlySignal<string>;
  readonly parts: ReadonlySignal<readonly ReadonlySignal<PartView>[]>;
}

/** Finds series across messages: by the key of each part that belongs to one. Follows the kinds of parts, not their texts. */
export function seriesIn(
  entries: ReadonlySignal<readonly Entry[]>,
): ReadonlySignal<ReadonlyMap<string, Series>> {
  return computed(() => {
    const found = new Map<string, Series>();
    let calls: ReadonlySignal<PartView>[] = [];
    let keys: string[] = [];
    let thoughts: string[] = [];
    const end = (): void => {
      const [id] = keys;
      if (calls.length >= FEWEST && id !== undefined)
        for (const key of keys) found.set(key, { id, calls });
      [calls, keys, thoughts] = [[], [], []];
    };
    for (const entry of entries.value) {
      for (const [index, kind] of entry.shape.value.split('').entries()) {
        const part = entry.parts.peek()[index];
        const key = partKey(entry.id, index);
        if (kind === CALL && part !== undefined) {
          calls.push(part);
          keys.push(...thoughts, key);
          thoughts = [];
        } else if (kind === THOUGHT && calls.length > 0) thoughts.push(key);
        else if (kind === OTHER) end();
      }
    }
    end();
    return found;
  });
}

/** A series in numbers: "12 reads · 3 searches". */
export function countsOf({ calls }: Series): string {
  const counts = new Map<string, { one: string; count: number }>();
  for (const call of calls) {
    const view = call.value;
    if (view.type !== 'tool' || view.counted === null) continue;
    const [one, several] = view.counted;
    counts.set(several, { one, count: (counts.get(several)?.count ?? 0) + 1 });
  }
  return [...counts]
    .map(([several, { one, count }]) =>
      (isOne(count) ? one : several).replace('{0}', numeral(count)),
    )
    .join(' · ');
}

/** Characters of the names beside the counts. */
const NAMES = 200;

/** The subjects of a series, each once: of paths the names alone. */
export function namesOf({ calls }: Series): string {
  const names = calls.map((call) => {
    const view = call.value;
    if (view.type !== 'tool') return '';
    return view.file === null ? view.subject : (view.subject.split(/[\\/]/u).at(-1) ?? '');
  });
  return [...new Set(names)]
    .filter((name) => name !== '')
    .join(', ')
    .slice(0, NAMES);
}
