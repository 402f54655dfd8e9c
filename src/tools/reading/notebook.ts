import { type Json, type JsonObject, isJsonObject } from '../../domain/data/json.ts';

/** Characters of the outputs of one cell that are shown. */
const MOST_OUTPUT = 2000;
/** Colours of a terminal. */
const ANSI = new RegExp(String.raw`\u001b\[[0-?]*[ -/]*[@-~]`, 'gu');

/** A notebook's cells (nbformat 4) from 1: kind, source, output; pictures by name. */
export function notebookText(json: string): string | undefined {
  const notebook = objectOf(parsed(json));
  const cells = notebook?.['cells'];
  if (notebook === undefined || !Array.isArray(cells)) return undefined;
  const language = languageOf(objectOf(notebook['metadata']));
  const shown = (cells as readonly Json[]).map((cell, index) =>
    cellText(objectOf(cell), index + 1),
  );
  return [`[${language}, ${cells.length} cells]`, ...shown].join('\n\n');
}

function languageOf(metadata: JsonObject | undefined): string {
  for (const key of ['language_info', 'kernelspec']) {
    const part = objectOf(metadata?.[key]);
    const name = part?.['name'] ?? part?.['language'];
    if (typeof name === 'string') return name;
  }
  return 'unknown language';
}

function cellText(cell: JsonObject | undefined, number: number): string {
  const kind = cell?.['cell_type'];
  const count = cell?.['execution_count'];
  const run = typeof count === 'number' ? `, run ${count}` : '';
  const id = typeof cell?.['id'] === 'string' ? `, id ${cell['id']}` : '';
  const head = `[cell ${number}: ${typeof kind === 'string' ? kind : 'unknown'}${run}${id}]`;
  const outputs = cell?.['outputs'];
  const printed = Array.isArray(outputs)
    ? (outputs as readonly Json[]).map((output) => outputText(objectOf(output))).join('\n')
    : '';
  const source = textOf(cell?.['source']).replace(/\n$/u, '');
  return printed === '' ? `${head}\n${source}` : `${head}\n${source}\n[output]\n${cut(printed)}`;
}

function outputText(output: JsonObject | undefined): string {
  if (output === undefined) return '';
  if (output['output_type'] === 'stream') return clean(textOf(output['text']));
  if (output['output_type'] === 'error') {
    const traceback = textOf(output['traceback'], '\n');
    const last = [output['ename'], output['evalue']].filter((part) => typeof part === 'string');
    return clean(traceback === '' ? last.join(': ') : traceback);
  }
  const data = objectOf(output['data']) ?? {};
  for (const type of ['text/plain', 'text/markdown', 'application/json', 'text/html']) {
    const value = data[type];
    if (value === undefined) continue;
    const pictures = Object.keys(data).filter((other) => other.startsWith('image/'));
    const named = pictures.map((picture) => `[${picture}]`).join(' ');
    const text = type === 'application/json' ? JSON.stringify(value) : textOf(value);
    return clean(named === '' ? text : `${named} ${text}`);
  }
  return Object.keys(data)
    .map((type) => `[${type}]`)
    .join(' ');
}

/** Texts are lists of lines, or one text. */
function textOf(value: Json | undefined, between = ''): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return (value as readonly Json[]).filter((line) => typeof line === 'string').join(between);
}

function clean(text: string): string {
  return text.replace(ANSI, '').replace(/\n$/u, '');
}

function cut(text: string): string {
  if (text.length <= MOST_OUTPUT) return text;
  const half = MOST_OUTPUT / 2;
  const left = text.length - MOST_OUTPUT;
  return `${text.slice(0, half)}\n[… ${left} more characters …]\n${text.slice(-half)}`;
}

function parsed(json: string): Json | undefined {
  try {
    return JSON.parse(json) as Json;
  } catch {
    return undefined;
  }
}

function objectOf(value: Json | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}
