import type { BackgroundState } from './background-command.ts';

/** Detached processes that are named. */
const MOST_NAMED = 8;

/** The state of a background command, as the end of a sentence. */
export function endText(state: BackgroundState): string {
  if (state.kind === 'running') return 'is running';
  const { exitCode, signal } = state.end;
  const how = signal === undefined ? `with exit code ${exitCode ?? 'unknown'}` : `by ${signal}`;
  const by = state.stoppedBy === 'person' ? ' (stopped by the person)' : '';
  const names = (state.end.detached ?? []).slice(0, MOST_NAMED).map(({ name }) => name);
  const detached =
    names.length === 0 ? '' : `; what it had detached was stopped with it: ${names.join(', ')}`;
  return `ended ${how}${by}${detached}`;
}
