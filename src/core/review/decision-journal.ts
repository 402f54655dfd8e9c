import type { Json, JsonObject } from '../../domain/json.ts';
import type { Values } from '../ports.ts';
import type { Choice } from './decide.ts';
import { hunksOf } from './hunks.ts';
import type { FileReview } from './file-review.ts';
import type { ReviewKind, Selected } from './review-kinds.ts';

const SEVERAL = 'review-decision';
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

/** What the person decides about, as they see it: what comes to be pending later is not meant. */
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

/** What is being decided, on disk for as long as it takes. */
export class DecisionJournal {
  readonly #values: Values;

  constructor(values: Values) {
    this.#values = values;
  }

  async begin(decision: Decision, selected: readonly Meant[]): Promise<void> {
    await this.#values.set(SEVERAL, { decision, selected: selected.map(stored) });
  }

  async end(): Promise<void> {
    await this.#values.set(SEVERAL, null);
  }

  /** What an earlier window left. */
  async interrupted(): Promise<
    { readonly decision: Decision; readonly selected: readonly Meant[] } | undefined
  > {
    const record = recordOf((await this.#values.get(SEVERAL)) ?? null);
    const decision = decisionOf(record['decision']);
    if (decision === undefined) return undefined;
    const { selected } = record;
    const meant = Array.isArray(selected) ? selected.map(meantOf) : [];
    return { decision, selected: meant.filter((one) => one !== undefined) };
  }

  /** One file is about to be changed: after a crash what is in it tells whether that was done. */
  async beginFile(decision: Decision, meant: Meant): Promise<void> {
    await this.#values.set(keyOf(meant), { decision, ...stored(meant) });
  }

  async endFile(file: { readonly kind: ReviewKind; readonly path: string }): Promise<void> {
    await this.#values.set(keyOf(file), null);
  }

  /** Files of which that is noted. */
  async noted(): Promise<readonly Meant[]> {
    const values = await this.#values.list(UNDER_WAY);
    return values.flatMap(({ value }) => meantOf(value) ?? []);
  }

  async underWay(file: {
    readonly kind: ReviewKind;
    readonly path: string;
  }): Promise<UnderWay | undefined> {
    const value = (await this.#values.get(keyOf(file))) ?? null;
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

function keyOf({ kind, path }: { readonly kind: ReviewKind; readonly path: string }): string {
  return `${UNDER_WAY}${kind}:${path}`;
}

function stored({ kind, path, choice, hunks }: Meant): JsonObject {
  return { kind, path, all: choice === 'all', hunks: [...hunks] };
}

function meantOf(value: Json): Meant | undefined {
  const { kind, path, all, hunks } = recordOf(value);
  if ((kind !== 'written' && kind !== 'proposed') || typeof path !== 'string') return undefined;
  const ids = Array.isArray(hunks) ? hunks.filter((id) => typeof id === 'string') : [];
  return { kind, path, choice: all === true ? 'all' : ids, hunks: ids };
}

function decisionOf(value: Json | undefined): Decision | undefined {
  return value === 'accept' || value === 'reject' ? value : undefined;
}

function recordOf(value: Json): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}
