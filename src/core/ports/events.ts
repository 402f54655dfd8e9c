import type { RunEventBody } from '../../domain/event.ts';

/** Publishes run events to subscribers; never blocks, never throws (B7). */
export type Emit = (event: RunEventBody) => void;
