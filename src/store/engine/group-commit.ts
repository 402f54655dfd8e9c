import { failureOf } from '../../domain/failure.ts';
import type { Connection } from '../database/connection.ts';
import { databaseError, reasonOf, type StoreReason } from '../database/failures.ts';
import { refuseNewer, versionOf } from '../migrations/migrations.ts';
import type { Reply, Request, WriteCalls } from '../rpc.ts';
import { WRITES } from './handlers.ts';

/** Reasons that concern a whole group, whatever is in it. */
const FOR_ALL: ReadonlySet<StoreReason | undefined> = new Set<StoreReason>([
  'busy',
  'newer_version',
  'gone',
]);

/** Requests joined in one transaction: the disk is asked once for all of them. */
export const LARGEST_GROUP = 256;

/** Applies requests in one transaction, each all or nothing. Throws only for damage. */
export function commitGroup(connection: Connection, requests: readonly Request[]): Reply[] {
  const attempt = tryGroup(connection, requests);
  if (Array.isArray(attempt)) return attempt;
  const reason = reasonOf(attempt.error);
  if (reason === 'damaged') throw attempt.error;
  if (requests.length === 1 || FOR_ALL.has(reason)) {
    return requests.map((request) => failed(request, attempt.error));
  }
  // The transaction failed as a whole. Whoever was not the cause must not suffer for it.
  return requests.flatMap((request) => {
    const alone = tryGroup(connection, [request]);
    return Array.isArray(alone) ? alone : [failed(request, alone.error)];
  });
}

const failed = (request: Request, error: unknown): Reply => ({
  id: request.id,
  failure: failureOf(error),
});

/** The answers, or why the transaction as a whole was rolled back. */
function tryGroup(
  connection: Connection,
  requests: readonly Request[],
): Reply[] | { readonly error: unknown } {
  try {
    return applyGroup(connection, requests);
  } catch (error) {
    connection.rollback();
    return { error: databaseError(error, connection.file) };
  }
}

function applyGroup(connection: Connection, requests: readonly Request[]): Reply[] {
  connection.exec('BEGIN IMMEDIATE');
  // Another window may run a newer Belay by now.
  refuseNewer(connection.file, versionOf(connection));
  const replies: Reply[] = [];
  const isJoined = requests.length > 1;
  for (const request of requests) {
    if (isJoined) connection.exec('SAVEPOINT request');
    try {
      replies.push({ id: request.id, value: apply(connection, request) });
    } catch (error) {
      // Disk full and the like end the whole transaction by themselves.
      if (!isJoined || !connection.inTransaction) throw error;
      connection.exec('ROLLBACK TO request');
      const known = databaseError(error, connection.file);
      const reason = reasonOf(known);
      if (reason === 'damaged' || reason === 'disk_full' || reason === 'io') throw known;
      replies.push(failed(request, known));
    }
    if (isJoined) connection.exec('RELEASE request');
  }
  connection.commit();
  return replies;
}

function apply(connection: Connection, request: Request): unknown {
  const method = request.method as keyof WriteCalls;
  const handler = WRITES[method] as (connection: Connection, params: unknown) => unknown;
  return handler(connection, request.params);
}
