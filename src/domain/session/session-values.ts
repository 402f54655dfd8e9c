/** Values of sessions that more than one part of Belay knows by name. */

/** The queue waits for the user's next message; `true`: it goes first, `AFTER_NEXT_MESSAGE`: after it. */
export const QUEUE_PAUSED_KEY = 'held';

/** A value of `QUEUE_PAUSED_KEY`, after a stop or a restore: the next message is sent before what is queued. */
export const AFTER_NEXT_MESSAGE = 'behind';

/** The agent's changes of the workspace, one value a call. */
export const CHANGES_PREFIX = 'changes/';

/** The workspace before a request of the person, one value a message, under its id. */
export const CHECKPOINTS_PREFIX = 'checkpoint/';

/** The last restore, its undo, and the model's note of it. */
export const RESTORE_PREFIX = 'restore/';

/** The time (ms since the epoch) of the newest change that was forgotten to save space. */
export const FORGOTTEN_KEY = 'forgotten';

/** The process that goes on with the session's run after its window, and what a person wants of it. */
export const DETACHED_KEY = 'detached';

/** Sub-agents: whose a session is, and which one works for a call. */
export const AGENTS_PREFIX = 'agent/';

/** The last run of the session that went on by itself after a start. */
export const RESUMED_KEY = 'resumed';

/** Files that the session has read, one value a file, under its real path. */
export const READ_PREFIX = 'read/';

/** Prefixes of values about the workspace or the session as it is now: in no saved state. */
export const STAYING_VALUES: readonly string[] = [
  AGENTS_PREFIX,
  CHANGES_PREFIX,
  CHECKPOINTS_PREFIX,
  DETACHED_KEY,
  FORGOTTEN_KEY,
  READ_PREFIX,
  RESTORE_PREFIX,
  RESUMED_KEY,
  QUEUE_PAUSED_KEY,
];

/** A value that means nothing on another machine: it is neither exported nor imported. */
export function isOfThisMachine(key: string): boolean {
  return STAYING_VALUES.some((prefix) => key.startsWith(prefix));
}
