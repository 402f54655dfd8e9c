import { changedMeanwhile, isReplaced } from '../../files/changed-meanwhile.ts';
import type { ChangeOptions } from '../../ports/files/change-origin.ts';
import type {
  FileEntry,
  FileStat,
  FileSystem,
  ReadOptions,
  WriteOptions,
} from '../../ports/files/file-system.ts';
import { ABSENT } from '../model/file-review.ts';
import type { FileChange, WrittenChanges } from './written-changes.ts';

/**
 * The files as an agent has them: every change that has an origin becomes pending before it is made. A change that the
 * user approved does not.
 */
export class ReviewedFiles implements FileSystem {
  readonly #files: FileSystem;
  readonly #changes: WrittenChanges;

  constructor(files: FileSystem, changes: WrittenChanges) {
    this.#files = files;
    this.#changes = changes;
  }

  read(path: string, maxBytes?: number, options?: ReadOptions): Promise<Uint8Array> {
    return this.#files.read(path, maxBytes, options);
  }

  readPart(
    path: string,
    offset: number,
    length: number,
    options?: ReadOptions,
  ): Promise<Uint8Array> {
    return this.#files.readPart(path, offset, length, options);
  }

  async write(path: string, content: Uint8Array, options: WriteOptions = {}): Promise<void> {
    const { origin } = options;
    if (origin === undefined) return this.#files.write(path, content, options);
    const { files } = this.#changes.reviews;
    return files.inTurn(path, async () => {
      const after = (await files.disk.bytes.read(path, content)).content;
      const now = await files.disk.now(path);
      // Text that was typed since is the user's: it would count as removed by the agent.
      if (now.bytes !== undefined && !isReplaced(options.replaces, now.bytes))
        throw changedMeanwhile(path, options.replaces, true);
      return this.#changes.write({ path, before: now.content, after }, origin, () =>
        this.#files.write(path, content, options),
      );
    });
  }

  stat(path: string): Promise<FileStat | undefined> {
    return this.#files.stat(path);
  }

  list(folder: string): Promise<readonly FileEntry[]> {
    return this.#files.list(folder);
  }

  realpath(path: string): Promise<string> {
    return this.#files.realpath(path);
  }

  async delete(path: string, options: ChangeOptions = {}): Promise<void> {
    const { origin } = options;
    if (origin === undefined) return this.#files.delete(path, options);
    const { files, agent } = this.#changes.reviews;
    return files.inTurn(path, async () => {
      if (origin.how === 'accepted') {
        await this.#files.delete(path, options);
        return agent.settle(path);
      }
      // Folders are deleted file by file where they are reviewed: see `ReviewedOperations`.
      if ((await this.#files.stat(path))?.type === 'directory') return this.#files.delete(path);
      const read = async (): Promise<FileChange> => ({
        path,
        before: (await files.disk.now(path)).content,
        after: ABSENT,
      });
      return this.#changes.change([read], origin, () => this.#files.delete(path, options));
    });
  }

  async rename(from: string, to: string, options: ChangeOptions = {}): Promise<void> {
    const { origin } = options;
    if (origin === undefined) return this.#files.rename(from, to);
    const { files } = this.#changes.reviews;
    return files.inTurn(from, async () => {
      if (origin.how !== 'accepted')
        return this.#changes.move([{ from, to }], origin, () => this.#files.rename(from, to));
      await this.#files.rename(from, to);
      await files.fileRenamedWithApproval(from, to);
      return this.#changes.reviews.flush();
    });
  }
}
