import { setTimeout } from 'node:timers/promises';
import type { Log } from '../core/ports/log.ts';

/** Milliseconds between two steps, in which whoever waits for the process gets its turn. */
const PAUSE_MS = 10;

/**
 * Loads code before somebody needs it, one step after the other with a pause between them: each step is one
 * read of a few chunks. Whoever needs one of them earlier loads it themselves. Never rejects.
 */
export async function warmUp(
  steps: readonly (() => Promise<unknown>)[],
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (const step of steps) {
      await setTimeout(PAUSE_MS, undefined, { signal, ref: false });
      await step();
    }
  } catch (error) {
    // Code that cannot be loaded fails again, and is told, where it is needed.
    if (!signal.aborted) log.warn('Code could not be loaded ahead.', { reason: String(error) });
  }
}
