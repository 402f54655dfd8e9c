/** Values of sessions that more than one part of Belay knows by name. */

/**
 * What is queued is not sent by itself, until the person sends something in the session. `true`: it goes
 * before that; `BEHIND`: after it.
 */
export const QUEUE_PAUSED_KEY = 'held';

/** Of `HELD_KEY`: the conversation was taken back, and what is queued was written later than what is sent next. */
export const AFTER_NEXT_MESSAGE = 'behind';

/** What the agent changed in the workspace, one value a call. */
export const CHANGES_PREFIX = 'changes/';

/** The workspace before a request of the person, one value a message, under its id. */
export const CHECKPOINTS_PREFIX = 'checkpoint/';

/** What was last restored in a session and how it is undone, and what the model is told of it. */
export const RESTORE_PREFIX = 'restore/';

/** When the newest of the changes was made that were forgotten to save space; milliseconds since the epoch. */
export const FORGOTTEN_KEY = 'forgotten';

/**
 * Prefixes of values that tell of the workspace or of the session as it is now: they are no part of a saved
 * state, and stay when the conversation becomes another.
 */
export const STAYING_VALUES: readonly string[] = [
  CHANGES_PREFIX,
  CHECKPOINTS_PREFIX,
  FORGOTTEN_KEY,
  RESTORE_PREFIX,
  QUEUE_PAUSED_KEY,
];

/** A value that means nothing on another machine: it is neither exported nor imported. */
export function isOfThisMachine(key: string): boolean {
  return STAYING_VALUES.some((prefix) => key.startsWith(prefix));
}
