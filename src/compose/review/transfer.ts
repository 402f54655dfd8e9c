import {
  type ImportApproval,
  type TakenIn,
  takeInPending,
} from '../../core/review/transfer/taken-in.ts';
import { pendingRecords } from '../../core/review/transfer/pending-records.ts';
import { maskSecretsByTurns } from '../../core/secrets/log-masking.ts';
import type { Engine } from '../engine.ts';
import type { EngineHost } from '../engine-host.ts';

type Host = Pick<EngineHost, 'workspace' | 'log'>;

export interface ImportedSession {
  readonly sessionId: string;
  readonly messages: number;
  /** Lines that could not be read. */
  readonly skipped: number;
  /** Its pending changes, with what became of each. */
  readonly taken: readonly TakenIn[];
}

/** A session with its pending changes as lines, secrets masked. Rejects with `not_found`. */
export function exportedLines(
  { store, secrets, reviews, groups }: Engine,
  { workspace }: Pick<Host, 'workspace'>,
  sessionId: string,
): AsyncGenerator<string, void> {
  const mask = async (text: string): Promise<string> =>
    maskSecretsByTurns(await secrets.maskByTurns(text));
  return store.transfer.exportSession(sessionId, {
    mask,
    ...(reviews === undefined
      ? {}
      : {
          pending: async (ids) =>
            pendingRecords({ reviews, groups, roots: workspace.roots() }, ids),
        }),
  });
}

export interface ImportOptions {
  /** Takes what can be read of a damaged file. */
  readonly partial?: boolean;
  /** Asks what may be written to files that do not have the pending changes. Absent: nothing is. */
  readonly approval?: ImportApproval;
}

/** Takes a session in; its pending changes are pending here, as far as the files allow it. Rejects with `invalid`. */
export async function importLines(
  { store, reviews, guard, files }: Engine,
  { workspace, log }: Host,
  lines: Iterable<string>,
  { approval, ...options }: ImportOptions = {},
): Promise<ImportedSession> {
  const report = await store.transfer.importSession(lines, options);
  const { sessionId, messages, skipped, pending } = report;
  const parts = { guard, roots: workspace.roots(), log, files, ...(approval && { approval }) };
  const taken = reviews === undefined ? [] : await takeInPending({ ...parts, reviews }, pending);
  return { sessionId, messages, skipped: skipped.length, taken };
}

/** The lines of a text; its end is none. */
export function linesIn(text: string): readonly string[] {
  const lines = text.split(/\r?\n/u);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
