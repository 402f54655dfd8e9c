import type { RequestHandlers } from '../../protocol/requests.ts';
import type { PanelServices } from '../services.ts';
import { done } from './done.ts';
import type { PanelControl } from './panel-control.ts';

type SessionRequest =
  | 'newSession'
  | 'openSession'
  | 'openInEditor'
  | 'renameSession'
  | 'deleteSessions'
  | 'undoDelete'
  | 'finishDelete'
  | 'markSessions'
  | 'exportSession'
  | 'importSession'
  | 'listSessions';

/** Requests about the sessions of the list. */
export function sessionHandlers(
  control: PanelControl,
  { agent, records, sessions, later: { editor } }: PanelServices,
): Pick<RequestHandlers, SessionRequest> {
  const { deletions } = control.list;
  /** The session that was on screen when it was deleted. */
  let left: string | undefined;
  return {
    newSession: () => done(control.show(null)),
    openSession: ({ sessionId }) => done(control.show(sessionId)),
    openInEditor: ({ sessionId, beside }) => done(editor.openSession(sessionId, beside)),
    renameSession: ({ sessionId, title }) => done(agent.sessions.rename(sessionId, title)),
    deleteSessions: async ({ sessionIds }) => {
      await deletions.delete(sessionIds);
      const { id } = control.session.view;
      if (id === null || !sessionIds.includes(id)) return null;
      await control.show(null);
      left = id;
      return null;
    },
    undoDelete: async () => {
      const back = deletions.undo();
      if (left !== undefined && back.includes(left) && control.session.view.id === null)
        await control.show(left);
      left = undefined;
      return null;
    },
    finishDelete: () => done(deletions.finish()),
    markSessions: async ({ sessionIds, pinned, archived }) => {
      // One that is pinned is not archived.
      const marks = {
        pinned: archived === true ? false : pinned,
        archived: pinned === true ? false : archived,
      };
      for (const id of sessionIds) {
        await records.transcripts.markSession(id, marks);
        await sessions.refresh(id);
      }
      return null;
    },
    exportSession: ({ sessionId }) => done(editor.exportSession(sessionId)),
    importSession: async () => {
      const imported = await editor.importSession();
      if (imported !== undefined) await control.show(imported);
      return null;
    },
    listSessions: async () => {
      await control.list.reload();
      return { rows: control.list.rows() };
    },
  };
}
