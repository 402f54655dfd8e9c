import * as l10n from '@vscode/l10n';
import { cleanText, makeVisible } from '../../domain/text/honest-text.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import type { ToolResultState } from '../../domain/message.ts';
import { read, text as textField } from '../../tools/face/fields.ts';
import { shownDisplay } from './tool-details.ts';

/** Lines of a command's output that say why it failed: errors stand at the end. */
const LAST_LINES = 3;
const LINE_LIMIT = 240;

/** Names the model's mistake in a call that was not run, for its line; empty when there is none. */
export function getModelMistake(display: JsonObject = {}): string {
  if (display['kind'] !== 'rejected_call') return '';
  return display['mistake'] === 'unknown_tool'
    ? l10n.t('Unknown tool – retried')
    : l10n.t('Wrong arguments – retried');
}

/** Why a call did not end well, for its folded card; empty when it did. */
export function troubleOf(state: ToolResultState, text: string, display: JsonObject = {}): string {
  switch (state) {
    case 'failed':
    case 'unknown':
      return lastLines(shownDisplay(display).tail ?? '') || firstLine(text);
    case 'denied': {
      if (display['kind'] !== 'denied') return firstLine(text);
      const reason = firstLine(read({ reason: textField }, display).reason);
      return reason === '' ? '' : l10n.t('You said: {0}', reason);
    }
    case 'canceled':
    case 'done':
      return '';
    default:
      return state satisfies never;
  }
}

function lastLines(tail: string): string {
  return cleanText(tail)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-LAST_LINES)
    .map((line) => makeVisible(line.slice(0, LINE_LIMIT)).trimEnd())
    .join('\n');
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0]?.slice(0, LINE_LIMIT) ?? '';
}
