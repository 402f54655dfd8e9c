import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../../../domain/lifetime/disposable.ts';
import type { Reviews, Selected } from '../../../../core/review/service/reviews.ts';
import { linesIn, pendingIn } from '../../../../core/review/model/hunks.ts';
import { describeBinary } from '../../../../core/review/model/binary-words.ts';
import { Lifetime } from '../../../../domain/lifetime/lifetime.ts';
import type { ChangeFeed } from '../../../../window/pending/change-feed.ts';
import { entriesOf, selectedBy } from '../../../../window/pending/pending-groups.ts';
import type { GroupId, PendingEntry } from '../../../../window/pending/pending-groups.ts';
import type { PendingUris } from '../pending-uris.ts';
import { UNLISTED_GROUP, unlistedRows, unlistedTitle } from './unlisted-changes.ts';
import { count } from '../../../../domain/text/language.ts';

export interface SourceControlParts {
  readonly reviews: Reviews;
  readonly uris: PendingUris;
  readonly feed: ChangeFeed;
  readonly quickDiff: vscode.QuickDiffProvider;
}

/** A file in the source control view. */
export interface PendingResource extends vscode.SourceControlResourceState {
  readonly entry: PendingEntry;
}

const TITLES: Readonly<Record<GroupId, string>> = {
  edits: l10n.t('Pending Changes'),
  commands: l10n.t('Changed by Commands'),
};
const GROUPS = Object.keys(TITLES) as readonly GroupId[];

/** The view's parts while something is pending. */
interface Shown {
  readonly lifetime: Lifetime;
  readonly control: vscode.SourceControl;
  readonly groups: ReadonlyMap<GroupId, vscode.SourceControlResourceGroup>;
  /** Changes of commands that cannot be decided here. */
  readonly unlisted: vscode.SourceControlResourceGroup;
}

/** Pending changes in the source control view; it is there while something is pending. */
export class PendingSourceControl implements Disposable {
  readonly #parts: SourceControlParts;
  readonly #listening: readonly Disposable[];
  #shown: Shown | undefined;

  constructor(parts: SourceControlParts) {
    this.#parts = parts;
    const follow = (): void => this.#follow();
    this.#listening = [
      parts.feed.onChange(follow),
      parts.reviews.records.unlisted.onChange(follow),
    ];
    this.#follow();
  }

  /** Groups of the view; empty: it is not there. */
  get groups(): readonly vscode.SourceControlResourceGroup[] {
    const { groups, unlisted } = this.#shown ?? {};
    return unlisted === undefined ? [] : [...(groups?.values() ?? []), unlisted];
  }

  /** The number on the view; `undefined`: it is not there. */
  get count(): number | undefined {
    return this.#shown?.control.count;
  }

  /** The entries under these files now; files that are not listed any more are left out. */
  selectedIn(resources: readonly PendingResource[]): readonly Selected[] {
    const present = entriesOf(this.#parts.reviews.pending);
    return resources.flatMap(({ entry }) => {
      const now = present.find(({ group, path }) => group === entry.group && path === entry.path);
      return now === undefined ? [] : [selectedBy(now)];
    });
  }

  dispose(): void {
    for (const one of this.#listening) one.dispose();
    this.#shown?.lifetime.dispose();
  }

  #follow(): void {
    const entries = entriesOf(this.#parts.reviews.pending);
    const notListed = this.#parts.reviews.records.unlisted.all;
    if (entries.length === 0 && notListed.length === 0) {
      this.#shown?.lifetime.dispose();
      this.#shown = undefined;
      return;
    }
    this.#shown ??= this.#create();
    const { groups, unlisted } = this.#shown;
    unlisted.label = unlistedTitle(notListed);
    unlisted.resourceStates = [...unlistedRows(notListed)];
    for (const [id, group] of groups)
      group.resourceStates = entries
        .filter((entry) => entry.group === id)
        .map((entry) => this.#resource(entry));
  }

  #create(): Shown {
    const lifetime = new Lifetime();
    const control = lifetime.add(vscode.scm.createSourceControl('belay', 'Belay'));
    control.inputBox.visible = false;
    // The files are in git's count already.
    control.count = 0;
    control.quickDiffProvider = this.#parts.quickDiff;
    const groups = new Map(
      GROUPS.map((id) => {
        const group = lifetime.add(control.createResourceGroup(id, TITLES[id]));
        group.hideWhenEmpty = true;
        return [id, group];
      }),
    );
    const unlisted = lifetime.add(control.createResourceGroup(UNLISTED_GROUP, unlistedTitle([])));
    unlisted.hideWhenEmpty = true;
    return { lifetime, control, groups, unlisted };
  }

  #resource(entry: PendingEntry): PendingResource {
    const { path, review } = entry;
    return {
      entry,
      resourceUri: vscode.Uri.file(path),
      contextValue: entry.group,
      decorations: decorationsOf(entry),
      command: {
        command: 'belay.openPendingFile',
        title: l10n.t('Open Changes'),
        arguments: [{ path: review.path }],
      },
    };
  }
}

/** The change of the file, in a word or two. */
function whatIsDone({ review }: Pick<PendingEntry, 'review'>): string {
  const { baseline, document, renamedFrom } = review;
  const binary = describeBinary(review);
  const more = binary === '' ? '' : ` (${binary})`;
  if (baseline.kind === 'absent') return `${l10n.t('created')}${more}`;
  if (document.kind === 'absent') return `${l10n.t('deleted')}${more}`;
  if (renamedFrom !== undefined)
    return `${l10n.t('renamed from {0}', vscode.workspace.asRelativePath(renamedFrom))}${more}`;
  const isBinary = baseline.kind === 'binary' || document.kind === 'binary';
  return `${isBinary ? l10n.t('replaced') : l10n.t('changed')}${more}`;
}

function decorationsOf(entry: PendingEntry): vscode.SourceControlResourceDecorations {
  const { review } = entry;
  const pending = pendingIn(review);
  const hunks = entry.hunks ?? pending.hunks;
  const lines = linesIn(review, hunks);
  const isEdited = hunks.some(({ editedByUser }) => editedByUser);
  const parts = [
    whatIsDone(entry),
    // A renaming alone is one.
    ...(hunks.length === 0 ? [] : [count(hunks.length, 'change')]),
    `+${lines.added} −${lines.removed}`,
    ...(isEdited ? [l10n.t('edited by you')] : []),
  ];
  return {
    strikeThrough: review.document.kind === 'absent',
    tooltip: parts.join(' · '),
    iconPath: new vscode.ThemeIcon(iconOf(review)),
  };
}

function iconOf({ baseline, document, renamedFrom }: PendingEntry['review']): string {
  if (baseline.kind === 'absent') return 'diff-added';
  if (document.kind === 'absent') return 'diff-removed';
  return renamedFrom === undefined ? 'diff-modified' : 'diff-renamed';
}
