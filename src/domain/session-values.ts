/** Values of sessions that more than one part of Belay knows by name. */

/** `true`: what is queued is not sent by itself, until the person sends something in the session. */
export const HELD_KEY = 'held';

/** What the agent changed in the workspace, one value a call. */
export const CHANGES_PREFIX = 'changes/';
