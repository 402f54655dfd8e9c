import type { BinaryPart, Message, Part, ToolCallPart } from '../../domain/message.ts';
import { isJsonObject } from '../../domain/data/json.ts';
import { replayFor } from '../../domain/models/replay.ts';
import type { ReplayOwner } from '../../domain/models/replay.ts';
import { utf8 } from '../http/bytes.ts';
import { textOr } from '../http/fields.ts';
import { isImage, isPdf, mediaText, realType } from '../http/request/media.ts';
import { resultText } from '../http/request/result-text.ts';
import { plainName } from '../http/request/usable-tools.ts';
import { wellFormed } from '../http/request/well-formed.ts';
import type { WireIds } from '../http/request/wire-ids.ts';
import { signedParts } from './signed.ts';

/** Characters of a tool's name. */
export const LONGEST_NAME = 64;

/** The API's own word for a call that another model made, and nobody signed. */
const UNSIGNED = 'skip_thought_signature_validator';

/** How messages become contents: what the model takes, and whose signatures may be replayed. */
export interface ContentForm {
  readonly vision: boolean;
  /** The model wants every step of calls signed: all since Gemini 3. */
  readonly signed: boolean;
  /** Pictures at addresses of others are loaded. */
  readonly urls: boolean;
  /** Calls and results go with ids. */
  readonly ids: WireIds | undefined;
  readonly owner: ReplayOwner;
}

/** Parts of one content; neighbours of one kind become one. `results` is the person's role, too, but stands alone. */
export interface WrittenContent {
  readonly kind: 'model' | 'results' | 'user';
  readonly parts: readonly Uint8Array[];
}

/** The contents of one message. */
export function writtenContents(message: Message, form: ContentForm): readonly WrittenContent[] {
  const { parts, role } = message;
  if (role === 'assistant')
    return content(
      'model',
      parts.flatMap((part) => answerParts(part, form)),
    );
  const results = parts.filter((part) => part.type === 'tool_result');
  const shown = results.flatMap((result) => {
    const media = result.content.filter((one) => one.type === 'binary' && isShown(one, form));
    return media.length === 0
      ? []
      : [
          { text: `What ${result.name} gave to look at:` },
          ...media.flatMap((one) => said(one, form)),
        ];
  });
  return [
    ...content(
      'results',
      results.map((result) => ({
        functionResponse: {
          ...(form.ids === undefined ? {} : { id: form.ids.of(result.callId) }),
          name: plainName(result.name, LONGEST_NAME),
          response: {
            [result.state === 'done' ? 'output' : 'error']: resultText(result, (one) =>
              isShown(one, form),
            ),
          },
        },
      })),
    ),
    ...content('user', [...shown, ...parts.flatMap((part) => said(part, form))]),
  ];
}

const content = (
  kind: WrittenContent['kind'],
  parts: readonly object[],
): readonly WrittenContent[] =>
  parts.length === 0 ? [] : [{ kind, parts: parts.map((part) => utf8(JSON.stringify(part))) }];

/** Parts of an answer. Thinking goes back signed or not at all, and to who wrote it. */
function answerParts(part: Part, form: ContentForm): readonly object[] {
  switch (part.type) {
    case 'reasoning':
      return signedParts(part.text, replayFor(part, form.owner)) ?? [];
    case 'text':
      return signedParts(part.text, replayFor(part, form.owner)) ?? said(part, form);
    case 'tool_call':
      return [callPart(part, form)];
    default:
      return [];
  }
}

function callPart(part: ToolCallPart, { ids, owner, signed }: ContentForm): object {
  const data = replayFor(part, owner);
  const own = isJsonObject(data) ? textOr(data['thoughtSignature']) : UNSIGNED;
  const signature = own === UNSIGNED && !signed ? '' : own;
  return {
    functionCall: {
      ...(ids === undefined ? {} : { id: ids.of(part.id) }),
      name: plainName(part.name, LONGEST_NAME),
      args: wellFormed(part.input),
    },
    ...(signature === '' ? {} : { thoughtSignature: signature }),
  };
}

/** Kinds of pictures that are known by the end of an address. */
const KINDS: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
};

/** A picture that the server loads by itself; `undefined`: it cannot, or wants to know of which kind it is. */
function linkedImage(url: string, { urls, vision }: ContentForm): object | undefined {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  const mimeType = KINDS[/\.(\w+)$/.exec(address?.pathname ?? '')?.[1]?.toLowerCase() ?? ''];
  const isShown = vision && urls && address?.protocol === 'https:' && mimeType !== undefined;
  return isShown ? { fileData: { mimeType, fileUri: address.href } } : undefined;
}

const isShown = (part: BinaryPart, { vision }: ContentForm): boolean =>
  vision && (isImage(part) || isPdf(part));

/** Parts of what a person says, and of words that nobody signed. */
function said(part: Part, form: ContentForm): readonly object[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [{ text: part.text.toWellFormed() }];
    case 'image_url':
      return [linkedImage(part.url, form) ?? { text: `[image at ${part.url}]`.toWellFormed() }];
    case 'binary': {
      if (!isShown(part, form)) return [{ text: mediaText(part).toWellFormed() }];
      const mimeType = isPdf(part) ? part.mediaType : realType(part);
      return [{ inlineData: { mimeType, data: part.data } }];
    }
    case 'reasoning':
    case 'tool_call':
    case 'tool_result':
    case 'finish':
      return [];
    default:
      return part satisfies never;
  }
}
