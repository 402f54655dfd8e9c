import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../../../domain/disposable.ts';
import { type Hunk, hunksOf } from '../../../../core/review/model/hunks.ts';
import { makeVisible } from '../../../../domain/text/honest-text.ts';
import type { CommandId } from '../../../../manifest/commands.ts';
import type { ChangeArgument } from '../editors/change-lenses.ts';
import { changesAt } from '../../../../window/pending/change-order.ts';
import type { ProposalMarksParts } from './proposal-marks.ts';
import { changesShownIn } from '../editors/shown-changes.ts';

/** Lines of a change that a hover shows; it is no place to read a file. */
const LINES = 40;
/** Characters of one of them. */
const LONGEST = 400;

const BUTTONS = [
  [l10n.t('Accept'), 'belay.acceptChange'],
  [l10n.t('Reject'), 'belay.rejectChange'],
  [l10n.t('Comment'), 'belay.commentOnChange'],
  [l10n.t('Open Diff'), 'belay.openPendingFile'],
] as const satisfies readonly (readonly [string, CommandId])[];

/** The whole of a proposed change on its lines in the file, by mouse and by keyboard, with its buttons. */
export class ProposalHovers implements vscode.HoverProvider, Disposable {
  readonly #parts: Pick<ProposalMarksParts, 'reviews' | 'uris'>;
  readonly #registration: Disposable;

  constructor(parts: Pick<ProposalMarksParts, 'reviews' | 'uris'>) {
    this.#parts = parts;
    this.#registration = vscode.languages.registerHoverProvider({ scheme: 'file' }, this);
  }

  provideHover(
    { uri }: Pick<vscode.TextDocument, 'uri'>,
    { line }: vscode.Position,
  ): vscode.Hover | undefined {
    const contents = changesShownIn(uri, this.#parts)
      .filter(({ side }) => side === 'baseline')
      .flatMap(({ kind, review, side }) =>
        changesAt(review, side, line, line).map((hunk) => {
          const one = hunksOf(review).indexOf(hunk) + 1;
          const place = l10n.t('{0} of {1}', one, hunksOf(review).length);
          return textOf(hunk, place, { kind, path: review.path, hunk: hunk.id });
        }),
      );
    return contents.length === 0 ? undefined : new vscode.Hover(contents);
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

function textOf(hunk: Hunk, place: string, argument: ChangeArgument): vscode.MarkdownString {
  const text = new vscode.MarkdownString(
    `${l10n.t('**Belay proposes** (change {0})', place)}\n`,
    true,
  );
  // Only these, and only with what is said here: the text of a change is never read as Markdown.
  text.isTrusted = { enabledCommands: BUTTONS.map(([, command]) => command) };
  text.appendCodeblock(diffOf(hunk), 'diff');
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
  if (kind === 'form') return l10n.t('line ends or encoding become others');
  if (kind === 'binary') return l10n.t('the file is replaced by other bytes');
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)].map(
    (line) => makeVisible(line.slice(0, LONGEST)),
  );
  const more = lines.length - LINES;
  return more <= 0
    ? lines.join('\n')
    : [...lines.slice(0, LINES), l10n.t('… {0} more lines: open the diff', more)].join('\n');
}
