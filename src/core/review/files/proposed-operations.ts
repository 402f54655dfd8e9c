import { inEnglish, told, type Told } from '../../../domain/text/told.ts';
import { type BelayError, fault } from '../../../domain/failure.ts';
import { throwIfAborted } from '../../../domain/lifetime/abort.ts';
import { movedTo, nameOf, pathBelow, resolvePath } from '../../../domain/paths.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { FileOperations, NamedEntry } from '../../ports/files/file-operations.ts';
import type { Attribution } from '../model/file-review.ts';
import { LARGEST_MADE } from '../model/proposed-bytes.ts';
import type { AgentChanges } from './agent-changes.ts';
import type { ProposedChanges } from './proposed-changes.ts';

/** Files of one folder that are proposed one by one; more are nothing that a person looks through. */
const MOST_FILES = 200;

interface Parts {
  readonly files: FileSystem;
  readonly operations: Pick<FileOperations, 'lookUp'>;
  readonly changes: Pick<AgentChanges, 'reviews' | 'proposed' | 'proposals'>;
}

/** A folder's files for the agent, or the reason why a change of it cannot be proposed. */
type Held =
  | { readonly kind: 'files'; readonly paths: readonly string[]; readonly isFolder: boolean }
  | { readonly kind: 'other'; readonly why: Told };

/** Moving, copying and deleting as proposals: a folder is each of its files. */
export class ProposedOperations {
  readonly #parts: Omit<Parts, 'changes'> & Pick<AgentChanges, 'reviews' | 'proposed'>;
  readonly #changes: ProposedChanges;

  constructor({ files, operations, changes }: Parts) {
    this.#parts = { files, operations, ...changes };
    this.#changes = changes.proposals;
  }

  async lookUp(path: string): Promise<NamedEntry | undefined> {
    const { operations, proposed } = this.#parts;
    const { kind } = proposed.at(path);
    if (kind === 'gone') return undefined;
    const found = await operations.lookUp(path);
    const isFolder = found?.type === 'directory';
    if (isFolder && (await proposed.isEmptied(path))) return undefined;
    if (kind === 'none' || (found !== undefined && isFolder === (kind === 'folder'))) return found;
    return { type: kind === 'file' ? 'file' : 'directory', id: `proposed:${path}` };
  }

  async unproposable(what: 'rename' | 'copy' | 'delete', path: string): Promise<Told | undefined> {
    const held = await this.#held(path);
    if (held.kind === 'other') return held.why;
    if (what !== 'copy') return undefined;
    for (const file of held.paths) {
      const { size = 0 } = (await this.#parts.proposed.statOf(file)) ?? {};
      if (size > LARGEST_MADE) return told`${file} is too large to be copied as a proposal`;
    }
    return undefined;
  }

  /** Nothing is to be decided about a folder without a file. */
  async createFolder(path: string): Promise<void> {
    if ((await this.lookUp(path)) !== undefined) throw taken(path);
  }

  async rename(from: string, to: string, by: Attribution): Promise<void> {
    const { paths, isFolder } = await this.#filesIn(from);
    if (isFolder && pathBelow(from, to) !== undefined) throw intoItself(from, to);
    const there = isFolder ? await this.lookUp(to) : undefined;
    const isSame = there?.id === (await this.lookUp(from))?.id;
    if (there !== undefined && !isSame) throw taken(to);
    const folder = isFolder ? from : undefined;
    const moves = paths.map((path) => ({ from: path, to: movedTo(path, from, to) }));
    await this.#each(
      moves,
      (move) => this.#inTurn(move, () => this.#changes.rename({ ...move, folder }, by)),
      (move) =>
        this.#inTurn(move, () => this.#changes.rename({ from: move.to, to: move.from }, by)),
    );
  }

  async copy(from: string, to: string, by: Attribution, signal: AbortSignal): Promise<void> {
    const { paths, isFolder } = await this.#filesIn(from);
    if (isFolder && pathBelow(from, to) !== undefined) throw intoItself(from, to);
    if ((await this.lookUp(to)) !== undefined) throw taken(to);
    const moves = paths.map((path) => ({ from: path, to: movedTo(path, from, to) }));
    await this.#each(
      moves,
      async (move) => {
        throwIfAborted(signal);
        await this.#inTurn(move, () => this.#changes.copy(move.from, move.to, by));
      },
      (move) => this.#inTurn(move, () => this.#changes.delete(move.to, by)),
    );
  }

  async remove(path: string, by: Attribution): Promise<void> {
    const { paths, isFolder } = await this.#filesIn(path);
    for (const file of paths)
      await this.#changes.inTurn([file], () =>
        this.#changes.delete(file, by, isFolder ? path : undefined),
      );
  }

  #inTurn(
    { from, to }: { readonly from: string; readonly to: string },
    work: () => Promise<void>,
  ): Promise<void> {
    return this.#changes.inTurn([from, to], work);
  }

  /** All of it is proposed, or nothing. */
  async #each<Move>(
    moves: readonly Move[],
    make: (move: Move) => Promise<void>,
    takeBack: (move: Move) => Promise<void>,
  ): Promise<void> {
    const done: Move[] = [];
    try {
      for (const move of moves) {
        await make(move);
        done.push(move);
      }
    } catch (thrown) {
      for (const move of done.toReversed()) await takeBack(move);
      throw thrown;
    }
  }

  async #filesIn(path: string): Promise<Extract<Held, { readonly kind: 'files' }>> {
    const held = await this.#held(path);
    if (held.kind === 'files') return held;
    const message = told`This cannot be proposed together with the rest: ${inEnglish(held.why)}. Nothing was changed; do it in a call of its own, then the person is asked.`;
    throw fault('invalid', message);
  }

  /** The file, or those in the folder, as the agent finds them. */
  async #held(path: string): Promise<Held> {
    const entry = await this.lookUp(path);
    if (entry === undefined || entry.type === 'file')
      return { kind: 'files', paths: [path], isFolder: false };
    if (entry.type !== 'directory') return { kind: 'other', why: told`${path} is ${NO_FILE}` };
    const paths: string[] = [];
    const folders = [path];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const { name, type } of await this.#parts.proposed.list(folder)) {
        const inner = resolvePath(folder, name);
        if (type === 'directory') folders.push(inner);
        else if (type === 'file') paths.push(inner);
        else
          return { kind: 'other', why: told`${nameOf(path)} holds ${inner}, which is ${NO_FILE}` };
        if (paths.length > MOST_FILES)
          return {
            kind: 'other',
            why: told`${path} holds more than ${MOST_FILES} files, too many to be reviewed one by one`,
          };
      }
    }
    if (paths.length > 0) return { kind: 'files', paths: paths.toSorted(), isFolder: true };
    return {
      kind: 'other',
      why: told`${path} is a folder without a file, and only files are reviewed`,
    };
  }
}

const NO_FILE = told`a link or no regular file, and only files are reviewed`;

function taken(path: string): BelayError {
  return fault('invalid', told`Something is at ${path} already. Nothing was changed.`);
}

function intoItself(from: string, to: string): BelayError {
  return fault('invalid', told`${from} cannot be put into itself (${to}). Nothing was changed.`);
}
