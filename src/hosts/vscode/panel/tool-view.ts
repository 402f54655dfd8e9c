import type { JsonObject } from '../../../domain/json.ts';
import type { ResultContent, ToolCallPart, ToolResultPart } from '../../../domain/message.ts';
import type { DiffStat, Preview, ToolView } from '../../../protocol/view.ts';
import { titleOf } from './tool-title.ts';

/** Results and arguments longer than this stay in the host until the card is unfolded. */
export const INLINE_LIMIT = 4096;
/** What is sent of a long one: enough to see what it is. */
const TEASER = 400;

/** Cuts a text that is too long to be sent unasked. */
export function previewOf(text: string, total = text.length): Preview {
  return { text: text.length > INLINE_LIMIT ? text.slice(0, TEASER) : text, total };
}

/** A call whose arguments are complete. */
export function toolView(call: ToolCallPart): ToolView {
  return {
    type: 'tool',
    callId: call.id,
    name: call.name,
    ...titleOf(call.name, call.input),
    state: 'pending',
    input: previewOf(inputText(call)),
    startedAt: null,
    elapsedMs: null,
    output: '',
    progress: null,
    retry: null,
    result: null,
    note: call.invalid === undefined ? '' : 'arguments not usable',
    files: [],
    diff: null,
    replayed: false,
  };
}

/** A call whose arguments are still being written. */
export function emptyToolView(callId: string, name: string): ToolView {
  return {
    ...toolView({ type: 'tool_call', id: callId, name, input: {} }),
    state: 'input',
    input: { text: '', total: 0 },
  };
}

/** The arguments as the card shows them. */
export function inputText(call: ToolCallPart): string {
  return call.invalid === undefined ? JSON.stringify(call.input, null, 2) : call.invalid.raw;
}

/** What a result changes on its card. */
export function resultPatch(result: ToolResultPart, replayed: boolean): Partial<ToolView> {
  const text = resultText(result.content);
  return {
    state: result.state,
    result: previewOf(text, Math.max(text.length, result.cut?.total ?? 0)),
    note: noteOf(result.display),
    files: result.files ?? [],
    diff: diffOf(result.display),
    output: '',
    progress: null,
    retry: null,
    elapsedMs: result.elapsedMs ?? null,
    replayed,
  };
}

/** The text of a result; bytes are named, not shown. */
export function resultText(content: readonly ResultContent[]): string {
  return content
    .map((part) => (part.type === 'text' ? part.text : `[${part.name ?? part.mediaType}]`))
    .join('\n');
}

function noteOf(display: JsonObject | undefined): string {
  if (display === undefined) return '';
  if (typeof display['note'] === 'string') return display['note'];
  if (display['timedOut'] === true) return 'timed out';
  if (typeof display['exitCode'] === 'number') {
    return display['exitCode'] === 0 ? '' : `exit code ${display['exitCode']}`;
  }
  if (typeof display['count'] === 'number') {
    const unit = typeof display['unit'] === 'string' ? display['unit'] : 'results';
    return `${display['count']} ${unit}`;
  }
  return '';
}

function diffOf(display: JsonObject | undefined): DiffStat | null {
  const { added, removed, path, creates } = display ?? {};
  if (typeof added !== 'number' || typeof removed !== 'number') return null;
  return {
    path: typeof path === 'string' ? path : '',
    added,
    removed,
    creates: creates === true,
  };
}
