import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { EvidenceRecords } from '../../../../core/review/evidence/evidence-records.ts';
import type { FileReview } from '../../../../core/review/model/file-review.ts';
import { type Hunk, hunksOf } from '../../../../core/review/model/hunks.ts';
import type { Reviews } from '../../../../core/review/service/reviews.ts';
import type { Disposable } from '../../../../domain/lifetime/disposable.ts';
import { evidenceFacts } from '../../../../domain/review/evidence-words.ts';
import type { ChangeEvidence } from '../../../../domain/review/evidence.ts';
import { makeVisible } from '../../../../domain/text/honest-text.ts';
import type { CommandId } from '../../../../manifest/commands.ts';
import { changesAt } from '../../../../window/pending/change-order.ts';
import type { ChangeArgument } from './change-lenses.ts';

/** Lines of a change that a hover shows; it is no place to read a file. */
const MAX_LINES = 40;
/** Characters of one of them. */
const MAX_LINE_CHARS = 400;

const BUTTONS = [
  [l10n.t('Keep'), 'belay.keepChange'],
  [l10n.t('Undo'), 'belay.undoChange'],
  [l10n.t('Comment'), 'belay.commentOnChange'],
  [l10n.t('Open Diff'), 'belay.openPendingFile'],
] as const satisfies readonly (readonly [string, CommandId])[];

/** Why a change was made and what was found out about it, on its lines, by mouse and by keyboard, with its buttons. */
export class ChangeHovers implements vscode.HoverProvider, Disposable {
  readonly #reviews: Reviews;
  readonly #evidence: Pick<EvidenceRecords, 'of'>;
  readonly #registration: Disposable;

  constructor(reviews: Reviews, evidence: Pick<EvidenceRecords, 'of'>) {
    this.#reviews = reviews;
    this.#evidence = evidence;
    this.#registration = vscode.languages.registerHoverProvider([{ scheme: 'file' }], this);
  }

  async provideHover(
    { uri }: Pick<vscode.TextDocument, 'uri'>,
    { line }: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const review = this.#reviews.find(uri.fsPath);
    if (review === undefined) return undefined;
    const changes = changesAt(review, 'document', line, line).map((hunk) => ({ review, hunk }));
    if (changes.length === 0) return undefined;
    const evidence = await this.#evidence.of(changes);
    return new vscode.Hover(changes.map((change, index) => textOf(change, evidence[index])));
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

function textOf(
  { review, hunk }: { readonly review: FileReview; readonly hunk: Hunk },
  evidence: ChangeEvidence | undefined,
): vscode.MarkdownString {
  const place = l10n.t('{0} of {1}', hunksOf(review).indexOf(hunk) + 1, hunksOf(review).length);
  const who = l10n.t('**Belay changed this** (change {0})', place);
  const text = new vscode.MarkdownString(`${who}\n\n`, true);
  // Only these, and only with what is said here: the text of a change is never read as Markdown.
  text.isTrusted = { enabledCommands: BUTTONS.map(([, command]) => command) };
  for (const { title, text: words } of evidence === undefined ? [] : evidenceFacts(evidence))
    text.appendMarkdown(`*${title}:* `).appendText(words).appendMarkdown('\n\n');
  if (hunk.removed.length > 0) text.appendCodeblock(diffOf(hunk), 'diff');
  const argument: ChangeArgument = { path: review.path, hunk: hunk.id };
  const json = encodeURIComponent(JSON.stringify([argument]));
  text.appendMarkdown(
    BUTTONS.map(([title, command]) => `[${title}](command:${command}?${json})`).join(
      ' &nbsp;·&nbsp; ',
    ),
  );
  return text;
}

function diffOf({ kind, removed, added }: Hunk): string {
  if (kind === 'delete') return l10n.t('the file is deleted');
  if (kind === 'binary') return l10n.t('the file is replaced by other bytes');
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)].map(
    (line) => makeVisible(line.slice(0, MAX_LINE_CHARS)),
  );
  const more = lines.length - MAX_LINES;
  return more <= 0
    ? lines.join('\n')
    : [...lines.slice(0, MAX_LINES), l10n.t('… {0} more lines: open the diff', more)].join('\n');
}
