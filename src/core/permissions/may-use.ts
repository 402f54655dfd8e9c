import type { Level, Tool } from '../tool-call/tool-call.ts';

const RANK: Record<Level, number> = { guest: 0, user: 1, admin: 2, owner: 3 };

/** Levels from the lowest: guest is 0. */
export const rankOf = (level: Level): number => RANK[level];

/** True when a person of this level may use a tool of that one (A5). */
export function mayUse(level: Level, tool: Pick<Tool, 'level'>): boolean {
  return RANK[level] >= RANK[tool.level];
}
