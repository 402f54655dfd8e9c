import { movedTo, pathBelow, resolvePath } from '../../../domain/paths.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { ChangeOrigin } from '../../ports/files/change-origin.ts';
import type {
  FileOperations,
  NamedEntry,
  OperationOptions,
  Removed,
} from '../../ports/files/file-operations.ts';
import { type Content, ABSENT } from '../model/file-review.ts';
import type { AgentChanges } from './agent-changes.ts';
import type { WrittenChanges } from './written-changes.ts';

/** Files of one folder that are reviewed one by one; of more only the checkpoint knows. */
const MOST_FILES = 200;

interface ReviewedOperationsParts {
  readonly files: FileSystem;
  readonly operations: FileOperations;
  readonly changes: AgentChanges;
}

/** A file that goes along with its folder. */
interface Moved {
  readonly from: string;
  readonly to: string;
}

/** The part of the review that is about what becomes of whole files: moving, copying and deleting them. */
export class ReviewedOperations implements FileOperations {
  readonly #parts: Omit<ReviewedOperationsParts, 'changes'> & Pick<AgentChanges, 'reviews'>;
  readonly #changes: WrittenChanges;

  constructor(parts: ReviewedOperationsParts) {
    const { files, operations, changes } = parts;
    this.#parts = { files, operations, reviews: changes.reviews };
    this.#changes = changes.written;
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
    const { operations, reviews } = this.#parts;
    const { origin } = options;
    if (origin === undefined) return operations.rename(from, to);
    return reviews.files.inTurn(from, async () =>
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
    const { operations, reviews } = this.#parts;
    const { origin } = options;
    if (origin?.how !== 'write') return operations.copy(from, to, signal);
    const by = this.#changes.by(origin);
    const made: { readonly path: string; readonly content: Content }[] = [];
    for (const file of await this.#filesBelow(from, options)) {
      const { content } = await reviews.files.disk.now(file);
      const path = movedTo(file, from, to);
      await reviews.agent.edits(path, { before: ABSENT, after: content }, by);
      made.push({ path, content });
    }
    try {
      await operations.copy(from, to, signal);
    } catch (thrown) {
      for (const { path, content } of made)
        await reviews.agent.failed(path, { path, content: ABSENT }, content, by);
      throw thrown;
    }
  }

  async remove(path: string, options: OperationOptions = {}): Promise<Removed> {
    const { operations, reviews } = this.#parts;
    const { origin } = options;
    if (origin === undefined) return operations.remove(path);
    return reviews.files.inTurn(path, async () =>
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
    const { operations, reviews } = this.#parts;
    const by = this.#changes.by(origin);
    const gone: { readonly path: string; readonly content: Content }[] = [];
    for (const file of await this.#filesBelow(path, options)) {
      const { content } = await reviews.files.disk.now(file);
      const kept = await reviews.files.disk.kept.keep(file);
      await reviews.agent.edits(file, { before: content, after: ABSENT, kept }, by);
      gone.push({ path: file, content });
    }
    try {
      return await operations.remove(path);
    } catch (thrown) {
      for (const one of gone) await reviews.agent.failed(one.path, one, ABSENT, by);
      throw thrown;
    }
  }

  async #renamePending(
    { from, to }: Moved,
    origin: ChangeOrigin,
    options: OperationOptions,
  ): Promise<void> {
    const { operations, reviews } = this.#parts;
    const all = await this.#filesBelow(from, options);
    const undo: (() => Promise<void>)[] = [];
    for (const file of all)
      undo.push(await this.#aboutToMove({ from: file, to: movedTo(file, from, to) }, origin));
    try {
      await operations.rename(from, to);
    } catch (thrown) {
      for (const one of undo) await one();
      throw thrown;
    }
    // Of too many files only those go along that something is pending of already.
    if (all.length === 0) reviews.files.fileRenamed(from, to);
  }

  /** Makes it pending; gives what takes that back. */
  async #aboutToMove({ from, to }: Moved, origin: ChangeOrigin): Promise<() => Promise<void>> {
    const { reviews } = this.#parts;
    const by = this.#changes.by(origin);
    const { content } = await reviews.files.disk.now(from);
    const back = { path: from, content };
    if (reviews.find(to) === undefined) {
      await reviews.agent.renames(from, { path: to, content }, by);
      return () => reviews.agent.failed(to, back, content, by);
    }
    const kept = await reviews.files.disk.kept.keep(from);
    await reviews.agent.edits(to, { before: ABSENT, after: content }, by);
    await reviews.agent.edits(from, { before: content, after: ABSENT, kept }, by);
    return async () => {
      await reviews.agent.failed(to, { path: to, content: ABSENT }, content, by);
      await reviews.agent.failed(from, back, ABSENT, by);
    };
  }

  /** The user approved it: what is pending below moves along. */
  async #renameAccepted(from: string, to: string): Promise<void> {
    const { operations, reviews } = this.#parts;
    await operations.rename(from, to);
    await reviews.files.fileRenamedByYes(from, to);
    await reviews.flush();
  }

  async #removeAccepted(path: string): Promise<Removed> {
    const { operations, reviews } = this.#parts;
    const removed = await operations.remove(path);
    for (const one of reviews.pending)
      if (pathBelow(path, one.path) !== undefined) await reviews.agent.settle(one.path);
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
        if (type === 'file' && found.length < MOST_FILES) found.push(inner);
      }
      if (total > MOST_FILES) break;
    }
    if (total <= MOST_FILES) return found;
    note?.(
      `It holds more than ${MOST_FILES} files, too many to be reviewed one by one: the person can take it back with Belay: Restore Files.`,
    );
    return [];
  }
}
