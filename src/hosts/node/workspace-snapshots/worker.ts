import { lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { LeafRecord, WorkspaceSnapshot } from '../../../core/ports/workspace-snapshots.ts';
import { failureOf } from '../../../domain/failure.ts';
import type {
  SnapshotCalls,
  SnapshotReply,
  SnapshotRequest,
  SnapshotThreadOptions,
} from './calls.ts';
import { ObjectStore } from './object-store.ts';
import { Snapshooter } from './snapshot.ts';
import { compareTrees } from './tree.ts';
import type { TreeChange } from './tree.ts';

type Handlers = {
  readonly [Method in keyof SnapshotCalls]: (
    params: SnapshotCalls[Method][0],
  ) => SnapshotCalls[Method][1] | Promise<SnapshotCalls[Method][1]>;
};

function handlers(options: SnapshotThreadOptions): Handlers {
  const objects = new ObjectStore(options.folder, options.name);
  const snapshooter = new Snapshooter(objects);
  /** Ignored, but kept once: from then on they are part of every snapshot. */
  const including = new Set<string>();
  const keepOne = (root: string, name: string): LeafRecord | undefined => {
    const at = path.join(root, ...name.split('/'));
    const stat = lstatSync(at, { throwIfNoEntry: false });
    if (stat === undefined) return { kind: 'absent' };
    if (stat.isSymbolicLink()) return { kind: 'link', target: readlinkSync(at) };
    if (!stat.isFile() || stat.size > options.largestFile) return undefined;
    including.add(at);
    const bytes = readFileSync(at);
    return { kind: 'file', hash: objects.put(bytes), size: bytes.length, mode: stat.mode & 0o777 };
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
    sweep: (wanted) => {
      objects.sweep(new Set(wanted));
      return objects.bytes;
    },
  };
}

const recordOf = (leaf: TreeChange['before']): LeafRecord => leaf ?? { kind: 'absent' };

/** Entry of the thread that takes snapshots: reading a whole workspace must not hold up the window. */
function start(): void {
  const port = parentPort;
  if (isMainThread || port === null) return;
  const answer = handlers(workerData as SnapshotThreadOptions);
  let last: Promise<unknown> = Promise.resolve();
  const reply = async ({ id, method, params }: SnapshotRequest): Promise<SnapshotReply> => {
    try {
      const handler = answer[method] as (given: unknown) => unknown;
      return { id, result: await handler(params) };
    } catch (thrown) {
      return { id, failure: failureOf(thrown) };
    }
  };
  const after = async (before: Promise<unknown>, request: SnapshotRequest): Promise<void> => {
    await before;
    port.postMessage(await reply(request));
  };
  port.on('message', (request: SnapshotRequest) => {
    last = after(last, request);
  });
}

start();
