import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../../../domain/lifetime/disposable.ts';
import type { FileReview } from '../../../../core/review/model/file-review.ts';
import { hunksOf, linesIn } from '../../../../core/review/model/hunks.ts';
import { describeBinary } from '../../../../core/review/model/binary-words.ts';
import { Lifetime } from '../../../../domain/lifetime/lifetime.ts';
import type { PendingParts } from '../pending-parts.ts';
import { COMMANDS_GROUP, commandRows } from './command-rows.ts';
import { count } from '../../../../domain/text/language.ts';

/** A file in the source control view. */
export interface PendingResource extends vscode.SourceControlResourceState {
  readonly review: FileReview;
}

/** The view's parts while something is pending. */
interface Shown {
  readonly lifetime: Lifetime;
  readonly control: vscode.SourceControl;
  readonly edits: vscode.SourceControlResourceGroup;
  /** Changes during commands. */
  readonly commands: vscode.SourceControlResourceGroup;
}

/** Pending changes in the source control view; it is there while something is pending. */
export class PendingSourceControl implements Disposable {
  readonly #parts: PendingParts;
  readonly #listening: readonly Disposable[];
  #shown: Shown | undefined;

  constructor(parts: PendingParts) {
    this.#parts = parts;
    const follow = (): void => this.#follow();
    this.#listening = [
      parts.feed.onChange(follow),
      ...(parts.groups === undefined ? [] : [parts.groups.stored.onChange(follow)]),
    ];
    this.#follow();
  }

  /** Groups of the view; empty: it is not there. */
  get groups(): readonly vscode.SourceControlResourceGroup[] {
    return this.#shown === undefined ? [] : [this.#shown.edits, this.#shown.commands];
  }

  /** The number on the view; `undefined`: it is not there. */
  get count(): number | undefined {
    return this.#shown?.control.count;
  }

  /** The text that quick diff compares a file with: the file without its pending changes. */
  findOriginal(uri: vscode.Uri): vscode.Uri | undefined {
    const { reviews, uris } = this.#parts;
    const place = uris.read(uri);
    if (place?.side !== 'document') return undefined;
    const review = reviews.find(place.path);
    return review?.document.kind === 'text' ? uris.baselineOf(place.path) : undefined;
  }

  dispose(): void {
    for (const one of this.#listening) one.dispose();
    this.#shown?.lifetime.dispose();
  }

  #follow(): void {
    const { reviews, groups } = this.#parts;
    const { pending } = reviews;
    const during = groups?.stored.all ?? [];
    if (pending.length === 0 && during.length === 0) {
      this.#shown?.lifetime.dispose();
      this.#shown = undefined;
      return;
    }
    this.#shown ??= this.#create();
    this.#shown.edits.resourceStates = pending.map(resourceFor);
    this.#shown.commands.resourceStates = [...commandRows(during)];
  }

  #create(): Shown {
    const lifetime = new Lifetime();
    const control = lifetime.add(vscode.scm.createSourceControl('belay', 'Belay'));
    control.inputBox.visible = false;
    // The files are in git's count already.
    control.count = 0;
    control.quickDiffProvider = {
      provideOriginalResource: (uri) => this.findOriginal(uri),
    };
    const group = (id: string, title: string): vscode.SourceControlResourceGroup => {
      const created = lifetime.add(control.createResourceGroup(id, title));
      created.hideWhenEmpty = true;
      return created;
    };
    const edits = group('edits', l10n.t('Pending Changes'));
    const commands = group(COMMANDS_GROUP, l10n.t('Changed during commands'));
    return { lifetime, control, edits, commands };
  }
}

function resourceFor(review: FileReview): PendingResource {
  const { path } = review;
  return {
    review,
    resourceUri: vscode.Uri.file(path),
    contextValue: 'edits',
    decorations: decorationsOf(review),
    command: {
      command: 'belay.openPendingFile',
      title: l10n.t('Open Changes'),
      arguments: [{ path }],
    },
  };
}

/** The change of the file, in a word or two. */
function whatIsDone(review: FileReview): string {
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

function decorationsOf(review: FileReview): vscode.SourceControlResourceDecorations {
  const hunks = hunksOf(review);
  const lines = linesIn(review);
  const isEdited = hunks.some(({ editedByUser }) => editedByUser);
  const parts = [
    whatIsDone(review),
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

function iconOf({ baseline, document, renamedFrom }: FileReview): string {
  if (baseline.kind === 'absent') return 'diff-added';
  if (document.kind === 'absent') return 'diff-removed';
  return renamedFrom === undefined ? 'diff-modified' : 'diff-renamed';
}
