import type * as vscode from 'vscode';
import type { Session } from '../../../domain/session/session.ts';

/** Where VS Code's workspace state keeps the index of the sessions. */
export const SESSIONS_KEY = 'belay.sessions';

/** Fields of every row of the index. */
const EXPECTED = {
  id: 'string',
  type: 'string',
  title: 'string',
  messageCount: 'number',
  inputTokens: 'number',
  outputTokens: 'number',
  cost: 'number',
  createdAt: 'number',
  updatedAt: 'number',
} as const satisfies Partial<Record<keyof Session, string>>;

/** The rows of the index that are whole; anything else is dropped, the database still has it. */
export function keptSessions(state: Pick<vscode.Memento, 'get'>): Session[] {
  const kept: unknown = state.get(SESSIONS_KEY);
  if (!Array.isArray(kept)) return [];
  return kept.filter((row: unknown): row is Session => {
    if (typeof row !== 'object' || row === null) return false;
    const fields = row as Readonly<Record<string, unknown>>;
    return Object.entries(EXPECTED).every(([field, type]) => typeof fields[field] === type);
  });
}
