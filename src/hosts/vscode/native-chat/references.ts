import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Mention } from '../../../domain/mention.ts';
import { cleanText } from '../../../domain/text/honest-text.ts';
import { placeMention } from '../../../panel/input/sources/file-place.ts';
import { quotedText } from '../../../window/asks/ask-texts.ts';

/** A request of VS Code's own chat as a message to Belay. */
export interface ChatAsked {
  readonly text: string;
  readonly mentions: readonly Omit<Mention, 'tokens'>[];
  /** References that cannot be taken along, by name. */
  readonly leftOut: readonly string[];
}

/** Files and places become mentions, so that the rules of mentions hold for them; texts are quoted. */
export function askedIn(
  { prompt, references }: Pick<vscode.ChatRequest, 'prompt' | 'references'>,
  roots: readonly string[],
): ChatAsked {
  const mentions: Omit<Mention, 'tokens'>[] = [];
  const texts = [cleanText(prompt)];
  const leftOut: string[] = [];
  for (const { id, value, modelDescription } of references) {
    const place = placeOf(value);
    if (place !== undefined) mentions.push(placeMention(place, roots));
    else if (typeof value === 'string')
      texts.push(`${modelDescription ?? l10n.t('Attached')}:\n\n${quotedText(value)}`);
    else leftOut.push(id);
  }
  return { text: texts.filter((one) => one.trim() !== '').join('\n\n'), mentions, leftOut };
}

function placeOf(value: unknown): Parameters<typeof placeMention>[0] | undefined {
  if (value instanceof vscode.Location) {
    const { uri, range } = value;
    if (uri.scheme !== 'file') return undefined;
    return { path: uri.fsPath, lines: { from: range.start.line + 1, to: range.end.line + 1 } };
  }
  return value instanceof vscode.Uri && value.scheme === 'file'
    ? { path: value.fsPath }
    : undefined;
}
