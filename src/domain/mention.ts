import { isJsonObject } from './data/json.ts';

/**
 * Something that a message points at with `@`: a file, a symbol, the problems, a page. What the model gets of it is
 * taken when the message is sent, and kept with it.
 */
export interface Mention {
  /** Id of the source that knows it: `file`, `symbol`, `problems` … */
  readonly source: string;
  /** Its name within the source: a path with lines, an address. Empty where there is only one. */
  readonly ref: string;
  /** For people; the message has it with an `@` before it. */
  readonly label: string;
  /** Where it is, for people; may be empty. */
  readonly detail: string;
  /** Name of a codicon. */
  readonly icon: string;
  /** About how many tokens it costs; `null`: that is known when it is sent. */
  readonly tokens: number | null;
}

/** `source` of the mentions that stand for attached files; their `ref` is the record's id. */
export const ATTACHED = 'attachment';

/** True for two mentions of the same thing. */
export function isSameMention(
  left: Pick<Mention, 'source' | 'ref'> | undefined,
  right: Pick<Mention, 'source' | 'ref'> | undefined,
): boolean {
  return left?.source === right?.source && left?.ref === right?.ref;
}

/** A mention that was stored; `undefined`: it is none. */
export function readMention(value: unknown): Mention | undefined {
  if (!isJsonObject(value)) return undefined;
  const { source, ref, label, detail, icon, tokens } = value;
  if (typeof source !== 'string' || typeof ref !== 'string' || typeof label !== 'string')
    return undefined;
  if (typeof detail !== 'string' || typeof icon !== 'string') return undefined;
  return { source, ref, label, detail, icon, tokens: typeof tokens === 'number' ? tokens : null };
}
