import type { BackgroundState } from './background-command.ts';

/** How a background command stands, as the end of a sentence. */
export function endText(state: BackgroundState): string {
  if (state.kind === 'running') return 'is running';
  const { exitCode, signal } = state.end;
  const how = signal === undefined ? `with exit code ${exitCode ?? 'unknown'}` : `by ${signal}`;
  const by = state.stoppedBy === 'person' ? ' (stopped by the person)' : '';
  return `ended ${how}${by}`;
}
