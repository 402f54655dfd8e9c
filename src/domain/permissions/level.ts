/** Levels of people (A5); a tool has a required one. */
export type Level = 'guest' | 'user' | 'admin' | 'owner';
