import type {
  FolderChanges,
  PathChange,
  RestoreFolder,
  RestoreStep,
} from '../../../core/ports/files/workspace-snapshots.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';

/** Changes that go from thread to thread at once, copied in a few milliseconds: more would hold up the window. */
export const CHANGES_AT_ONCE = 250;
/** The same for steps of a restore, which have contents. */
const STEPS_AT_ONCE = 50;
const BYTES_AT_ONCE = 2 ** 20;

/** Too many changes for one answer; they are asked for piece by piece. */
export interface Parked {
  readonly parked: number;
  readonly count: number;
}

const countOf = (folders: readonly FolderChanges[]): number =>
  folders.reduce((sum, { changes }) => sum + changes.length, 0);

/** Answers of the thread that are fetched piece by piece. */
export class LargeAnswers {
  readonly #kept = new Map<number, readonly FolderChanges[]>();
  #last = 0;

  /** The answer, or where the rest of it is. */
  whole(folders: readonly FolderChanges[]): readonly FolderChanges[] | Parked {
    const count = countOf(folders);
    if (count <= CHANGES_AT_ONCE) return folders;
    this.#last += 1;
    this.#kept.set(this.#last, folders);
    return { parked: this.#last, count };
  }

  /** The last piece lets go of the answer. */
  piece(wanted: { readonly parked: number; readonly from: number }): readonly FolderChanges[] {
    const folders = this.#kept.get(wanted.parked) ?? [];
    if (wanted.from + CHANGES_AT_ONCE >= countOf(folders)) this.#kept.delete(wanted.parked);
    return pieceOf(folders, wanted.from);
  }
}

export class StagedSteps {
  readonly #folders = new Map<string, RestoreStep[]>();

  /** `first`: what was staged before is forgotten. */
  add({ root, steps, first }: RestoreFolder & { readonly first: boolean }): void {
    if (first) this.#folders.clear();
    const known = this.#folders.get(root) ?? [];
    this.#folders.set(root, known);
    for (const step of steps) known.push(step);
  }

  /** Fails when it is not all of it: a thread that was started anew in between knows only the rest. */
  take(count: number): readonly RestoreFolder[] {
    const folders = [...this.#folders].map(([root, steps]) => ({ root, steps }));
    this.#folders.clear();
    if (folders.reduce((sum, { steps }) => sum + steps.length, 0) === count) return folders;
    const message = told`The files could not be restored, its thread ended. Nothing was changed; try again.`;
    throw fault('tool', message);
  }
}

/** Some of the changes of all folders, counted through. */
function pieceOf(folders: readonly FolderChanges[], from: number): readonly FolderChanges[] {
  let start = from;
  let left = CHANGES_AT_ONCE;
  return folders.map(({ root, changes, unkept }) => {
    const piece = changes.slice(Math.max(0, start), Math.max(0, start) + left);
    start -= changes.length;
    left -= piece.length;
    const first = from === 0 && unkept !== undefined ? { unkept } : {};
    return { root, changes: start >= 0 ? [] : piece, ...first };
  });
}

export class Collected {
  readonly #folders = new Map<string, FolderChanges & { readonly changes: PathChange[] }>();

  add(pieces: readonly FolderChanges[]): void {
    for (const piece of pieces) {
      const known = this.#folders.get(piece.root) ?? { ...piece, changes: [] };
      this.#folders.set(piece.root, known);
      for (const change of piece.changes) known.changes.push(change);
    }
  }

  get folders(): readonly FolderChanges[] {
    return [...this.#folders.values()];
  }
}

/** The steps of a restore in groups that are copied without a pause that anybody notices. */
export function* stagesOf(folders: readonly RestoreFolder[]): Generator<RestoreFolder> {
  for (const { root, steps } of folders) {
    let group: RestoreStep[] = [];
    let bytes = 0;
    for (const step of steps) {
      group.push(step);
      for (const leaf of [step.from, step.to])
        bytes += leaf.kind === 'file' ? leaf.bytes.length : 0;
      if (group.length < STEPS_AT_ONCE && bytes < BYTES_AT_ONCE) continue;
      yield { root, steps: group };
      [group, bytes] = [[], 0];
    }
    if (group.length > 0) yield { root, steps: group };
  }
}
