import path from 'node:path';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type {
  LeafRecord,
  WorkspaceSnapshot,
} from '../../../core/ports/files/workspace-snapshots.ts';
import type { Leaf } from '../../../core/restore/turned-back.ts';
import { BelayError, failureOf } from '../../../domain/failure.ts';
import type {
  SnapshotCalls,
  SnapshotMethod,
  SnapshotReply,
  SnapshotRequest,
  SnapshotThreadOptions,
} from './calls.ts';
import { leafBelow } from './leaf-files.ts';
import { joinedReasons } from './left-out-list.ts';
import { journaledHashes, journalsIn } from './journal.ts';
import { ObjectStore } from './object-store.ts';
import { Owners } from './owners.ts';
import { LargeAnswers, StagedSteps } from './pieces.ts';
import { RecentObjects } from './recent-objects.ts';
import { Restores } from './restore.ts';
import { isNotReadable, notReadable, realRoots, unreadable } from './roots.ts';
import { type SnapshotRules, Snapshooter } from './snapshot.ts';
import { type TreeChange, compareTrees, objectsOf } from './tree.ts';

type Handlers = {
  readonly [Method in keyof SnapshotCalls]: (
    params: SnapshotCalls[Method][0],
  ) => SnapshotCalls[Method][1] | Promise<SnapshotCalls[Method][1]>;
};

async function handlers(options: SnapshotThreadOptions): Promise<Handlers> {
  const owners = new Owners(options.folder, options.name);
  await owners.announce();
  const objects = new ObjectStore(options.folder, options.name);
  const snapshooter = new Snapshooter(objects, options.folder);
  /** Ignored, but kept once: from then on they are part of every snapshot. */
  const including = new Set<string>();
  const recent = new RecentObjects();
  const restores = new Restores(objects, options.folder, owners);
  const staged = new StagedSteps();
  const answers = new LargeAnswers();
  const keepOne = (root: string, name: string, leaf: Leaf | undefined): LeafRecord | undefined => {
    if (leaf === undefined || leaf.kind === 'other') return undefined;
    if (leaf.kind !== 'file') return leaf;
    const { bytes, mode } = leaf;
    including.add(path.join(root, ...name.split('/')));
    return { kind: 'file', hash: objects.put(bytes), size: bytes.length, mode };
  };
  return {
    take: async ({ roots }) => {
      objects.look();
      await owners.stillHere();
      const rules = { ...options, including: [...including] };
      const { folders, left } = await taken(snapshooter, roots, rules);
      for (const { tree } of folders) recent.tree(tree);
      const { largestFile, mostFiles } = options;
      return { folders, leftOut: { largestFile, mostFiles, reasons: joinedReasons(left) } };
    },
    changes: ({ before, after }) => {
      const folders = after.folders.map(({ root, tree }) => {
        const was = before.folders.find((folder) => folder.root === root);
        // A folder that was added to the workspace meanwhile was not made by anybody.
        const unkept: string[] = [];
        const found = was === undefined ? [] : compareTrees(objects, was.tree, tree, unkept);
        return {
          root,
          ...(unkept.length === 0 ? {} : { unkept }),
          changes: found.map((change) => ({
            path: change.path,
            before: recordOf(change.before),
            after: recordOf(change.after),
          })),
        };
      });
      return answers.whole(folders);
    },
    piece: (wanted) => answers.piece(wanted),
    keep: ({ root, paths, leaves }) => {
      objects.look();
      const kept = paths.map((name, index) => keepOne(root, name, leaves[index]));
      objects.sync();
      for (const record of kept) if (record !== undefined) recent.leaf(record);
      return kept;
    },
    read: (hash) => new Uint8Array(objects.get(hash)),
    now: ({ root, path: name }) => leafBelow(root, name, { link: 'look' }),
    stage: (steps) => staged.add(steps),
    restore: ({ about, count }) => {
      objects.look();
      const { folders, left } = restores.restore(staged.take(count), about);
      recent.changes(folders);
      return { folders: answers.whole(folders), left };
    },
    recorded: (about) => restores.recorded(about),
    recover: async () => {
      const recovered = await restores.recover();
      for (const { folders } of recovered) recent.changes(folders);
      return recovered;
    },
    size: () => {
      objects.look();
      return objects.bytes;
    },
    sweep: async ({ wanted, slack }) => {
      // Objects that others have just stored, or found stored already, are on no record yet.
      if ((await owners.living()).size > 0) return undefined;
      const hashes = new Set(journaledHashes(options.folder));
      for (const record of [...wanted.leaves, ...recent.leaves])
        if (record.kind === 'file') hashes.add(record.hash);
      for (const tree of [...wanted.trees, ...recent.trees]) addObjects(objects, tree, hashes);
      objects.sweep(hashes, slack);
      const inUse = journalsIn(options.folder).map(({ owner }) => owner);
      await owners.forgetDead(new Set(inUse));
      return objects.bytes;
    },
  };
}

/** Folders that are missing or cannot be read are left out, as long as there are others. */
async function taken(
  snapshooter: Snapshooter,
  roots: readonly string[],
  rules: SnapshotRules,
): Promise<{
  readonly folders: WorkspaceSnapshot['folders'];
  readonly left: Parameters<typeof joinedReasons>[0];
}> {
  const folders: WorkspaceSnapshot['folders'][number][] = [];
  const { found, missing } = realRoots(roots);
  const left: Parameters<typeof joinedReasons>[0][number][] = missing.map(unreadable);
  for (const { root, apart } of found) {
    try {
      const { tree, leftOut } = await snapshooter.take(root, { ...rules, apart });
      folders.push({ root, tree });
      left.push({ root, reasons: leftOut });
    } catch (thrown) {
      if (roots.length === 1 || !isNotReadable(thrown)) throw thrown;
      left.push(unreadable(root));
    }
  }
  if (folders.length === 0) throw notReadable(roots.join(', '));
  return { folders, left };
}

/** Of a snapshot that is damaged what can be read of it. */
function addObjects(objects: ObjectStore, tree: string, into: Set<string>): void {
  try {
    objectsOf(objects, tree, into);
  } catch (thrown) {
    if (!(thrown instanceof BelayError)) throw thrown;
  }
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
