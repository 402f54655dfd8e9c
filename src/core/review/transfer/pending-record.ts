import { type Json, type JsonObject, isJsonObject } from '../../../domain/data/json.ts';

/** Why the pending changes of a file stay behind. */
export type LeftWhy =
  /** A secret is in the text, which would be masked: taken back, the mask would be in the file. */
  | 'secret'
  | 'large'
  | 'unreadable'
  /** A place that no agent writes to. */
  | 'refused'
  | 'gone'
  /** The file does not have the changes, and they were not to be applied. */
  | 'not applied'
  /** The file changed at the same lines. */
  | 'conflict'
  /** Something is where the file is to be. */
  | 'taken'
  /** Others are pending in the file already. */
  | 'others'
  | 'done';

/** The pending changes of one file on their way to another machine; paths are below a folder of the workspace. */
export interface PendingRecord {
  /** Name of the folder of the workspace. */
  readonly folder: string;
  readonly path: string;
  /** As it is stored. */
  readonly review: JsonObject;
  /** Base64 of the changed file, where lines do not tell what it is made of. */
  readonly bytes?: string;
  /** The file before, where lines do not tell. */
  readonly kept?: { readonly bytes: string; readonly mode: number };
}

export interface LeftRecord {
  readonly path: string;
  readonly left: LeftWhy;
}

/** A record that stands in a file; `undefined`: it is none. */
export function pendingRecordFrom(value: Json): PendingRecord | LeftRecord | undefined {
  if (!isJsonObject(value)) return undefined;
  const { folder, path, review, left, bytes, kept } = value;
  if (typeof path !== 'string') return undefined;
  if (left === 'secret' || left === 'large') return { path, left };
  if (typeof folder !== 'string' || !isJsonObject(review)) return undefined;
  return {
    folder,
    path,
    review,
    ...(typeof bytes === 'string' ? { bytes } : {}),
    ...keptFrom(kept),
  };
}

function keptFrom(value: Json | undefined): Pick<PendingRecord, 'kept'> {
  if (!isJsonObject(value)) return {};
  const { bytes, mode } = value;
  return typeof bytes === 'string' && typeof mode === 'number' ? { kept: { bytes, mode } } : {};
}
