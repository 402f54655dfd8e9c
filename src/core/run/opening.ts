import type { Part } from '../../domain/message.ts';
import type { Checkpoint, Run } from '../../domain/run.ts';
import type { Mention } from '../../domain/mention.ts';
import { cleanText } from '../../domain/text/honest-text.ts';
import type { Attachment, QueuedMessage } from '../../domain/session/session.ts';
import { attachedParts, attachmentIn } from './attached-parts.ts';

export type Opening =
  | {
      readonly kind: 'message';
      readonly text: string;
      readonly attachments: readonly Attachment[];
      /** Absent: the person's; `parent`: another session wrote it (B13). */
      readonly origin?: QueuedMessage['origin'] | 'parent' | undefined;
      /** The queued message it was, which leaves the queue in the same transaction. */
      readonly queuedId?: string;
    }
  /** Goes on after a cap, a limit or a failure (D1). */
  | { readonly kind: 'continue' }
  | {
      readonly kind: 'resume';
      readonly run: Run;
      readonly checkpoint: Checkpoint | undefined;
      /** A note for the model before it goes on. */
      readonly note?: string;
    };

/** The note when a part of the record was lost: what the model sees may be behind what was done. */
export const DAMAGED_TEXT =
  'The record of this conversation was damaged when Belay ended: the last steps may be missing here although they were carried out. Check the present state of things before you go on or repeat anything.';

/** The request when the person chose Continue and the last word was the model's own. */
export const CONTINUE_TEXT = 'Go on with the task from where you stopped.';

/** A message's parts: text, what it mentions, its files (A6); hidden characters in sight. */
export function partsOf(text: string, attachments: readonly Attachment[]): Part[] {
  const parts: Part[] = [];
  if (text.trim() !== '') parts.push({ type: 'text', text: cleanText(text) });
  for (const attachment of attachments) {
    const { mention, taken } = attachment;
    if (mention === undefined) parts.push(...attachedParts(attachment));
    else {
      const nothing = [{ type: 'text' as const, text: `@${mention.label} was not included.` }];
      parts.push(...(taken ?? nothing).map((part) => ({ ...part, mention })));
    }
  }
  return parts;
}

export interface Asked {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** The way back from `partsOf`; `id` gives new ones to mentions. */
export function askedOf(parts: readonly Part[], id: (index: number) => string): Asked {
  const texts: string[] = [];
  const attachments = new Map<string, Attachment>();
  for (const part of parts) {
    const mention = 'mention' in part ? part.mention : undefined;
    if (mention !== undefined) {
      // One mention may have given several parts; a file's later one holds its content.
      const key = JSON.stringify([mention.source, mention.ref]);
      const known = attachments.get(key);
      const file = attachmentIn(part);
      if (file !== undefined) attachments.set(key, { ...file, ...known, ...contentOf(file) });
      else if (known === undefined) attachments.set(key, mentioned(mention, id(attachments.size)));
    } else if (part.type === 'text') texts.push(part.text);
    else if (part.type === 'image_url') texts.push(part.url);
    else if (part.type === 'binary') {
      const { name = 'attachment', mediaType, data } = part;
      const size = Math.floor((data.length * 3) / 4);
      const own = id(attachments.size);
      attachments.set(own, { id: own, name, mediaType, size, data });
    }
  }
  return { text: texts.join('\n\n'), attachments: [...attachments.values()] };
}

const contentOf = ({ data }: Attachment): Pick<Attachment, 'data'> =>
  data === undefined ? {} : { data };

/** It is taken anew when the message is sent again. */
function mentioned(mention: Mention, id: string): Attachment {
  return { id, name: mention.source, mediaType: 'text/plain', size: 0, mention };
}
