/** "340 ms", "4 s", "2:05 min". */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60)
    return seconds < 10 ? `${(Math.floor(ms / 100) / 10).toFixed(1)} s` : `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${pad(seconds % 60)} min`;
  return `${Math.floor(seconds / 3600)}:${pad(Math.floor((seconds % 3600) / 60))} h`;
}

/** The same for a time that runs: whole seconds only. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds} s` : duration(ms);
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

/** "812", "4.2k", "31k", "1.2M". */
export function amount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 10_000) return `${(count / 1000).toFixed(1)}k`;
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** "4.2k tokens". */
export const tokens = (number: number): string => `${amount(number)} tokens`;

/** "$0.00", "$0.042", "$3.10". */
export function money(dollars: number): string {
  if (dollars === 0) return '$0.00';
  if (dollars < 0.001) return '<$0.001';
  return dollars < 0.1 ? `$${dollars.toFixed(3)}` : `$${dollars.toFixed(2)}`;
}

/** "512 B", "12 kB", "3.4 MB". */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** "now", "5 min", "3 h", "yesterday", "12 days", "Mar 4". */
export function ago(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  const days = Math.floor(minutes / (24 * 60));
  if (days === 1) return 'yesterday';
  if (days < 30) return `${days} days`;
  return new Date(at).toLocaleDateString(undefined, { month: 'short', day: 'numeric' });
}

/** "1 message", "3 messages". */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
