import type { BinaryPart, ToolResultPart } from '../../../domain/message.ts';
import { mediaText } from './media.ts';

/** The text of a result, with its state where it is not done; `shown`: what the model gets to look at besides. */
export function resultText(
  { content, state }: ToolResultPart,
  shown: (part: BinaryPart) => boolean,
): string {
  const said = content
    .map((item) => (item.type === 'text' ? item.text : shown(item) ? '' : mediaText(item)))
    .filter((text) => text.trim() !== '')
    .join('\n');
  const text = said === '' ? '(no output)' : said;
  return (state === 'done' ? text : `[${state}] ${text}`).toWellFormed();
}
