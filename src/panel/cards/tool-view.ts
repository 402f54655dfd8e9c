import { inWords } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../domain/data/json.ts';
import type { ResultContent, ToolCallPart, ToolResultPart } from '../../domain/message.ts';
import type { DiffStat, Preview, ToolView } from '../../protocol/view.ts';
import { visibleCommand } from '../../core/permissions/command/visible-command.ts';
import type { DisplayedChange, ShownDisplay } from '../../tools/face/face.ts';
import { mediaOf } from './media-view.ts';
import { serverResultView } from './server-result.ts';
import { detailsOf, shownDisplay } from './tool-details.ts';
import { faceOf, subjectOf, titleOf } from './tool-title.ts';
import { getModelMistake, troubleOf } from './tool-trouble.ts';
import { numeral } from '../../domain/text/language.ts';

/** Results and arguments longer than this stay in the host until the card is unfolded. */
export const INLINE_LIMIT = 4096;
/** Characters of a long text that are sent: enough to see what it is. */
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
    counted: countedOf(call.name),
    state: 'pending',
    input: argumentsOf(call),
    startedAt: null,
    elapsedMs: null,
    output: '',
    progress: null,
    retry: null,
    result: null,
    command: commandOf(call.input),
    background: null,
    agent: null,
    note: call.invalid === undefined ? '' : l10n.t('arguments not usable'),
    isModelMistake: false,
    trouble: '',
    details: detailsOf(faceOf(call.name)?.steps?.(call.input) ?? []),
    files: [],
    media: [],
    server: null,
    diff: null,
    replayed: false,
  };
}

/** A command line that is all there is to say of a call is shown as such, and not again as JSON. */
function argumentsOf(call: ToolCallPart): Preview {
  const { command, ...others } = call.input;
  const isShown = typeof command === 'string' && command.length <= INLINE_LIMIT;
  const isAll = isShown && Object.keys(others).length === 0;
  return isAll && call.invalid === undefined ? { text: '', total: 0 } : previewOf(inputText(call));
}

/** Only `run_command` has a command line in its arguments. */
function commandOf({ command }: JsonObject): string | null {
  return typeof command === 'string' ? visibleCommand(command.slice(0, INLINE_LIMIT)) : null;
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

/** The changes of a card by its result. */
export function resultPatch(result: ToolResultPart, replayed: boolean): Partial<ToolView> {
  const text = resultText(result.content);
  const shown = shownDisplay(result.display);
  const mistake = getModelMistake(result.display);
  return {
    state: result.state,
    result: previewOf(text, Math.max(text.length, result.cut?.total ?? 0)),
    note: [mistake, shown.note, ...factsOf(result)].filter((fact) => fact !== '').join(', '),
    isModelMistake: mistake !== '',
    trouble:
      mistake === ''
        ? beside(shown.note, troubleOf(result.state, saidText(result, text), result.display))
        : '',
    files: result.files ?? [],
    media: mediaOf(result),
    server: serverResultView(result.display),
    // Steps stand on the card before the result does.
    ...(faceOf(result.name)?.steps === undefined ? { details: detailsOf(shown.rows) } : {}),
    diff: statOf(shown.change),
    ...commandPatch(result.name, shown),
    ...(shown.agent === undefined ? {} : { agent: shown.agent }),
    progress: null,
    retry: null,
    elapsedMs: result.elapsedMs ?? null,
    replayed,
  };
}

/** The text of a result as the person reads it: a failure in their language, as far as it is known. */
const saidText = ({ told }: ToolResultPart, text: string): string =>
  told === undefined ? text : told.map(inWords).join(' ');

/** The trouble, unless it says in one line no more than the note does: "exit code 2", "build ended with exit code 2." */
function beside(note: string, trouble: string): string {
  const [fact = ''] = note.split(', ');
  const said = trouble.trim().replace(/\.$/u, '');
  const isSame = said === note || (fact !== '' && said.replace(/^.* ended with /u, '') === fact);
  return isSame ? '' : trouble;
}

/** Facts of any tool's result: that the model saw a part of it, that it was tried again. */
function factsOf({ cut, retries }: ToolResultPart): readonly string[] {
  return [
    ...(cut === undefined
      ? []
      : [l10n.t('cut: {0} of {1} characters', numeral(cut.shown), numeral(cut.total))]),
    ...(retries === undefined ? [] : [l10n.t('tried {0} times', retries + 1)]),
  ];
}

/** The card of a command that goes on keeps what it has printed. */
function commandPatch(
  name: string,
  { background }: ShownDisplay,
): Partial<Pick<ToolView, 'output' | 'background' | 'subject'>> {
  if (background === undefined) return { output: '' };
  const { id, running, tail, command } = background;
  if (faceOf(name)?.isLive === true) return { output: tail, background: { id, running } };
  // People know a command by its line, not by the number that the model was given.
  return { output: '', subject: subjectOf(command) };
}

/** The text of a result; bytes are named, not shown. */
export function resultText(content: readonly ResultContent[]): string {
  return content
    .map((part) => (part.type === 'text' ? part.text : `[${part.name ?? part.mediaType}]`))
    .join('\n');
}

function statOf(change: DisplayedChange | undefined): DiffStat | null {
  if (change === undefined) return null;
  const { path, added, removed, creates } = change;
  return { path, added, removed, creates };
}

function countedOf(tool: string): ToolView['counted'] {
  const words = faceOf(tool)?.counted;
  return words === undefined ? null : [l10n.t(words[0]), l10n.t(words[1])];
}
