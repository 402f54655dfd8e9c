import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { Reviews } from '../service/reviews.ts';
import { WrittenChanges } from './written-changes.ts';

/** The review's parts that every tool's changes of files go through. */
export interface AgentChanges {
  readonly reviews: Reviews;
  readonly written: WrittenChanges;
}

export function agentChanges(files: FileSystem, reviews: Reviews, clock: Clock): AgentChanges {
  return { reviews, written: new WrittenChanges(files, reviews, clock) };
}
