import { isJsonObject } from '../../domain/json.ts';
import type { JsonObject } from '../../domain/json.ts';
import { counted, numberIn, objectsIn, textIn } from './display-fields.ts';

/** The longest note that a tool says itself, in characters. */
const NOTE_LIMIT = 120;

/** A short fact for the card of a finished call: "12 matches in 3 files", "exit code 1". */
export function noteOf(display: JsonObject | undefined): string {
  const kind = display?.['kind'];
  if (display === undefined) return '';
  const note = typeof kind === 'string' && Object.hasOwn(NOTES, kind) ? NOTES[kind] : undefined;
  return note === undefined ? textIn(display, 'note').slice(0, NOTE_LIMIT) : note(display);
}

/** By the kind of `ToolDisplay`; kinds with a note of their own (`manage`) are not here. */
const NOTES: Readonly<Record<string, (display: JsonObject) => string>> = {
  read: readNote,
  list: (display) => counted(numberIn(display, 'files'), 'file', moreOf(display)),
  files: (display) => counted(numberIn(display, 'count'), 'file', moreOf(display)),
  matches: matchesNote,
  page: pageNote,
  command: commandNote,
  background: (display) =>
    display['running'] === true ? 'in the background' : commandNote(display) || 'ended',
  background_list: (display) =>
    `${numberIn(display, 'running') ?? 0} of ${numberIn(display, 'count') ?? 0} running`,
  tests: testsNote,
  task: taskNote,
  answer: answerNote,
  todo: (display) => `${numberIn(display, 'done') ?? 0} of ${numberIn(display, 'total') ?? 0} done`,
  page_read: pageReadNote,
  edit: editNote,
  patch: patchNote,
  cell: (display) =>
    `cell ${numberIn(display, 'cell') ?? 0}, ${counted(numberIn(display, 'outputs'), 'output')}`,
  problems: problemsNote,
  places: placesNote,
  symbols: (display) => counted(numberIn(display, 'count'), 'symbol', moreOf(display)),
  actions: (display) => counted(numberIn(display, 'count'), 'action'),
  git: (display) => counted(numberIn(display, 'lines'), 'line', display['cut'] === true ? '+' : ''),
};

const moreOf = (display: JsonObject): string => (display['complete'] === false ? '+' : '');

const joined = (...facts: readonly string[]): string =>
  facts.filter((fact) => fact !== '').join(', ');

function matchesNote(display: JsonObject): string {
  const matches = numberIn(display, 'matches');
  if (matches === undefined) return '';
  const where = matches === 0 ? '' : ` in ${counted(numberIn(display, 'files') ?? 0, 'file')}`;
  return `${counted(matches, 'match', moreOf(display))}${where}`;
}

function pageNote(display: JsonObject): string {
  const [offset, length, total] = ['offset', 'length', 'total'].map((key) =>
    numberIn(display, key),
  );
  if (offset === undefined || length === undefined || total === undefined) return '';
  const whole = counted(total, 'character');
  return `${offset.toLocaleString('en')}–${(offset + length).toLocaleString('en')} of ${whole}`;
}

function commandNote(display: JsonObject): string {
  if (display['timedOut'] === true) return 'timed out';
  const signal = textIn(display, 'signal');
  if (signal !== '') return signal;
  const code = numberIn(display, 'exitCode');
  return code === undefined || code === 0 ? '' : `exit code ${code}`;
}

function testsNote(display: JsonObject): string {
  const [failed, passed, skipped] = ['failed', 'passed', 'skipped'].map((key) =>
    numberIn(display, key),
  );
  const ended = display['timedOut'] === true || failed === undefined ? commandNote(display) : '';
  return joined(
    ended,
    ...(failed === undefined || failed === 0 ? [] : [`${failed} failed`]),
    ...(passed === undefined ? [] : [`${passed} passed`]),
    ...(skipped === undefined || skipped === 0 ? [] : [`${skipped} skipped`]),
  );
}

function taskNote(display: JsonObject): string {
  const count = numberIn(display, 'count') ?? 0;
  if (textIn(display, 'task') === '') return counted(count, 'task');
  if (display['running'] === true) return 'goes on';
  return joined(commandNote(display), count === 0 ? '' : counted(count, 'problem'));
}

function answerNote(display: JsonObject): string {
  const answers = objectsIn(display, 'answers');
  const [first] = answers;
  if (answers.length > 1) return counted(answers.length, 'answer');
  const answer = first === undefined ? '' : textIn(first, 'answer');
  return answer === '' ? '' : `“${answer.slice(0, 80)}”`;
}

/** The kind of answer is only told where it is not the usual one. */
function pageReadNote(display: JsonObject): string {
  const status = numberIn(display, 'status') ?? 200;
  const odd = status >= 200 && status < 300 ? '' : `status ${status}`;
  return joined(odd, counted(numberIn(display, 'characters'), 'character'));
}

function editNote(display: JsonObject): string {
  const left = numberIn(display, 'left') ?? 0;
  return joined(
    proposedNote(display),
    display['changedByPerson'] === true ? 'with your changes' : '',
    display['merged'] === true ? 'merged with newer text' : '',
    left === 0 ? '' : `${counted(left, 'edit')} left out`,
  );
}

const proposedNote = (display: JsonObject): string =>
  display['proposed'] === true ? 'proposed' : '';

/** The lines are counted beside it. */
function patchNote(display: JsonObject): string {
  const left = numberIn(display, 'left') ?? 0;
  return joined(
    proposedNote(display),
    counted(objectsIn(display, 'files').length, 'file'),
    left === 0 ? '' : `${left} left out`,
  );
}

function problemsNote(display: JsonObject): string {
  const count = (key: string, word: string): string => {
    const number = numberIn(display, key) ?? 0;
    return number === 0 ? '' : counted(number, word);
  };
  const counts = [count('errors', 'error'), count('warnings', 'warning'), count('others', 'note')];
  return joined(...counts) || 'no problems';
}

function placesNote(display: JsonObject): string {
  if (numberIn(display, 'places') === 0) return 'nothing';
  if (display['what'] === 'hover') return '';
  const files = numberIn(display, 'files') ?? 0;
  const where = files > 1 ? ` in ${counted(files, 'file')}` : '';
  return `${counted(numberIn(display, 'places'), 'place')}${where}`;
}

function readNote(display: JsonObject): string {
  const files = objectsIn(display, 'files');
  const [first] = files;
  if (files.length === 1 && first !== undefined) return rangeNote(first);
  const failed = files.filter((file) => textIn(file, 'problem') !== '').length;
  return files.length === 0
    ? ''
    : joined(counted(files.length, 'file'), failed === 0 ? '' : `${failed} not read`);
}

/** What of a file was read: "lines 1–60 of 412", "9 lines", "12 pages". */
export function rangeNote(file: JsonObject): string {
  const { pages } = file;
  if (isJsonObject(pages)) {
    return pagesNote(pages);
  }
  const [from, to, lines] = ['from', 'to', 'lines'].map((key) => numberIn(file, key));
  if (from === undefined || to === undefined) return '';
  if (from === 1 && to === lines) return counted(lines, 'line');
  return `lines ${from}–${to}${lines === undefined ? '' : ` of ${lines}`}`;
}

function pagesNote(pages: JsonObject): string {
  const [from, to, total] = ['from', 'to', 'total'].map((key) => numberIn(pages, key));
  const whole = from === undefined || to === undefined || (from === 1 && to === total);
  return whole ? counted(total, 'page') : `pages ${from}–${to} of ${total ?? '?'}`;
}
