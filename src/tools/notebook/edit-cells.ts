import { joined, told, type Told } from '../../domain/text/told.ts';
import { type Node, parseTree } from 'jsonc-parser';
import { type Json, type JsonObject, isJsonObject } from '../../domain/data/json.ts';
import { applyReplacements } from '../../core/merge/replacement.ts';

export type CellType = 'code' | 'markdown' | 'raw';

/** Numbers are those of the notebook as it was before all edits, from 1. */
export interface CellEdit {
  readonly action: 'replace' | 'insert' | 'delete';
  /** Of `insert`: behind which cell; 0: at the start. */
  readonly cell: number;
  readonly type?: CellType | undefined;
  readonly source?: string | undefined;
}

export interface EditedNotebook {
  readonly text: string;
  readonly problems: readonly Told[];
}

/**
 * Edits a notebook's JSON (nbformat 4): all else keeps every byte; a changed cell its id and
 * outputs.
 * @returns `undefined` when it is not such a notebook
 */
export function editCells(text: string, edits: readonly CellEdit[]): EditedNotebook | undefined {
  const notebook = notebookOf(text);
  if (notebook === undefined) return undefined;
  const { list, cells, style } = notebook;
  const problems: Told[] = [];
  const pieces: (string | undefined)[] = cells.map(({ from, to }) => text.slice(from, to));
  const inserted = new Map<number, string[]>();
  const touched = new Set<number>();
  for (const [index, edit] of edits.entries()) {
    const label =
      edits.length === 1
        ? told`The edit`
        : told`Edit ${String(index + 1)} of ${String(edits.length)}`;
    const piece = pieces[edit.cell - 1];
    const problem = problemOf(edit, cells.length, touched) ?? sourceProblem(edit, piece);
    if (problem !== undefined) {
      problems.push(joined([label, problem], ' '));
    } else if (edit.action === 'insert') {
      const more = inserted.get(edit.cell) ?? [];
      const made = newCell(edit, notebook.nextId(), style);
      inserted.set(edit.cell, [...more, made]);
    } else {
      touched.add(edit.cell);
      pieces[edit.cell - 1] =
        edit.action === 'delete' ? undefined : changedCell(piece ?? '', edit, style);
    }
  }
  const isSame = inserted.size === 0 && !pieces.includes(undefined);
  if (isSame) {
    const replacements = cells.map((span, index) => ({ ...span, text: pieces[index] ?? '' }));
    return { text: applyReplacements(text, replacements), problems };
  }
  const all = [
    ...(inserted.get(0) ?? []),
    ...pieces.flatMap((piece, index) => [
      ...(piece === undefined ? [] : [piece]),
      ...(inserted.get(index + 1) ?? []),
    ]),
  ];
  return { text: withList(text, list, cells, all, style), problems };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

interface Style {
  /** Of one level; empty: all in one line. */
  readonly indent: string;
  readonly lineEnd: string;
  /** Characters that are not ASCII are escaped. */
  readonly ascii: boolean;
  /** Sources are lists of lines, as nbformat writes them. */
  readonly lines: boolean;
}

interface Notebook {
  readonly list: Span;
  readonly cells: readonly Span[];
  readonly style: Style;
  /** For a new cell; `undefined`: this version has no ids. */
  readonly nextId: () => string | undefined;
}

function notebookOf(text: string): Notebook | undefined {
  const parsed = parsedObject(text);
  if (parsed?.['nbformat'] !== 4 || !Array.isArray(parsed['cells'])) return undefined;
  const list = placeOf(text, 'cells');
  if (list === undefined) return undefined;
  const found = parsed['cells'] as readonly Json[];
  const sources = found.map((cell) => (cell as JsonObject | null)?.['source']);
  const ids = new Set(found.map((cell) => (cell as JsonObject | null)?.['id']));
  const hasIds = typeof parsed['nbformat_minor'] === 'number' && parsed['nbformat_minor'] >= 5;
  let number = 0;
  const nextId = (): string | undefined => {
    if (!hasIds) return undefined;
    do number += 1;
    while (ids.has(`belay-${number}`));
    return `belay-${number}`;
  };
  const style = {
    indent: /^\s*\{\r?\n([ \t]+)"/u.exec(text)?.[1] ?? '',
    lineEnd: /\{\r\n/u.test(text) ? '\r\n' : '\n',
    ascii: !/[^\0-\u007f]/u.test(text) && /\\u(?:00[89a-f]|0[1-9a-f]|[1-9a-f])/iu.test(text),
    lines: !sources.some((source) => typeof source === 'string'),
  };
  return { list: spanOf(list), cells: (list.children ?? []).map(spanOf), style, nextId };
}

function problemOf(
  { action, cell, type, source }: CellEdit,
  count: number,
  touched: ReadonlySet<number>,
): Told | undefined {
  if (cell > count || (cell === 0 && action !== 'insert'))
    return told`names cell ${String(cell)}, but there are ${String(count)} cells, numbered from 1.`;
  if (touched.has(cell) && action !== 'insert')
    return told`is the second one for cell ${String(cell)}; put both into one.`;
  if (action === 'replace' && source === undefined && type === undefined)
    return told`needs a source or a type.`;
  if (action === 'insert' && source === undefined) return told`needs a source.`;
  return undefined;
}

function sourceProblem(edit: CellEdit, piece: string | undefined): Told | undefined {
  if (edit.action !== 'replace' || piece === undefined) return undefined;
  const cell = parsedObject(piece);
  const same =
    (edit.source === undefined || edit.source === sourceOf(cell)) &&
    (edit.type === undefined || edit.type === cell?.['cell_type']);
  return same ? told`would change nothing in cell ${String(edit.cell)}.` : undefined;
}

/** The source of a cell, whichever way it is written. */
function sourceOf(cell: JsonObject | undefined): string {
  const source = cell?.['source'];
  if (typeof source === 'string') return source;
  return Array.isArray(source) ? source.join('') : '';
}

function changedCell(piece: string, { type, source }: CellEdit, style: Style): string {
  const cell = parsedObject(piece) ?? {};
  if (type !== undefined && type !== cell['cell_type']) {
    const { outputs: _, execution_count: __, ...rest } = cell;
    const changed = {
      ...rest,
      cell_type: type,
      ...(type === 'code' ? { execution_count: null, outputs: [] } : {}),
      source: source === undefined ? (cell['source'] ?? []) : written(source, style),
    };
    return formatted(changed, style, 2);
  }
  const place = placeOf(piece, 'source');
  const value = typeof cell['source'] === 'string' ? (source ?? '') : written(source ?? '', style);
  return place === undefined
    ? formatted({ ...cell, source: value }, style, 2)
    : applyReplacements(piece, [{ ...spanOf(place), text: formatted(value, style, 3) }]);
}

function newCell(
  { type = 'code', source = '' }: CellEdit,
  id: string | undefined,
  style: Style,
): string {
  const isCode = type === 'code';
  const cell: JsonObject = {
    cell_type: type,
    ...(isCode ? { execution_count: null } : {}),
    ...(id === undefined ? {} : { id }),
    metadata: {},
    ...(isCode ? { outputs: [] } : {}),
    source: written(source, style),
  };
  return formatted(cell, style, 2);
}

function written(source: string, { lines }: Style): Json {
  return lines ? (source.match(/[^\n]*\n|[^\n]+$/gu) ?? []) : source;
}

/** JSON as the file writes it, for a value that stands `level` levels deep. */
function formatted(value: Json, { indent, lineEnd, ascii }: Style, level: number): string {
  const json = JSON.stringify(value, null, indent).replaceAll(
    '\n',
    `${lineEnd}${indent.repeat(level)}`,
  );
  if (!ascii) return json;
  return json.replace(
    /[\u007f-\uffff]/gu,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The text with other cells, separated as the first ones were. */
function withList(
  text: string,
  list: Span,
  cells: readonly Span[],
  pieces: readonly string[],
  { indent, lineEnd }: Style,
): string {
  const [first, last] = [cells[0], cells.at(-1)];
  const between = (level: number): string =>
    indent === '' ? '' : `${lineEnd}${indent.repeat(level)}`;
  const lead = first === undefined ? between(2) : text.slice(list.from + 1, first.from);
  const tail = last === undefined ? between(1) : text.slice(last.to, list.to - 1);
  const inner = pieces.length === 0 ? '' : `${lead}${pieces.join(`,${lead}`)}${tail}`;
  return `${text.slice(0, list.from)}[${inner}]${text.slice(list.to)}`;
}

function parsedObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The place of a member's value; of a name that stands twice, the last, as `JSON.parse` reads it. */
function placeOf(text: string, name: string): Node | undefined {
  try {
    const members = parseTree(text)?.children ?? [];
    return members.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1];
  } catch {
    return undefined; // nested by the thousand, which no notebook is
  }
}

const spanOf = ({ offset, length }: Node): Span => ({ from: offset, to: offset + length });
