import * as vscode from 'vscode';

/**
 * The smallest change that turns a document into `text`, so that selections, folds and other people's
 * cursors stay. `undefined`: its line ends are mixed, which a document cannot be.
 */
export function documentEdits(
  document: vscode.TextDocument,
  text: string,
): vscode.TextEdit[] | undefined {
  const wanted = lineEnds(text);
  if (wanted === 'mixed') return undefined;
  const edits: vscode.TextEdit[] = [];
  const eol =
    wanted === 'none'
      ? document.eol
      : wanted === '\r\n'
        ? vscode.EndOfLine.CRLF
        : vscode.EndOfLine.LF;
  const before = document.getText();
  const present = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const after = text.replaceAll('\r\n', '\n').replaceAll('\n', present);
  const range = changedRange(before, after);
  if (range !== undefined) {
    const place = new vscode.Range(
      document.positionAt(range.start),
      document.positionAt(range.end),
    );
    edits.push(vscode.TextEdit.replace(place, range.text));
  }
  if (eol !== document.eol) edits.push(vscode.TextEdit.setEndOfLine(eol));
  return edits;
}

function lineEnds(text: string): '\n' | '\r\n' | 'none' | 'mixed' {
  const carriage = (text.match(/\r\n/gu) ?? []).length;
  const lines = (text.match(/\n/gu) ?? []).length;
  const alone = (text.match(/\r(?!\n)/gu) ?? []).length;
  if (alone > 0 || (carriage > 0 && carriage < lines)) return 'mixed';
  if (lines === 0) return 'none';
  return carriage > 0 ? '\r\n' : '\n';
}

/** Where two texts differ: the part of `before` between `start` and `end` becomes `text`. */
function changedRange(
  before: string,
  after: string,
): { readonly start: number; readonly end: number; readonly text: string } | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let tail = 0;
  while (
    tail < shorter - start &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail += 1;
  }
  // A position between CR and LF, or within a surrogate pair, is none: take the whole of it.
  if (start > 0 && joined(before, start)) start -= 1;
  if (tail > 0 && (joined(before, before.length - tail) || joined(after, after.length - tail)))
    tail -= 1;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

function joined(text: string, at: number): boolean {
  const pair = text.slice(at - 1, at + 1);
  return pair === '\r\n' || /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/u.test(pair);
}
