import type { HostMessage } from './envelope.ts';

const TYPES: ReadonlySet<string> = new Set<HostMessage['type']>([
  'snapshot',
  'changes',
  'reply',
  'refusal',
  'signal',
]);

/** True for the host's messages: extensions post others to every window. */
export function isHostMessage(raw: unknown): raw is HostMessage {
  if (typeof raw !== 'object' || raw === null) return false;
  const { type, seq } = raw as { readonly type?: unknown; readonly seq?: unknown };
  if (typeof type !== 'string' || !TYPES.has(type)) return false;
  return (type !== 'snapshot' && type !== 'changes') || typeof seq === 'number';
}
