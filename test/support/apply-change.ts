import { applySessionChange } from '../../src/protocol/changes.ts';
import type { Change } from '../../src/protocol/changes.ts';
import { applyReview } from '../../src/protocol/review-view.ts';
import type { Snapshot } from '../../src/protocol/snapshot.ts';

/** Applies one change to what is shown, as one value: what the panel should show after it. */
export function applyChange(snapshot: Snapshot, change: Change): Snapshot {
  switch (change.type) {
    case 'app':
      return { ...snapshot, app: change.app };
    case 'models':
      return { ...snapshot, models: change.models };
    case 'review':
      return { ...snapshot, review: applyReview(snapshot.review, change.difference) };
    case 'draft': {
      const { draft, mentions } = change;
      const { session } = snapshot;
      return { ...snapshot, session: { ...session, saved: { ...session.saved, draft, mentions } } };
    }
    case 'row':
    case 'row_removed':
    case 'rows':
      return { ...snapshot, sessions: changeRows(snapshot.sessions, change) };
    default:
      return { ...snapshot, session: applySessionChange(snapshot.session, change) };
  }
}

function changeRows(
  sessions: Snapshot['sessions'],
  change: Extract<Change, { readonly type: 'row' | 'row_removed' | 'rows' }>,
): Snapshot['sessions'] {
  if (change.type === 'rows') {
    const { total, error, deleted } = change;
    return { ...sessions, total, error, deleted };
  }
  const id = change.type === 'row' ? change.row.id : change.id;
  const others = sessions.rows.filter((row) => row.id !== id);
  return { ...sessions, rows: change.type === 'row' ? [...others, change.row] : others };
}
