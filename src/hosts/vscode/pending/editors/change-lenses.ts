import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../../../domain/lifetime/disposable.ts';
import type { FileReview } from '../../../../core/review/model/file-review.ts';
import { type Hunk, hunksOf } from '../../../../core/review/model/hunks.ts';
import type { EvidenceRecords } from '../../../../core/review/evidence/evidence-records.ts';
import type { Reviews } from '../../../../core/review/service/reviews.ts';
import { evidenceSummary } from '../../../../domain/review/evidence-words.ts';
import { Lifetime } from '../../../../domain/lifetime/lifetime.ts';
import type { CommandId } from '../../../../manifest/commands.ts';
import type { ChangeFeed } from '../../../../window/pending/change-feed.ts';
import { lineOf } from '../../../../window/pending/change-order.ts';
import { originText } from '../../../../window/pending/change-words.ts';
import type { PendingUris } from '../pending-uris.ts';

export interface ChangeLensesParts {
  readonly reviews: Pick<Reviews, 'find'>;
  readonly uris: PendingUris;
  readonly feed: ChangeFeed;
  readonly titleOf: (sessionId: string) => string | undefined;
  /** How a message of the person begins; empty while it is not known. */
  readonly requestText: (sessionId: string, messageId: string) => string;
  readonly evidence: Pick<EvidenceRecords, 'known'>;
  /** True when the person wants lines of buttons above changes (`belay.review.codeLens`). */
  readonly isOn: () => boolean;
  readonly onSettingChanged: (listener: () => void) => Disposable;
}

/** The argument of a button above a change, for its command. */
export interface ChangeArgument {
  readonly path: string;
  /** Absent: all of the file. */
  readonly hunk?: string;
}

/** Buttons above each pending change. Their tooltips say who made it, why, and what is known about it. */
export class ChangeLenses implements vscode.CodeLensProvider, Disposable {
  readonly #parts: ChangeLensesParts;
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(parts: ChangeLensesParts) {
    this.#parts = parts;
    const { feed } = parts;
    this.#lifetime.add(feed.onChange((changed) => this.#follow(changed)));
    this.#lifetime.add(parts.onSettingChanged(() => this.#changed.fire()));
    this.#lifetime.add(vscode.languages.registerCodeLensProvider([{ scheme: 'file' }], this));
  }

  provideCodeLenses({ uri }: Pick<vscode.TextDocument, 'uri'>): vscode.CodeLens[] {
    if (!this.#parts.isOn()) return [];
    const review = this.#parts.reviews.find(uri.fsPath);
    if (review === undefined) return [];
    const renaming = review.renamedFrom === undefined ? [] : renameLenses(review);
    return [...renaming, ...hunksOf(review).flatMap((hunk) => this.#lenses(review, hunk))];
  }

  /** Names of requests are known now. */
  refresh(): void {
    this.#changed.fire();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #lenses(review: FileReview, hunk: Hunk): vscode.CodeLens[] {
    const { requestText, titleOf, evidence } = this.#parts;
    const range = at(lineOf({ review, hunk }, 'document'));
    const argument: ChangeArgument = { path: review.path, hunk: hunk.id };
    const button = (title: string, command: CommandId): vscode.CodeLens =>
      new vscode.CodeLens(range, { title, command, arguments: [argument], tooltip });
    const [keep, undo] = BUTTONS[hunk.kind];
    const origin = originText(
      hunk,
      ({ sessionId, messageId }) => requestText(sessionId, messageId) || titleOf(sessionId),
    );
    const known = evidence.known({ review, hunk });
    const found = known === undefined ? '' : evidenceSummary(known);
    const tooltip = [origin, found].filter((text) => text !== '').join(' · ');
    return [
      button(keep, 'belay.keepChange'),
      button(undo, 'belay.undoChange'),
      button(l10n.t('Comment'), 'belay.commentOnChange'),
      button(l10n.t('Diff'), 'belay.openPendingFile'),
    ];
  }

  /** Only where an open document is concerned: VS Code asks again for each visible editor. */
  #follow(changed: readonly string[]): void {
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    if (changed.some((file) => open.has(vscode.Uri.file(file).toString()))) this.#changed.fire();
  }
}

/** The buttons of a change, by what it is besides some lines. */
const BUTTONS: Readonly<Record<Hunk['kind'], readonly [keep: string, undo: string]>> = {
  change: [l10n.t('Keep'), l10n.t('Undo')],
  create: [l10n.t('Keep New File'), l10n.t('Undo New File')],
  delete: [l10n.t('Keep'), l10n.t('Undo')],
  binary: [l10n.t('Keep File'), l10n.t('Undo File')],
};

/** A renaming is decided with everything else of its file. */
function renameLenses(review: FileReview): vscode.CodeLens[] {
  const { path: file, renamedFrom = '' } = review;
  const argument: ChangeArgument = { path: file };
  const [keep, undo] =
    hunksOf(review).length > 0
      ? [l10n.t('Keep New Name and All Changes'), l10n.t('Undo New Name and All Changes')]
      : [l10n.t('Keep New Name'), l10n.t('Undo New Name')];
  const button = (title: string, command: CommandId): vscode.CodeLens =>
    new vscode.CodeLens(at(0), { title, command, arguments: [argument] });
  return [
    button(keep, 'belay.keepFile'),
    button(undo, 'belay.undoFile'),
    new vscode.CodeLens(at(0), {
      title: l10n.t('renamed from {0}', nameOf(renamedFrom, file)),
      command: '',
    }),
  ];
}

/** The name alone where the folder is the same. */
function nameOf(from: string, to: string): string {
  return path.dirname(from) === path.dirname(to)
    ? path.basename(from)
    : vscode.workspace.asRelativePath(from);
}

function at(line: number): vscode.Range {
  return new vscode.Range(line, 0, line, 0);
}
