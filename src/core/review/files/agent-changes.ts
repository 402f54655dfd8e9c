import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { Reviews } from '../service/reviews.ts';
import { ProposedChanges } from './proposed-changes.ts';
import { ProposedFiles } from './proposed-files.ts';
import { WrittenChanges } from './written-changes.ts';

/** The review's parts that every tool's changes of files go through. */
export interface AgentChanges {
  readonly reviews: Reviews;
  readonly proposed: ProposedFiles;
  readonly written: WrittenChanges;
  readonly proposals: ProposedChanges;
}

export function agentChanges(files: FileSystem, reviews: Reviews, clock: Clock): AgentChanges {
  const proposed = new ProposedFiles(files, reviews, clock);
  const written = new WrittenChanges(files, reviews, proposed, clock);
  return { reviews, proposed, written, proposals: new ProposedChanges(files, reviews, proposed) };
}
