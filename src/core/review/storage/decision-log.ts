import { type Json, isJsonObject } from '../../../domain/data/json.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeptFile } from '../../ports/files/kept-contents.ts';
import type { Values } from '../../ports/store/values.ts';
import type { Content, FileReview } from '../model/file-review.ts';
import { appliedTo, differenceFrom, keptFrom, reviewFrom, storedReview } from './stored-review.ts';

const PREFIX = 'pending-decided:';
/** Decisions, and characters of their rows; the oldest go. */
const MAX_DECISIONS = 20;
const MAX_CHARS = 8_000_000;

/** One file of a decision. */
export interface DecidedFile {
  /** As it was before. */
  readonly row: FileReview;
  /** The file afterwards, and where it was then. */
  readonly after: Content;
  readonly path: string;
  /** The bytes that an undo replaced. Absent: its lines are all there is. */
  readonly replaced?: KeptFile | undefined;
}

/** A decision that can be taken back. */
export interface LoggedDecision {
  readonly id: string;
  readonly decision: 'keep' | 'undo';
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly files: readonly DecidedFile[];
  /** Hunks that were decided. */
  readonly hunks: number;
}

/** The last decisions of the user, so that none is final: also after a reload. */
export class DecisionLog {
  readonly #values: Values;
  readonly #clock: Pick<Clock, 'now'>;
  #entries: readonly LoggedDecision[] = [];
  #number = 0;

  constructor(values: Values, clock: Pick<Clock, 'now'>) {
    this.#values = values;
    this.#clock = clock;
  }

  /** Loads what any window has stored by now. */
  async load(): Promise<void> {
    const found = await this.#values.list(PREFIX);
    this.#entries = found.flatMap(({ key, value }) => readDecision(key, value) ?? []);
    this.#number = Number(found.at(-1)?.key.slice(PREFIX.length) ?? 0);
  }

  /** The newest last. */
  get all(): readonly LoggedDecision[] {
    return this.#entries;
  }

  /** Files as they were, that are needed when a decision is taken back. */
  get kept(): readonly KeptFile[] {
    return this.#entries.flatMap(({ files }) =>
      files.flatMap(({ row, replaced }) => [row.kept, replaced].filter((one) => one !== undefined)),
    );
  }

  /** @returns its id */
  async add(decided: Pick<LoggedDecision, 'decision' | 'files' | 'hunks'>): Promise<string> {
    this.#number += 1;
    const id = `${PREFIX}${String(this.#number).padStart(8, '0')}`;
    const entry = { id, at: this.#clock.now(), ...decided };
    await this.#values.set(id, writeDecision(entry));
    this.#entries = [...this.#entries, entry];
    await this.#bound();
    return id;
  }

  async remove(id: string): Promise<void> {
    this.#entries = this.#entries.filter((one) => one.id !== id);
    await this.#values.set(id, null);
  }

  async #bound(): Promise<void> {
    let characters = 0;
    for (const [index, entry] of this.#entries.toReversed().entries()) {
      characters += JSON.stringify(writeDecision(entry)).length;
      const isNewest = index === 0;
      if (!isNewest && (index >= MAX_DECISIONS || characters > MAX_CHARS))
        await this.remove(entry.id);
    }
  }
}

function writeDecision({ decision, at, files, hunks }: Omit<LoggedDecision, 'id'>): Json {
  return {
    decision,
    at,
    hunks,
    files: files.map(({ row, after, path, replaced }) => ({
      row: storedReview(row),
      after: differenceFrom(row.document, after),
      path,
      ...(replaced === undefined ? {} : { kept: { ...replaced } }),
    })),
  };
}

function readDecision(id: string, value: Json): LoggedDecision | undefined {
  const { decision, at, files, hunks } = isJsonObject(value) ? value : {};
  if (decision !== 'keep' && decision !== 'undo') return undefined;
  if (typeof at !== 'number' || typeof hunks !== 'number' || !Array.isArray(files))
    return undefined;
  return {
    id,
    decision,
    at,
    hunks,
    files: (files as readonly Json[]).flatMap((file) => readFile(file) ?? []),
  };
}

function readFile(value: Json): DecidedFile | undefined {
  const { row: stored, after: written, path, kept } = isJsonObject(value) ? value : {};
  const row = stored === undefined ? undefined : reviewFrom(stored);
  const after = appliedTo(row?.document, written);
  if (row === undefined || after === undefined || typeof path !== 'string') return undefined;
  return { row, after, path, replaced: keptFrom(kept).kept };
}
