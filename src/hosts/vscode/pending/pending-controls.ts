import * as vscode from 'vscode';
import type { PendingChange } from '../../../core/review/model/hunks.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { EvidenceRecords } from '../../../core/review/evidence/evidence-records.ts';
import type { Reviews } from '../../../core/review/service/reviews.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import { Announcer } from './announcer.ts';
import { type ChangeCommentsParts, ChangeComments } from './editors/change-comments.ts';
import { ChangeHovers } from './editors/change-hovers.ts';
import { type ChangeLensesParts, ChangeLenses } from './editors/change-lenses.ts';
import { ChangeMarks } from './editors/change-marks.ts';
import { lineOf } from '../../../window/pending/change-order.ts';
import type { DiffEditors } from './editors/diff-editors.ts';
import { isInDiff } from './editors/editor-spot.ts';
import { PendingCounts } from './pending-counts.ts';
import type { PendingUris } from './pending-uris.ts';
import type { PendingWindow } from './pending-window.ts';
import { evidenceLines } from '../../../domain/review/evidence-words.ts';

export interface PendingControlsParts
  extends
    Pick<ChangeCommentsParts, 'answers' | 'send' | 'shownSession' | 'titleOf'>,
    Pick<ChangeLensesParts, 'isOn' | 'onSettingChanged' | 'requestText'> {
  readonly evidence: Pick<EvidenceRecords, 'known' | 'of'>;
  readonly window: Pick<PendingWindow, 'reviews' | 'uris' | 'feed' | 'diffs'>;
  readonly onError: (error: unknown) => void;
  /** Of comments. Default: Belay's own. */
  readonly commentController?: string;
}

/** The person's ways to decide about pending changes, and to get to them. */
export class PendingControls implements Disposable {
  readonly reviews: Reviews;
  readonly uris: PendingUris;
  readonly diffs: DiffEditors;
  readonly announcer: Announcer;
  readonly comments: ChangeComments;
  readonly lenses: ChangeLenses;
  readonly marks: ChangeMarks;
  /** How much there is, for the window's indicators. */
  readonly counts: PendingCounts;
  readonly #evidence: PendingControlsParts['evidence'];
  readonly #lifetime: Lifetime;

  constructor(parts: PendingControlsParts) {
    const { reviews, uris, feed, diffs } = parts.window;
    const lifetime = new Lifetime(parts.onError);
    this.#lifetime = lifetime;
    this.#evidence = parts.evidence;
    this.reviews = reviews;
    this.uris = uris;
    this.diffs = diffs;
    this.announcer = lifetime.add(new Announcer());
    this.lenses = lifetime.add(new ChangeLenses({ ...parts, reviews, uris, feed }));
    this.marks = lifetime.add(new ChangeMarks(parts.window));
    this.comments = lifetime.add(
      new ChangeComments({ ...parts, reviews, uris, feed }, parts.commentController),
    );
    lifetime.add(new ChangeHovers(reviews, parts.evidence));
    this.counts = new PendingCounts(reviews, feed);
  }

  /** Brings the user to a change: into the file, or into a diff where they are in one or the file cannot show it. */
  async show(change: PendingChange): Promise<void> {
    const { review, hunk } = change;
    const line = lineOf(change, 'document');
    const isText = review.document.kind === 'text' && !NOTEBOOK.test(review.path);
    if (!isText || hunk?.kind === 'binary' || isInDiff(this.uris)) {
      await this.diffs.open(review.path, { line });
      return;
    }
    goTo(await vscode.window.showTextDocument(vscode.Uri.file(review.path)), line);
  }

  /** Shows why a change was made and what was found out about it: the hover at its lines. */
  async explain(change: PendingChange): Promise<void> {
    const { review, hunk } = change;
    await this.show(change);
    const isText = hunk !== undefined && review.document.kind === 'text';
    if (isText && !NOTEBOOK.test(review.path)) {
      await vscode.commands.executeCommand('editor.action.showHover', {
        focus: 'autoFocusImmediately',
      });
      return;
    }
    const [evidence] = await this.#evidence.of([change]);
    const words = evidence === undefined ? [] : evidenceLines(evidence);
    void vscode.window.showInformationMessage(words.join(' '));
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}

function goTo(editor: vscode.TextEditor | undefined, line: number): void {
  if (editor === undefined) return;
  editor.selection = new vscode.Selection(line, 0, line, 0);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** An editor of cells has no lines. */
const NOTEBOOK = /\.ipynb$/iu;
