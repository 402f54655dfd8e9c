import type { EditorMessage, EditorPart } from '../../core/ports/editor/editor-models.ts';
import type { ModelRequest } from '../../core/model-call/model-call.ts';
import { isJsonObject } from '../../domain/data/json.ts';
import type { BinaryPart, Part, ToolResultPart } from '../../domain/message.ts';
import { replayFor } from '../../domain/models/replay.ts';
import type { ReplayOwner } from '../../domain/models/replay.ts';
import { isImage, mediaText, realType } from '../http/request/media.ts';
import { plainName } from '../http/request/usable-tools.ts';
import { wellFormed } from '../http/request/well-formed.ts';
import type { WireIds } from '../http/request/wire-ids.ts';

/** Characters of a tool's name. */
export const LONGEST_NAME = 64;

/** How messages are written for one model. */
export interface EditorForm {
  readonly tools: boolean;
  readonly images: boolean;
  readonly owner: ReplayOwner;
  readonly ids: WireIds;
}

/** Said after results, on which alone a request must not end. */
const GO_ON: EditorPart = { type: 'text', text: 'Continue.' };

/** A request's messages: the system prompt first, as the person's, since there is no role for it. */
export function editorMessages(
  { system, messages }: Pick<ModelRequest, 'system' | 'messages'>,
  form: EditorForm,
): readonly EditorMessage[] {
  const rules = system.filter((block) => block.trim() !== '').join('\n\n');
  const written: EditorMessage[] = messages.flatMap((message) => {
    const parts =
      message.role === 'assistant'
        ? message.parts.flatMap((part) => ownPart(part, form))
        : othersParts(message.parts, form);
    const role = message.role === 'assistant' ? ('assistant' as const) : ('user' as const);
    return parts.length === 0 ? [] : [{ role, parts }];
  });
  const last = written.at(-1);
  if (last === undefined || last.role === 'assistant')
    written.push({ role: 'user', parts: [GO_ON] });
  else if (last.parts.every(({ type }) => type === 'result'))
    written[written.length - 1] = { role: 'user', parts: [...last.parts, GO_ON] };
  return rules === '' ? written : [{ role: 'user', parts: [text(rules)] }, ...written];
}

const text = (value: string): EditorPart => ({ type: 'text', text: value.toWellFormed() });

/** A part of the model's own answers. */
function ownPart(part: Part, { tools, owner, ids }: EditorForm): readonly EditorPart[] {
  if (part.type === 'text') return part.text.trim() === '' ? [] : [text(part.text)];
  if (part.type === 'reasoning') {
    const rest = replayFor(part, owner);
    return isJsonObject(rest) ? [{ type: 'thinking', text: part.text, rest }] : [];
  }
  if (part.type !== 'tool_call') return [];
  const name = plainName(part.name, LONGEST_NAME);
  const input = wellFormed(part.input);
  return tools
    ? [{ type: 'call', id: ids.of(part.id), name, input }]
    : [text(`[used ${name} with ${JSON.stringify(input)}]`)];
}

/** The words of others: results first, then what there is to look at in them, then the rest. */
function othersParts(parts: readonly Part[], form: EditorForm): readonly EditorPart[] {
  const results = parts.filter((part) => part.type === 'tool_result');
  return [
    ...results.map((result) => resultPart(result, form)),
    ...results.flatMap((result) => pictures(result, form)),
    ...parts.flatMap((part) => saidPart(part, form)),
  ];
}

function resultPart(result: ToolResultPart, form: EditorForm): EditorPart {
  const said = result.content
    .map((item) => (item.type === 'text' ? item.text : isShown(item, form) ? '' : mediaText(item)))
    .filter((one) => one.trim() !== '')
    .join('\n');
  const content = said === '' ? '(no output)' : said;
  const whole = result.state === 'done' ? content : `[${result.state}] ${content}`;
  return form.tools
    ? { type: 'result', callId: form.ids.of(result.callId), text: whole.toWellFormed() }
    : text(`[${result.name} answered]\n${whole}`);
}

function pictures(result: ToolResultPart, form: EditorForm): readonly EditorPart[] {
  const shown = result.content.filter((item) => item.type === 'binary' && isShown(item, form));
  if (shown.length === 0) return [];
  return [
    text(`What ${result.name} gave to look at:`),
    ...shown.flatMap((item) => saidPart(item, form)),
  ];
}

function saidPart(part: Part, form: EditorForm): readonly EditorPart[] {
  if (part.type === 'text') return part.text.trim() === '' ? [] : [text(part.text)];
  if (part.type === 'image_url') return [text(`[image at ${part.url}]`)];
  if (part.type !== 'binary') return [];
  return [isShown(part, form) ? picture(part) : text(mediaText(part))];
}

const isShown = (part: BinaryPart, { images }: EditorForm): boolean => images && isImage(part);

const picture = (part: BinaryPart): EditorPart => ({
  type: 'data',
  mimeType: realType(part),
  data: Uint8Array.from(atob(part.data), (character) => character.charCodeAt(0)),
});
