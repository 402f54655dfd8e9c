import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, lstat, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ReadOptions, WriteOptions } from '../../../src/core/ports/files/file-system.ts';
import type { ChangeOrigin } from '../../../src/core/ports/files/change-origin.ts';
import type { KeptContents, KeptFile } from '../../../src/core/ports/files/kept-contents.ts';
import { linesOf } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { WrittenChanges } from '../../../src/core/review/files/written-changes.ts';
import { ReviewedFiles } from '../../../src/core/review/files/reviewed-files.ts';
import { ReviewedOperations } from '../../../src/core/review/files/reviewed-operations.ts';
import { Reviews } from '../../../src/core/review/service/reviews.ts';
import { NodeFileOperations } from '../../../src/hosts/node/files/file-operations.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';
import type { Store } from '../../../src/store/store.ts';
import { open } from '../../contract/store/support.ts';
import { FakeClock } from '../fake-clock.ts';
import { silentLog } from '../memory-recorder.ts';
import { createHash } from 'node:crypto';

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const text = (content: Uint8Array): string => new TextDecoder().decode(content);

/** The files of a window: some have unsaved text in an editor, and the disk fails when it is told to. */
class WindowFiles extends NodeFileSystem {
  readonly unsaved = new Map<string, string>();
  /** Called before each change; throws what the disk fails with. */
  before: (path: string) => void | Promise<void> = () => undefined;
  /** Called after each change; throws as a crash would: the change is there. */
  after: (path: string) => void = () => undefined;

  override async read(file: string, maxBytes?: number, options?: ReadOptions): Promise<Uint8Array> {
    const typed = this.unsaved.get(file);
    return typed === undefined ? super.read(file, maxBytes, options) : bytes(typed);
  }

  override async write(
    file: string,
    content: Uint8Array,
    options: WriteOptions = {},
  ): Promise<void> {
    await this.before(file);
    const typed = this.unsaved.get(file);
    const { replaces } = options;
    if (typed !== undefined && replaces instanceof Uint8Array && text(replaces) === typed) {
      // Nobody saves what the person has not saved.
      this.unsaved.set(file, text(content));
    } else await super.write(file, content, options);
    this.after(file);
  }

  override async delete(file: string): Promise<void> {
    await this.before(file);
    await super.delete(file);
    this.after(file);
  }

  override async rename(from: string, to: string): Promise<void> {
    await this.before(from);
    await super.rename(from, to);
    this.after(to);
  }
}

/** Contents kept in a folder, by hash. */
class KeptInFolder implements KeptContents {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  async keep(file: string): Promise<KeptFile | undefined> {
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() !== true) return undefined;
    const content = await readFile(file);
    const hash = createHash('sha256').update(content).digest('hex');
    await writeFile(path.join(this.#folder, hash), content);
    return { hash, bytes: content.length, mode: found.mode & 0o7777 };
  }

  async read({ hash }: KeptFile): Promise<Uint8Array> {
    return readFile(path.join(this.#folder, hash));
  }
}

/** A workspace whose pending changes are those of the service, in a real store and on a real disk. */
export class ReviewWorkspace implements AsyncDisposable {
  readonly root: string;
  readonly clock = new FakeClock();
  readonly disk = new WindowFiles();
  readonly kept: KeptContents;
  operations: ReviewedOperations;
  readonly operationsOnDisk: NodeFileOperations;
  readonly #data: string;
  #store: Store;
  reviews: Reviews;
  files: ReviewedFiles;
  #calls = 0;

  private constructor(root: string, data: string, store: Store) {
    this.root = root;
    this.#data = data;
    this.#store = store;
    this.kept = new KeptInFolder(path.join(data, 'kept'));
    this.operationsOnDisk = new NodeFileOperations(path.join(data, 'removed'));
    [this.reviews, this.files, this.operations] = this.#open();
  }

  static async open(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-reviewed-')));
    const data = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-reviewed-data-')));
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), content);
    }
    const workspace = new ReviewWorkspace(root, data, await open(data));
    await workspace.reviews.load();
    return workspace;
  }

  get store(): Store {
    return this.#store;
  }

  /** As after a crash: what was not stored is lost. */
  async restart(): Promise<void> {
    this.reviews.dispose();
    await this.#store.close();
    this.#store = await open(this.#data);
    [this.reviews, this.files, this.operations] = this.#open();
    await this.reviews.load();
  }

  at(name: string): string {
    return path.join(this.root, name);
  }

  origin(how: ChangeOrigin['how'], sessionId = 's'): ChangeOrigin {
    this.#calls += 1;
    const callId = `call ${this.#calls}`;
    return { sessionId, messageId: 'm', callId, tool: 'edit_file', how };
  }

  /** What the agent writes, as its tools do: over exactly what it sees. */
  async write(how: ChangeOrigin['how'], name: string, content: string | Uint8Array): Promise<void> {
    const file = this.at(name);
    const there = (await this.files.stat(file)) !== undefined;
    const replaces = there ? await this.files.read(file) : ('nothing' as const);
    const made = typeof content === 'string' ? bytes(content) : content;
    await this.files.write(file, made, { exact: true, replaces, origin: this.origin(how) });
  }

  delete(how: ChangeOrigin['how'], name: string): Promise<void> {
    return this.files.delete(this.at(name), { origin: this.origin(how) });
  }

  rename(how: ChangeOrigin['how'], from: string, to: string): Promise<void> {
    return this.files.rename(this.at(from), this.at(to), { origin: this.origin(how) });
  }

  /** What the agent sees; `undefined`: nothing. */
  async seen(name: string): Promise<string | undefined> {
    const there = (await this.files.stat(this.at(name))) !== undefined;
    return there ? text(await this.files.read(this.at(name))) : undefined;
  }

  /** What is on disk; `undefined`: nothing. */
  onDisk(name: string): string | undefined {
    try {
      return readFileSync(this.at(name), 'utf8');
    } catch {
      return undefined;
    }
  }

  bytesOnDisk(name: string): Uint8Array {
    return new Uint8Array(readFileSync(this.at(name)));
  }

  async mode(name: string): Promise<number> {
    return (await lstat(this.at(name))).mode & 0o7777;
  }

  async setMode(name: string, mode: number): Promise<void> {
    await chmod(this.at(name), mode);
  }

  /** What something else than the agent writes. */
  async outside(name: string, content: string): Promise<void> {
    await mkdir(path.dirname(this.at(name)), { recursive: true });
    await writeFile(this.at(name), content);
  }

  /** `a.txt: -old +new`, by path; a renaming as `from → to`. */
  get pending(): readonly string[] {
    return this.reviews.pending.map((review) => {
      const name = path.relative(this.root, review.path);
      const from = review.renamedFrom;
      const names = from === undefined ? name : `${path.relative(this.root, from)} → ${name}`;
      const hunks = hunksOf(review).map((hunk) =>
        hunk.kind === 'change'
          ? [...hunk.removed.map((line) => `-${line}`), ...hunk.added.map((line) => `+${line}`)]
          : [hunk.kind],
      );
      return [`${names}:`, ...hunks.flat()].join(' ');
    });
  }

  /** Ids of the hunks of a file. */
  hunks(name: string): readonly string[] {
    const review = this.reviews.find(this.at(name));
    return review === undefined ? [] : hunksOf(review).map(({ id }) => id);
  }

  baseline(name: string): string | undefined {
    const review = this.reviews.find(this.at(name));
    return review === undefined ? undefined : linesOf(review.baseline).join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.reviews.dispose();
    await this.#store.close();
    rmSync(this.root, { recursive: true, force: true });
    rmSync(this.#data, { recursive: true, force: true });
  }

  #open(): [Reviews, ReviewedFiles, ReviewedOperations] {
    const { clock, disk: files, kept } = this;
    const { values, epoch } = this.#store;
    const reviews = new Reviews({
      values,
      writer: String(epoch),
      files,
      kept,
      clock,
      log: silentLog,
    });
    const changes = new WrittenChanges(reviews, clock);
    const operations = new ReviewedOperations({
      files,
      operations: this.operationsOnDisk,
      changes,
    });
    return [reviews, new ReviewedFiles(files, changes), operations];
  }
}
