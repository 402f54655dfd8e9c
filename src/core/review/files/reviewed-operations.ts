import { movedTo, pathBelow, resolvePath } from '../../../domain/paths.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { ChangeOrigin } from '../../ports/files/change-origin.ts';
import type {
  FileOperations,
  NamedEntry,
  OperationOptions,
  Removed,
} from '../../ports/files/file-operations.ts';
import { ABSENT } from '../model/file-review.ts';
import type { Reviews } from '../service/reviews.ts';
import type { FileChange, FileMove, WrittenChanges } from './written-changes.ts';

/** Files of one folder that are reviewed one by one; of more only the checkpoint knows. */
const MAX_FILES = 200;

interface ReviewedOperationsParts {
  readonly files: FileSystem;
  readonly operations: FileOperations;
  readonly changes: WrittenChanges;
}

/** The part of the review that is about what becomes of whole files: moving, copying and deleting them. */
export class ReviewedOperations implements FileOperations {
  readonly #parts: ReviewedOperationsParts;

  constructor(parts: ReviewedOperationsParts) {
    this.#parts = parts;
  }

  get #reviews(): Reviews {
    return this.#parts.changes.reviews;
  }

  async lookUp(path: string): Promise<NamedEntry | undefined> {
    return this.#parts.operations.lookUp(path);
  }

  createFolder(path: string): Promise<readonly string[]> {
    return this.#parts.operations.createFolder(path);
  }

  removeEmptyFolder(path: string): Promise<void> {
    return this.#parts.operations.removeEmptyFolder(path);
  }

  async rename(from: string, to: string, options: OperationOptions = {}): Promise<void> {
    const { operations } = this.#parts;
    const { origin } = options;
    if (origin === undefined) return operations.rename(from, to);
    return this.#reviews.files.inTurn(from, async () =>
      origin.how === 'write'
        ? this.#renamePending({ from, to }, origin, options)
        : this.#renameAccepted(from, to),
    );
  }

  async copy(
    from: string,
    to: string,
    signal: AbortSignal,
    options: OperationOptions = {},
  ): Promise<void> {
    const { operations, changes } = this.#parts;
    const { origin } = options;
    if (origin?.how !== 'write') return operations.copy(from, to, signal);
    const { disk } = this.#reviews.files;
    const copies = (await this.#filesBelow(from, options)).map(
      (file) => async (): Promise<FileChange> => ({
        path: movedTo(file, from, to),
        before: ABSENT,
        after: (await disk.now(file)).content,
      }),
    );
    return changes.change(copies, origin, () => operations.copy(from, to, signal));
  }

  async remove(path: string, options: OperationOptions = {}): Promise<Removed> {
    const { operations } = this.#parts;
    const { origin } = options;
    if (origin === undefined) return operations.remove(path);
    return this.#reviews.files.inTurn(path, async () =>
      origin.how === 'write'
        ? this.#removePending(path, origin, options)
        : this.#removeAccepted(path),
    );
  }

  async #removePending(
    path: string,
    origin: ChangeOrigin,
    options: OperationOptions,
  ): Promise<Removed> {
    const { operations, changes } = this.#parts;
    const { disk } = this.#reviews.files;
    const removals = (await this.#filesBelow(path, options)).map(
      (file) => async (): Promise<FileChange> => ({
        path: file,
        before: (await disk.now(file)).content,
        after: ABSENT,
      }),
    );
    return changes.change(removals, origin, () => operations.remove(path));
  }

  async #renamePending(
    { from, to }: FileMove,
    origin: ChangeOrigin,
    options: OperationOptions,
  ): Promise<void> {
    const { operations, changes } = this.#parts;
    const all = await this.#filesBelow(from, options);
    const moves = all.map((file) => ({ from: file, to: movedTo(file, from, to) }));
    await changes.move(moves, origin, () => operations.rename(from, to));
    // In a folder with too many files, only files that already have pending changes move along.
    if (all.length === 0) this.#reviews.files.fileRenamed(from, to);
  }

  /** The user approved it: what is pending below moves along. */
  async #renameAccepted(from: string, to: string): Promise<void> {
    await this.#parts.operations.rename(from, to);
    await this.#reviews.files.fileRenamedWithApproval(from, to);
    await this.#reviews.flush();
  }

  async #removeAccepted(path: string): Promise<Removed> {
    const removed = await this.#parts.operations.remove(path);
    for (const one of this.#reviews.pending)
      if (pathBelow(path, one.path) !== undefined) await this.#reviews.agent.settle(one.path);
    return removed;
  }

  /** The file, or those in the folder, that are reviewed one by one. Links are none. */
  async #filesBelow(path: string, { note }: OperationOptions): Promise<readonly string[]> {
    const { files, operations } = this.#parts;
    const entry = await operations.lookUp(path);
    if (entry?.type === 'file') return [path];
    const found: string[] = [];
    let total = 0;
    const folders = entry?.type === 'directory' ? [path] : [];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const { name, type } of await files.list(folder)) {
        const inner = resolvePath(folder, name);
        if (type === 'directory') folders.push(inner);
        else if (type === 'file') total += 1;
        if (type === 'file' && found.length < MAX_FILES) found.push(inner);
      }
      if (total > MAX_FILES) break;
    }
    if (total <= MAX_FILES) return found;
    note?.(
      `It holds more than ${MAX_FILES} files, too many to be reviewed one by one: the person can take it back with Belay: Restore.`,
    );
    return [];
  }
}
