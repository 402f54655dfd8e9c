import type { Values } from '../../ports/store/values.ts';
import type { UnlistedNotes } from './unlisted-notes.ts';

/** Keys of earlier builds, which kept edits in mode Ask as proposals that were on no disk. */
const PROPOSAL = 'proposal:';
const OTHER_PREFIXES = ['proposal-piece:', 'proposal-revision:'];

/** Removes proposals that an earlier build stored, and lists their files once as dropped. */
export async function dropStoredProposals(values: Values, notes: UnlistedNotes): Promise<void> {
  for (const { key } of await values.list(PROPOSAL)) {
    notes.addDropped(key.slice(PROPOSAL.length));
    await values.set(key, null);
  }
  for (const prefix of OTHER_PREFIXES)
    for (const { key } of await values.list(prefix)) await values.set(key, null);
}
