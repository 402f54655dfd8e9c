import { type Json, type JsonObject, isJsonObject } from '../../../domain/data/json.ts';
import type { Values } from '../../ports/store/values.ts';
import type { Choice } from '../model/decide.ts';
import { hunksOf } from '../model/hunks.ts';
import { inPieces, parsedPieces } from './in-pieces.ts';
import type { FileReview } from '../model/file-review.ts';
import type { Selected } from '../model/selected-changes.ts';

const SEVERAL = 'review-decision:';
const UNDER_WAY = 'review-under-way:';

export type Decision = 'accept' | 'reject';

/** A decision about several files that a crash, or the end of the window, interrupted. */
export interface InterruptedDecision {
  readonly decision: Decision;
  /** Files that it did not come to; they are pending as they were. */
  readonly left: readonly Selected[];
  /** Files of the whole decision. */
  readonly of: number;
}

/** The changes that the person decides about, as they see them: later ones are not meant. */
export interface Meant extends Selected {
  readonly choice: Choice;
  /** Ids of the hunks that are meant. */
  readonly hunks: readonly string[];
}

/** Of a file that is being changed for a decision. */
export interface UnderWay {
  readonly decision: Decision;
  readonly meant: Meant;
}

/** Decisions under way, on disk for as long as they take. */
export class DecisionJournal {
  readonly #values: Values;
  /** Of this window: each has its own decision about several files. */
  readonly #writer: string;
  #keys: readonly string[] = [];

  constructor(values: Values, writer = '') {
    this.#values = values;
    this.#writer = writer;
  }

  async begin(decision: Decision, selected: readonly Meant[]): Promise<void> {
    await this.end();
    const text = JSON.stringify({ decision, selected: selected.map(stored) });
    const pieces = inPieces(`${SEVERAL}${this.#writer}`, text);
    this.#keys = pieces.map(({ key }) => key);
    // One without its last piece is none: the first is written last.
    for (const { key, value } of pieces.toReversed()) await this.#values.set(key, value);
  }

  async end(): Promise<void> {
    const keys = this.#keys;
    this.#keys = [];
    for (const key of keys) await this.#values.set(key, null);
  }

  /** The decision that an earlier window left; `end` forgets it. */
  async interrupted(): Promise<
    { readonly decision: Decision; readonly selected: readonly Meant[] } | undefined
  > {
    const found = await this.#values.list(SEVERAL);
    const windows = Map.groupBy(found, ({ key }) => key.replace(/#\d+$/u, ''));
    for (const pieces of windows.values()) {
      const keys = pieces.map(({ key }) => key);
      const texts = new Map(pieces.map(({ key, value }) => [key, value]));
      const record = recordOf(parsedPieces(keys, texts));
      const decision = decisionOf(record['decision']);
      const { selected } = record;
      this.#keys = [...this.#keys, ...keys];
      if (decision === undefined) continue;
      const meant = Array.isArray(selected) ? selected.map(meantOf) : [];
      return { decision, selected: meant.filter((one) => one !== undefined) };
    }
    await this.end();
    return undefined;
  }

  /** One file is about to be changed: after a crash what is in it tells whether that was done. */
  async beginFile(decision: Decision, meant: Meant): Promise<void> {
    await this.#values.set(UNDER_WAY + meant.path, { decision, ...stored(meant) });
  }

  async endFile(path: string): Promise<void> {
    await this.#values.set(UNDER_WAY + path, null);
  }

  /** Files of which that is noted. */
  async noted(): Promise<readonly Meant[]> {
    const values = await this.#values.list(UNDER_WAY);
    return values.flatMap(({ value }) => meantOf(value) ?? []);
  }

  async underWay(path: string): Promise<UnderWay | undefined> {
    const value = (await this.#values.get(UNDER_WAY + path)) ?? null;
    const [decision, meant] = [decisionOf(recordOf(value)['decision']), meantOf(value)];
    return decision === undefined || meant === undefined ? undefined : { decision, meant };
  }
}

/** The hunks that are meant, as they are by now; `undefined`: none of them is pending any more. */
export function stillMeant(
  review: FileReview,
  { choice, hunks }: Pick<Meant, 'choice' | 'hunks'>,
): Choice | undefined {
  const present = hunksOf(review).map(({ id }) => id);
  const left = present.filter((id) => hunks.includes(id));
  if (choice === 'all' && left.length === present.length)
    return left.length === 0 && review.renamedFrom === undefined ? undefined : 'all';
  return left.length === 0 ? undefined : left;
}

function stored({ path, choice, hunks }: Meant): JsonObject {
  return { path, all: choice === 'all', hunks: [...hunks] };
}

function meantOf(value: Json): Meant | undefined {
  const { path, all, hunks } = recordOf(value);
  if (typeof path !== 'string') return undefined;
  const ids = Array.isArray(hunks) ? hunks.filter((id) => typeof id === 'string') : [];
  return { path, choice: all === true ? 'all' : ids, hunks: ids };
}

function decisionOf(value: Json | undefined): Decision | undefined {
  return value === 'accept' || value === 'reject' ? value : undefined;
}

function recordOf(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}
