import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { LeafRecord, WorkspaceSnapshot } from '../../../core/ports/workspace-snapshots.ts';
import { failureOf } from '../../../domain/failure.ts';
import type {
  SnapshotCalls,
  SnapshotMethod,
  SnapshotReply,
  SnapshotRequest,
  SnapshotThreadOptions,
} from './calls.ts';
import { isFolderBelow, leafBelow } from './leaf-files.ts';
import { journaledHashes } from './journal.ts';
import { ObjectStore } from './object-store.ts';
import { Owners } from './owners.ts';
import { Restores } from './restore.ts';
import { Snapshooter } from './snapshot.ts';
import { compareTrees } from './tree.ts';
import type { TreeChange } from './tree.ts';

type Handlers = {
  readonly [Method in keyof SnapshotCalls]: (
    params: SnapshotCalls[Method][0],
  ) => SnapshotCalls[Method][1] | Promise<SnapshotCalls[Method][1]>;
};

async function handlers(options: SnapshotThreadOptions): Promise<Handlers> {
  const owners = new Owners(options.folder, options.name);
  await owners.announce();
  const objects = new ObjectStore(options.folder, options.name);
  const snapshooter = new Snapshooter(objects);
  /** Ignored, but kept once: from then on they are part of every snapshot. */
  const including = new Set<string>();
  const restores = new Restores(objects, options.folder, owners);
  const keepOne = (root: string, name: string): LeafRecord | undefined => {
    const leaf = leafBelow(root, name, options.largestFile);
    if (leaf.kind === 'other' || isFolderBelow(root, name)) return undefined;
    if (leaf.kind !== 'file') return leaf;
    const { bytes, mode } = leaf;
    including.add(path.join(root, ...name.split('/')));
    return { kind: 'file', hash: objects.put(bytes), size: bytes.length, mode };
  };
  return {
    take: async ({ roots }) => {
      const folders: WorkspaceSnapshot['folders'][number][] = [];
      let leftOut = 0;
      for (const given of roots) {
        const root = realpathSync(given);
        const taken = await snapshooter.take(root, { ...options, including: [...including] });
        folders.push({ root, tree: taken.tree });
        leftOut += taken.leftOutCount;
      }
      return { folders, leftOut };
    },
    changes: ({ before, after }) =>
      after.folders.map(({ root, tree }) => {
        const was = before.folders.find((folder) => folder.root === root);
        // A folder that was added to the workspace meanwhile was not made by anybody.
        const found = was === undefined ? [] : compareTrees(objects, was.tree, tree);
        return {
          root,
          changes: found.map((change) => ({
            path: change.path,
            before: recordOf(change.before),
            after: recordOf(change.after),
          })),
        };
      }),
    keep: ({ root, paths }) => {
      const kept = paths.map((name) => keepOne(root, name));
      objects.sync();
      return kept;
    },
    read: (hash) => new Uint8Array(objects.get(hash)),
    now: ({ root, path: name }) => leafBelow(root, name),
    restore: ({ folders, about }) => restores.restore(folders, about),
    recover: () => restores.recover(),
    sweep: (wanted) => {
      objects.sweep(new Set([...wanted, ...journaledHashes(options.folder)]));
      return objects.bytes;
    },
  };
}

const recordOf = (leaf: TreeChange['before']): LeafRecord => leaf ?? { kind: 'absent' };

/** Look at the whole workspace or change it: one after the other, in the order in which they were asked for. */
const IN_ORDER: ReadonlySet<SnapshotMethod> = new Set(['take', 'sweep', 'restore', 'recover']);

/** Entry of the thread that takes snapshots: reading a whole workspace must not hold up the window. */
function start(): void {
  const port = parentPort;
  if (isMainThread || port === null) return;
  const ready = handlers(workerData as SnapshotThreadOptions);
  let last: Promise<unknown> = ready;
  const answer = async (
    before: Promise<unknown>,
    { id, method, params }: SnapshotRequest,
  ): Promise<SnapshotReply> => {
    await before.catch(() => undefined);
    try {
      const handler = (await ready)[method] as (given: unknown) => unknown;
      return { id, result: await handler(params) };
    } catch (thrown) {
      return { id, failure: failureOf(thrown) };
    }
  };
  port.on('message', (request: SnapshotRequest) => {
    const answered = answer(IN_ORDER.has(request.method) ? last : ready, request);
    if (IN_ORDER.has(request.method)) last = answered;
    void answered.then((reply) => port.postMessage(reply));
  });
}

start();
