import { makeVisible } from '../../domain/text/honest-text.ts';
import type { ApprovalQuestion } from '../../core/ports/person/approval.ts';
import type { HumanQuestion } from '../../core/ports/person/human.ts';
import type { Session } from '../../domain/session/session.ts';
import { isLive, SNAPSHOT_ROWS, type SessionRow } from '../../protocol/snapshot.ts';
import type { Change } from '../../protocol/changes.ts';

/** Facts that decide the state of a row. */
export interface RowFacts {
  readonly busy: (sessionId: string) => boolean;
  /** A process in the background works on it. */
  readonly detached: (sessionId: string) => boolean;
  /** It waits for its turn, because as many work as may. */
  readonly waits: (sessionId: string) => boolean;
  readonly approvals: readonly Pick<ApprovalQuestion, 'sessionId'>[];
  readonly questions: readonly Pick<HumanQuestion, 'sessionId'>[];
  /** Sessions with a run that can be resumed. */
  readonly unfinished: ReadonlySet<string>;
}

/** The sessions a person sees in the list: those they started themselves. */
export function sessionRows(sessions: readonly Session[], facts: RowFacts): SessionRow[] {
  const roots = new Map(sessions.map((session) => [session.id, session.parentId]));
  const waiting = (questions: readonly { readonly sessionId: string }[]): ReadonlySet<string> =>
    new Set(questions.map((question) => rootOf(question.sessionId, roots)));
  const approvals = waiting(facts.approvals);
  const questions = waiting(facts.questions);
  const state = ({ id, failed }: Session): SessionRow['state'] => {
    if (approvals.has(id)) return 'approval';
    if (questions.has(id)) return 'question';
    if (facts.detached(id)) return 'background';
    if (facts.busy(id)) return 'running';
    if (facts.waits(id)) return 'turn';
    if (facts.unfinished.has(id)) return 'unfinished';
    return failed === true ? 'failed' : 'idle';
  };
  return sessions
    .filter((session) => session.type === 'main')
    .map((session) => ({
      id: session.id,
      parentId: session.parentId ?? null,
      title: makeVisible(session.title),
      messageCount: session.messageCount,
      updatedAt: session.updatedAt,
      state: state(session),
      ...(session.pinned === true ? { pinned: true } : {}),
      ...(session.archived === true ? { archived: true } : {}),
    }));
}

/** The session a person knows: questions of a delegated session are asked in its parent's name. */
export function rootOf(
  sessionId: string,
  parents: ReadonlyMap<string, string | undefined>,
): string {
  let id = sessionId;
  // A chain longer than the number of sessions would be a circle.
  for (let steps = 0; steps < parents.size; steps += 1) {
    const parent = parents.get(id);
    if (parent === undefined) return id;
    id = parent;
  }
  return id;
}

/** The newest rows, those that are pinned and all that need a look. */
export function snapshotRows(rows: readonly SessionRow[]): readonly SessionRow[] {
  const newest = rows.toSorted((left, right) => right.updatedAt - left.updatedAt);
  return newest.filter((row, index) => index < SNAPSHOT_ROWS || row.pinned === true || isLive(row));
}

/** Changes that turn the rows that are shown into the new ones. */
export function rowChanges(before: readonly SessionRow[], after: readonly SessionRow[]): Change[] {
  const known = new Map(before.map((row) => [row.id, JSON.stringify(row)]));
  const kept = new Set(after.map((row) => row.id));
  const changes: Change[] = [];
  for (const row of after) {
    if (known.get(row.id) !== JSON.stringify(row)) changes.push({ type: 'row', row });
  }
  for (const row of before) {
    if (!kept.has(row.id)) changes.push({ type: 'row_removed', id: row.id });
  }
  return changes;
}
