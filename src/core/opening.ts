import type { Part } from '../domain/message.ts';
import type { Checkpoint, Run } from '../domain/run.ts';
import { cleanText } from './tool-call/text-hygiene.ts';
import type { Attachment } from '../domain/session.ts';

/** How a run begins. */
export type Opening =
  | {
      readonly kind: 'message';
      readonly text: string;
      readonly attachments: readonly Attachment[];
      /** The queued message it was, which leaves the queue in the same transaction. */
      readonly queuedId?: string;
    }
  /** Goes on after a cap, a limit or a failure (D1). */
  | { readonly kind: 'continue' }
  | {
      readonly kind: 'resume';
      readonly run: Run;
      readonly checkpoint: Checkpoint | undefined;
      /** What the model must know before it goes on. */
      readonly note?: string;
    };

/** What the model reads when a part of the record was lost: what it sees may be behind what was done. */
export const DAMAGED_TEXT =
  'The record of this conversation was damaged when Belay ended: the last steps may be missing here although they were carried out. Check the present state of things before you go on or repeat anything.';

/** What the model reads when the person chose Continue and the last word was the model's own. */
export const CONTINUE_TEXT = 'Go on with the task from where you stopped.';

/**
 * The parts of a person's message: the text, images as they are, other files by name (A6). What was
 * pasted may hide something (security, rule 7): what is shown, kept and sent is the same.
 */
export function partsOf(text: string, attachments: readonly Attachment[]): Part[] {
  const parts: Part[] = [];
  if (text.trim() !== '') parts.push({ type: 'text', text: cleanText(text) });
  for (const { name, mediaType, size, path, data } of attachments) {
    if (data !== undefined && (mediaType.startsWith('image/') || mediaType === 'application/pdf')) {
      parts.push({ type: 'binary', mediaType, data, name });
    } else if (path !== undefined) {
      parts.push({
        type: 'text',
        text: cleanText(
          `Attached file: ${path} (${mediaType}, ${size} bytes). Read it with read_file.`,
        ),
      });
    } else if (data !== undefined) {
      parts.push({
        type: 'text',
        text: cleanText(`Attached file ${name} (${mediaType}):\n${decodeText(data)}`),
      });
    }
  }
  return parts;
}

function decodeText(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
  return new TextDecoder().decode(bytes);
}
