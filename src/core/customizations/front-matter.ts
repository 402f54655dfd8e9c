/** The value of a field: a text, or a list of texts. */
export type FieldValue = string | readonly string[];

export interface Field {
  readonly value: FieldValue;
  /** 1-based, in the file. */
  readonly line: number;
}

/** A line of a file that has no effect, or not the one that its writer may expect. */
export interface FileProblem {
  /** 1-based; `null`: the file as a whole. */
  readonly line: number | null;
  readonly kind:
    | 'no_end'
    | 'not_understood'
    | 'ignored'
    | 'bad_value'
    | 'unknown_tool'
    | 'no_description'
    | 'not_run'
    | 'narrows_only'
    | 'no_model';
  /** The name of the field, or the value that is meant. */
  readonly about: string;
}

export interface FrontMatter {
  readonly fields: ReadonlyMap<string, Field>;
  readonly body: string;
  readonly problems: readonly FileProblem[];
}

/** Lines of a head that are looked at. */
const MOST_LINES = 300;
/** Characters of a list in brackets. */
const LONGEST_LIST = 4000;
const KEY = /^(?<key>[A-Za-z][\w.-]*)\s*:(?:\s+(?<rest>.*))?$/su;
const ITEM = /^\s*-\s+(?<item>.+)$/su;

/**
 * Reads the head of a markdown file between two lines `---`: the part of YAML that such heads are written in (texts,
 * quoted or not, over several lines or as a block, and lists of texts). Anything else is named as a problem, and has
 * no effect. No anchor, tag or number is known, so nothing grows and nothing is run.
 */
export function readFrontMatter(text: string): FrontMatter {
  const lines = text.split('\n');
  if (lines[0]?.trimEnd() !== '---') return { fields: new Map(), body: text.trim(), problems: [] };
  const end = lines.findIndex(
    (line, index) => index > 0 && index <= MOST_LINES && /^(?:---|\.\.\.)\s*$/u.test(line),
  );
  if (end < 0)
    return {
      fields: new Map(),
      body: lines.slice(1).join('\n').trim(),
      problems: [{ line: 1, kind: 'no_end', about: '---' }],
    };
  const body = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  return { ...readFields(lines.slice(0, end)), body };
}

function readFields(lines: readonly string[]): Omit<FrontMatter, 'body'> {
  const fields = new Map<string, Field>();
  const problems: FileProblem[] = [];
  for (let at = 1; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const { key, rest = '' } = KEY.exec(line.trimEnd())?.groups ?? {};
    if (key === undefined) {
      problems.push({ line: at + 1, kind: 'not_understood', about: line.trim().slice(0, 60) });
      continue;
    }
    const below = linesBelow(lines, at);
    const value = valueOf(rest.trim(), below);
    if (value === undefined) problems.push({ line: at + 1, kind: 'not_understood', about: key });
    else if (fields.has(key)) problems.push({ line: at + 1, kind: 'ignored', about: key });
    else fields.set(key, { value, line: at + 1 });
    at += below.length;
  }
  return { fields, problems };
}

/** The lines that belong to a key: indented ones, blank ones between them, and items of a list. */
function linesBelow(lines: readonly string[], at: number): readonly string[] {
  let end = at + 1;
  while (end < lines.length && /^(?:\s|-\s|\]|$)/u.test(lines[end] ?? '')) end += 1;
  while (end > at + 1 && (lines[end - 1] ?? '').trim() === '') end -= 1;
  return lines.slice(at + 1, end);
}

function valueOf(rest: string, below: readonly string[]): FieldValue | undefined {
  if (/^[|>][-+]?$/u.test(rest)) return block(below, rest.startsWith('>'));
  const first = withoutComment(rest);
  const said = below.filter((line) => !/^\s*(?:#|$)/u.test(line));
  if (first.startsWith('['))
    return inlineList([first, ...said.map((line) => withoutComment(line.trim()))].join(' '));
  if (first === '' && said.length > 0) {
    const items = said.map((line) => ITEM.exec(line)?.groups?.['item']);
    // A map, or a list of maps.
    if (items.some((item) => item === undefined || /^[\w-]+:\s/u.test(item))) return undefined;
    return items.map((item) => scalar(withoutComment(item?.trim() ?? '')));
  }
  return scalar([first, ...said.map((line) => line.trim())].join(' '));
}

function block(lines: readonly string[], folded: boolean): string {
  const indent = Math.min(
    ...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/u)),
  );
  const text = lines.map((line) => line.slice(indent));
  return (folded ? text.join('\n').replaceAll(/(?<!\n)\n(?!\n)/gu, ' ') : text.join('\n')).trim();
}

function inlineList(text: string): readonly string[] | undefined {
  const inner = /^\[(?<inner>.*)\]$/u.exec(text.trim())?.groups?.['inner'];
  if (inner === undefined || inner.length > LONGEST_LIST) return undefined;
  const items = inner.matchAll(/\s*(?<item>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,]*?)\s*(?:,|$)/gu);
  return [...items]
    .map(({ groups }) => scalar(groups?.['item'] ?? ''))
    .filter((item) => item !== '');
}

/** A comment begins behind a blank; in quotes there is none. */
function withoutComment(text: string): string {
  if (/^["']/u.test(text)) return text;
  const from = text.startsWith('#') ? 0 : text.search(/\s#/u);
  return from < 0 ? text : text.slice(0, from).trimEnd();
}

function scalar(text: string): string {
  const trimmed = text.trim();
  const double = /^"(?<inner>(?:[^"\\]|\\.)*)"(?:\s+#.*)?$/u.exec(trimmed)?.groups?.['inner'];
  if (double !== undefined)
    return double.replaceAll(/\\(?<one>.)/gu, (_, one: string) => (one === 'n' ? '\n' : one));
  const single = /^'(?<inner>(?:[^']|'')*)'(?:\s+#.*)?$/u.exec(trimmed)?.groups?.['inner'];
  return single === undefined ? trimmed : single.replaceAll("''", "'");
}

/** A field as one text; a list as the texts of it, with commas. */
export function textOf(head: FrontMatter, name: string): string {
  const value = head.fields.get(name)?.value ?? '';
  return typeof value === 'string' ? value.trim() : value.join(', ');
}

/** A field as a list: of a text, the parts between its commas. `undefined`: it is not there. */
export function listOf(head: FrontMatter, name: string): readonly string[] | undefined {
  const value = head.fields.get(name)?.value;
  if (value === undefined) return undefined;
  // Commas in braces belong to a pattern.
  const items = typeof value === 'string' ? value.split(/,(?![^{}]*\})/u) : value;
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** Problems for fields that are neither used nor known to be harmless. */
export function ignoredFields(head: FrontMatter, known: ReadonlySet<string>): FileProblem[] {
  return [...head.fields]
    .filter(([name]) => !known.has(name))
    .map(([name, { line }]) => ({ line, kind: 'ignored', about: name }));
}
