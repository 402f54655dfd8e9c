import type { Json, JsonObject } from '../../../domain/json.ts';
import type { ResultContent, ToolCallPart, ToolResultPart } from '../../../domain/message.ts';
import type { DiffStat, Preview, ToolView } from '../../../protocol/view.ts';
import { visibleCommand } from '../../../core/permissions/command/visible-command.ts';
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
    command: commandOf(call.input),
    background: null,
    note: call.invalid === undefined ? '' : 'arguments not usable',
    files: [],
    diff: null,
    replayed: false,
  };
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

/** What a result changes on its card. */
export function resultPatch(result: ToolResultPart, replayed: boolean): Partial<ToolView> {
  const text = resultText(result.content);
  return {
    state: result.state,
    result: previewOf(text, Math.max(text.length, result.cut?.total ?? 0)),
    note: noteOf(result.display),
    files: result.files ?? [],
    diff: diffOf(result.display),
    ...commandPatch(result),
    progress: null,
    retry: null,
    elapsedMs: result.elapsedMs ?? null,
    replayed,
  };
}

/** What goes on keeps what it has printed on its card. */
function commandPatch({
  name,
  display,
}: ToolResultPart): Pick<ToolView, 'output' | 'background'> | Pick<ToolView, 'output'> {
  if (name !== 'run_command' || display?.['kind'] !== 'background') return { output: '' };
  const { id, running, tail } = display;
  return {
    output: typeof tail === 'string' ? tail : '',
    background: { id: typeof id === 'string' ? id : '', running: running === true },
  };
}

/** The text of a result; bytes are named, not shown. */
export function resultText(content: readonly ResultContent[]): string {
  return content
    .map((part) => (part.type === 'text' ? part.text : `[${part.name ?? part.mediaType}]`))
    .join('\n');
}

/** A short fact for the card. Displays of imported sessions may be anything: every field is checked. */
function noteOf(display: JsonObject | undefined): string {
  if (display === undefined) return '';
  const more = display['complete'] === false ? '+' : '';
  const number = (key: string): number | undefined => numberIn(display, key);
  switch (display['kind']) {
    case 'read':
      return readNote(display);
    case 'list':
      return counted(number('files'), 'file', more);
    case 'files':
      return counted(number('count'), 'file', more);
    case 'matches': {
      const files = number('files') ?? 0;
      const matches = number('matches');
      const where = matches === 0 ? '' : ` in ${counted(files, 'file', '')}`;
      return matches === undefined ? '' : `${counted(matches, 'match', more)}${where}`;
    }
    case 'command':
      return commandNote(display);
    case 'background':
      return display['running'] === true ? 'in the background' : commandNote(display);
    case 'tests':
      return number('failed') === undefined
        ? commandNote(display)
        : `${number('failed')} failed, ${number('passed') ?? 0} passed`;
    case 'task':
      return taskNote(display);
    case 'background_list':
      return `${number('running') ?? 0} of ${number('count') ?? 0} running`;
    case 'answer':
      return answerNote(display);
    case 'todo':
      return `${number('done') ?? 0} of ${number('total') ?? 0} done`;
    case 'page_read':
      return counted(number('characters'), 'character', '');
    case 'edit':
      return editNote(display);
    case 'patch':
      return patchNote(display);
    case 'cell':
      return `cell ${number('cell') ?? 0}, ${counted(number('outputs'), 'output', '')}`;
    case 'problems':
      return problemsNote(display);
    case 'places':
      return number('places') === 0 ? 'nothing' : placesNote(display);
    case 'symbols':
      return counted(number('count'), 'symbol', more);
    case 'actions':
      return counted(number('count'), 'action', '');
    case 'git':
      return counted(number('lines'), 'line', display['cut'] === true ? '+' : '');
    default:
      return typeof display['note'] === 'string' ? display['note'].slice(0, 120) : '';
  }
}

function editNote(display: JsonObject): string {
  const left = numberIn(display, 'left');
  return [
    ...(display['changedByPerson'] === true ? ['with your changes'] : []),
    ...(display['merged'] === true ? ['merged with newer text'] : []),
    ...(left === undefined || left === 0 ? [] : [`${counted(left, 'edit', '')} left out`]),
  ].join(', ');
}

function patchNote(display: JsonObject): string {
  const files = Array.isArray(display['files']) ? (display['files'] as readonly Json[]) : [];
  const sum = (key: string): number =>
    files.reduce<number>(
      (total, file) =>
        total +
        (typeof file === 'object' && file !== null && !Array.isArray(file)
          ? (numberIn(file as JsonObject, key) ?? 0)
          : 0),
      0,
    );
  const left = numberIn(display, 'left') ?? 0;
  const lines = `${counted(files.length, 'file', '')}, +${sum('added')} −${sum('removed')}`;
  return left === 0 ? lines : `${lines}, ${left} left out`;
}

function problemsNote(display: JsonObject): string {
  const kinds = [
    ['errors', 'error'],
    ['warnings', 'warning'],
    ['others', 'note'],
  ] as const;
  const counts = kinds.flatMap(([key, word]) => {
    const count = numberIn(display, key) ?? 0;
    return count === 0 ? [] : [counted(count, word, '')];
  });
  return counts.length === 0 ? 'no problems' : counts.join(', ');
}

function placesNote(display: JsonObject): string {
  if (display['what'] === 'hover') return '';
  const files = numberIn(display, 'files') ?? 0;
  const where = files > 1 ? ` in ${counted(files, 'file', '')}` : '';
  return `${counted(numberIn(display, 'places'), 'place', '')}${where}`;
}

function readNote({ files }: JsonObject): string {
  if (!Array.isArray(files)) return '';
  const [first] = files as readonly Json[];
  if (files.length !== 1) return counted(files.length, 'file', '');
  if (typeof first !== 'object' || first === null || Array.isArray(first)) return '';
  const file = first as JsonObject;
  const [from, to, lines] = ['from', 'to', 'lines'].map((key) => numberIn(file, key));
  const { pages } = file;
  if (typeof pages === 'object' && pages !== null && !Array.isArray(pages)) {
    const total = numberIn(pages as JsonObject, 'total');
    return counted(total, 'page', '');
  }
  if (from === undefined || to === undefined) return '';
  if (from === 1 && to === lines) return counted(lines, 'line', '');
  return `lines ${from}–${to}${lines === undefined ? '' : ` of ${lines}`}`;
}

function answerNote({ answers }: JsonObject): string {
  if (!Array.isArray(answers)) return '';
  const [first] = answers as readonly Json[];
  if (answers.length > 1) return counted(answers.length, 'answer', '');
  if (typeof first !== 'object' || first === null || Array.isArray(first)) return '';
  const { answer } = first as JsonObject;
  return typeof answer === 'string' ? `“${answer.slice(0, 80)}”` : '';
}

function taskNote(display: JsonObject): string {
  const count = numberIn(display, 'count') ?? 0;
  if (typeof display['task'] !== 'string') return counted(count, 'task', '');
  if (display['running'] === true) return 'goes on';
  const problems = count === 0 ? '' : counted(count, 'problem', '');
  return [commandNote(display), problems].filter((note) => note !== '').join(', ');
}

function commandNote(display: JsonObject): string {
  if (display['timedOut'] === true) return 'timed out';
  if (typeof display['signal'] === 'string') return display['signal'];
  const code = numberIn(display, 'exitCode');
  return code === undefined || code === 0 ? '' : `exit code ${code}`;
}

function numberIn(object: JsonObject, key: string): number | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === 'number' ? value : undefined;
}

function counted(count: number | undefined, one: string, more: string): string {
  if (count === undefined) return '';
  const many = one.endsWith('ch') ? `${one}es` : `${one}s`;
  return `${count}${more} ${count === 1 && more === '' ? one : many}`;
}

function diffOf(display: JsonObject | undefined): DiffStat | null {
  if (display?.['kind'] !== 'edit') return null;
  const { path } = display;
  return {
    path: typeof path === 'string' ? path : '',
    added: numberIn(display, 'added') ?? 0,
    removed: numberIn(display, 'removed') ?? 0,
    creates: display['created'] === true,
  };
}

/** The stored diff of a finished edit, unified and without file headers. */
export function diffText(result: ToolResultPart): string | undefined {
  const diff = result.display?.['kind'] === 'edit' ? result.display['diff'] : undefined;
  return typeof diff === 'string' ? diff : undefined;
}
