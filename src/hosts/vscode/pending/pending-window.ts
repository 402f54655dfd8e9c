import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { Log } from '../../../core/ports/log.ts';
import type { CommandGroups } from '../../../core/review/commands/command-groups.ts';
import type { Reviews } from '../../../core/review/service/reviews.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import { BaselineDocuments } from './editors/baseline-documents.ts';
import { ChangeFeed } from '../../../window/pending/change-feed.ts';
import { DiffEditors } from './editors/diff-editors.ts';
import { DocumentWatch } from './watching/document-watch.ts';
import { FileWatch } from './watching/file-watch.ts';
import { type AgentCommands, GitStaging } from './source-control/git-staging.ts';
import { LostFiles } from './lost-files.ts';
import type { PendingParts } from './pending-parts.ts';
import { PendingUris } from './pending-uris.ts';
import { PendingSourceControl } from './source-control/source-control.ts';

export interface PendingWindowParts {
  readonly reviews: Reviews;
  /** Changes during commands; absent: nothing is known of that. */
  readonly groups?: CommandGroups | undefined;
  readonly log: Log;
  readonly commands: AgentCommands;
  /** Of its schemes. Default: they are Belay's own. */
  readonly prefix?: string;
}

/** The pending changes in VS Code's window: what shows them, and what tells the reviews of the person's work. */
export class PendingWindow implements Disposable {
  readonly reviews: Reviews;
  readonly groups: CommandGroups | undefined;
  readonly uris: PendingUris;
  /** Changes of reviews, many at once. */
  readonly feed: ChangeFeed;
  readonly diffs: DiffEditors;
  readonly sourceControl: PendingSourceControl;
  readonly staging: GitStaging;
  readonly #lifetime: Lifetime;

  constructor({ reviews, groups, log, commands, prefix }: PendingWindowParts) {
    const onError = (error: unknown): void =>
      log.error('Pending changes could not be shown or followed.', error);
    const lifetime = new Lifetime(onError);
    this.#lifetime = lifetime;
    const uris = new PendingUris(prefix);
    this.reviews = reviews;
    this.groups = groups;
    this.uris = uris;
    this.feed = lifetime.add(new ChangeFeed(reviews, onError));
    const parts: PendingParts = { reviews, groups, uris, feed: this.feed, onError };
    lifetime.add(new LostFiles(reviews));
    lifetime.add(new DocumentWatch(reviews, onError));
    lifetime.add(new FileWatch(parts));
    lifetime.add(new BaselineDocuments(parts));
    this.sourceControl = lifetime.add(new PendingSourceControl(parts));
    this.diffs = lifetime.add(new DiffEditors(parts));
    this.staging = lifetime.add(new GitStaging(parts, commands));
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
