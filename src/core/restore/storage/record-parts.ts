import type { ChangeRecord } from './change-record.ts';
import type { FolderChanges, PathChange } from '../../ports/files/workspace-snapshots.ts';

/** Characters of one part, roughly: half of what a value of the store may have. */
const MAX_PART_CHARS = 500_000;
/** Characters of a change beside its path: two hashes, sizes and modes. */
const OF_A_CHANGE = 300;

export type RecordPart = ChangeRecord & {
  /** Of the first: how many there are. Absent: it is all. */
  readonly parts?: number;
  /** Of the others: their place, from 1. */
  readonly part?: number;
};

/** A record in pieces that the store takes, however many files a call has changed. */
export function partsOf(record: ChangeRecord): readonly RecordPart[] {
  const pieces: { folders: FolderChanges[]; unkept: string[] }[] = [{ folders: [], unkept: [] }];
  let size = 0;
  const current = (length: number): { folders: FolderChanges[]; unkept: string[] } => {
    if (size + length > MAX_PART_CHARS && size > 0) {
      pieces.push({ folders: [], unkept: [] });
      size = 0;
    }
    size += length;
    return pieces.at(-1) as { folders: FolderChanges[]; unkept: string[] };
  };
  for (const { root, changes } of record.folders)
    for (const change of changes) addTo(current(lengthOf(change)).folders, root, change);
  for (const path of record.unkept ?? []) current(path.length + 3).unkept.push(path);
  if (pieces.length === 1) return [record];
  const { folders: _folders, unkept: _unkept, ...rest } = record;
  return pieces.map(({ folders, unkept }, index) => ({
    ...rest,
    folders,
    ...(unkept.length === 0 ? {} : { unkept }),
    ...(index === 0 ? { parts: pieces.length } : { part: index }),
  }));
}

function lengthOf({ path, before, after }: PathChange): number {
  const targets = [before, after].map((leaf) => (leaf.kind === 'link' ? leaf.target.length : 0));
  return path.length * 2 + OF_A_CHANGE + targets.reduce((sum, length) => sum + length * 2, 0);
}

function addTo(folders: FolderChanges[], root: string, change: PathChange): void {
  const last = folders.at(-1);
  if (last?.root === root) (last.changes as PathChange[]).push(change);
  else folders.push({ root, changes: [change] });
}

/** Joins stored parts: without the first no record, without others an uncertain one. */
export function joinedParts(stored: readonly RecordPart[]): readonly ChangeRecord[] {
  const records: ChangeRecord[] = [];
  for (const [index, head] of stored.entries()) {
    const { parts, part, ...record } = head;
    if (part !== undefined) continue;
    if (parts === undefined) {
      records.push(record);
      continue;
    }
    const others = stored
      .slice(index + 1, index + parts)
      .filter((one) => one.part !== undefined && one.callId === record.callId);
    records.push({
      ...record,
      folders: [record, ...others].flatMap(({ folders }) => folders),
      unkept: [record, ...others].flatMap(({ unkept }) => unkept ?? []),
      uncertain: record.uncertain || others.length < parts - 1,
    });
  }
  return records;
}
