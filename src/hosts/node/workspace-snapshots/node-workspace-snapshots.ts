import { Worker } from 'node:worker_threads';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type {
  FolderChanges,
  LeafRecord,
  RecoveredRestore,
  RestoredFolders,
  RestoreFolder,
  SnapshotStorage,
  Wanted,
  WorkspaceSnapshot,
  WorkspaceSnapshots,
} from '../../../core/ports/files/workspace-snapshots.ts';
import type { Leaf } from '../../../core/restore/turned-back.ts';
import { fault, BelayError } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import type { Json } from '../../../domain/data/json.ts';
import type {
  SnapshotCalls,
  SnapshotMethod,
  SnapshotReply,
  SnapshotThreadOptions,
} from './calls.ts';
import { journalsIn } from './journal.ts';
import { isFolderBelow, leafBelow } from './leaf-files.ts';
import { Owners } from './owners.ts';
import { type Parked, CHANGES_AT_ONCE, Collected, stagesOf } from './pieces.ts';

/** Bytes; a file that is larger is left out of snapshots, and said. */
const LARGEST_FILE = 10 * 2 ** 20;
/** Files in a snapshot: a workspace with more is no source tree. */
const MOST_FILES = 200_000;
/** Permission bits of a file that is gone by now. */
const NEW_FILE = 0o644;
/** MB: what a snapshot throws away is cleared early, which costs it nothing measurable and halves its memory. */
const YOUNG_MEMORY = 4;

export interface NodeSnapshotOptions extends Pick<
  SnapshotThreadOptions,
  'folder' | 'name' | 'without' | 'environment'
> {
  /** The thread's file: `dist/snapshot-worker.cjs`, or the source in tests. */
  readonly worker: string | URL;
}

/** Snapshots by a thread of its own, which is started when it is first needed. */
export class NodeWorkspaceSnapshots implements WorkspaceSnapshots, SnapshotStorage, Disposable {
  readonly #options: NodeSnapshotOptions;
  readonly #pending = new Map<
    number,
    { resolve(value: unknown): void; reject(error: Error): void }
  >();
  #worker: Worker | undefined;
  #lastId = 0;
  #restoring: Promise<unknown> = Promise.resolve();
  #over = false;

  constructor(options: NodeSnapshotOptions) {
    this.#options = options;
  }

  take(roots: readonly string[]): Promise<WorkspaceSnapshot> {
    return this.#call('take', { roots });
  }

  async changes(
    before: WorkspaceSnapshot,
    after: WorkspaceSnapshot,
  ): Promise<readonly FolderChanges[]> {
    return this.#whole(await this.#call('changes', { before, after }));
  }

  async keep(
    root: string,
    paths: readonly string[],
    known?: ReadonlyMap<string, Uint8Array | undefined>,
  ): Promise<readonly (LeafRecord | undefined)[]> {
    // Read here and now: the thread may be busy or yet to start, and the file another one by then.
    const leaves = paths.map((name) => {
      if (isFolderBelow(root, name)) return undefined;
      const leaf = leafBelow(root, name, { most: LARGEST_FILE });
      return known?.has(name) === true ? knownLeaf(leaf, known.get(name)) : leaf;
    });
    return this.#call('keep', { root, paths, leaves });
  }

  async contentOf(record: LeafRecord): Promise<Leaf> {
    if (record.kind !== 'file') return record;
    return { kind: 'file', bytes: await this.#call('read', record.hash), mode: record.mode };
  }

  now(root: string, name: string): Promise<Leaf> {
    return this.#call('now', { root, path: name });
  }

  /** One at a time, because of what is staged. */
  restore(folders: readonly RestoreFolder[], about: Json): Promise<RestoredFolders> {
    const restored = this.#restoring.then(() => this.#staged(folders, about));
    this.#restoring = restored.catch(() => undefined);
    return restored;
  }

  recorded(about: Json): Promise<void> {
    return this.#call('recorded', about);
  }

  async recover(): Promise<readonly RecoveredRestore[]> {
    // Almost always there is nothing, and no thread is started to find that out.
    return journalsIn(this.#options.folder).length === 0 ? [] : this.#call('recover', null);
  }

  size(): Promise<number> {
    return this.#call('size', null);
  }

  sweep(wanted: Wanted, slack: number): Promise<number | undefined> {
    return this.#call('sweep', { wanted, slack });
  }

  dispose(): void {
    this.#over = true;
    const { folder, name } = this.#options;
    void this.#worker?.terminate().then(() => new Owners(folder, name).leave());
    this.#end('The window was closed.');
  }

  async #staged(folders: readonly RestoreFolder[], about: Json): Promise<RestoredFolders> {
    let count = 0;
    for (const stage of stagesOf(folders)) {
      await this.#call('stage', { ...stage, first: count === 0 });
      count += stage.steps.length;
    }
    if (count === 0) return { folders: [], left: [] };
    const { folders: changed, left } = await this.#call('restore', { about, count });
    return { folders: await this.#whole(changed), left };
  }

  async #whole(answer: readonly FolderChanges[] | Parked): Promise<readonly FolderChanges[]> {
    if (!('parked' in answer)) return answer;
    const collected = new Collected();
    for (let from = 0; from < answer.count; from += CHANGES_AT_ONCE)
      collected.add(await this.#call('piece', { parked: answer.parked, from }));
    return collected.folders;
  }

  async #call<Method extends SnapshotMethod>(
    method: Method,
    params: SnapshotCalls[Method][0],
  ): Promise<SnapshotCalls[Method][1]> {
    if (this.#over) throw gone('The window was closed.');
    const worker = (this.#worker ??= this.#start());
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    worker.ref();
    worker.postMessage({ id, method, params }, []);
    return answer as Promise<SnapshotCalls[Method][1]>;
  }

  #start(): Worker {
    const { worker: file, ...options } = this.#options;
    const workerData: SnapshotThreadOptions = {
      ...options,
      environment: { ...options.environment },
      largestFile: LARGEST_FILE,
      mostFiles: MOST_FILES,
    };
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MEMORY };
    const worker = new Worker(file, { workerData, resourceLimits });
    worker.on('message', (reply: SnapshotReply) => {
      const pending = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      // Nothing is under way: it does not keep the process alive.
      if (this.#pending.size === 0) worker.unref();
      if ('failure' in reply) pending?.reject(new BelayError(reply.failure));
      else pending?.resolve(reply.result);
    });
    worker.on('error', (error) => this.#end(String(error), worker));
    worker.on('exit', () => this.#end('Its thread ended.', worker));
    return worker;
  }

  /** Fails what was asked; the next call starts another thread. */
  #end(reason: string, of = this.#worker): void {
    if (of !== this.#worker) return;
    this.#worker = undefined;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const one of pending) one.reject(gone(reason));
  }
}

/** With the mode that the file has now. */
function knownLeaf(now: Leaf, bytes: Uint8Array | undefined): Leaf {
  if (bytes === undefined) return { kind: 'absent' };
  if (bytes.length > LARGEST_FILE) return { kind: 'other', what: 'large' };
  return { kind: 'file', bytes, mode: now.kind === 'file' ? now.mode : NEW_FILE };
}

const gone = (reason: string): BelayError =>
  fault('tool', told`The snapshot of the workspace could not be taken. ${reason}`);
