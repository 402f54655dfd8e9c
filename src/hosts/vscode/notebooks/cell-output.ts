import type * as vscode from 'vscode';
import type { CellOutput } from '../../../core/ports/editor/notebooks.ts';
import { LARGEST_PICTURE } from '../../../domain/models/largest-picture.ts';

/** Text forms, the best first. */
const TEXTS = [
  'application/vnd.code.notebook.stdout',
  'application/vnd.code.notebook.stderr',
  'text/plain',
  'text/markdown',
  'application/json',
  'text/html',
];
const ERROR = 'application/vnd.code.notebook.error';
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** One output in the form that says most to a model; an output comes in several. */
export function cellOutput({ items }: vscode.NotebookCellOutput): CellOutput {
  const error = items.find(({ mime }) => mime === ERROR);
  if (error !== undefined) return { kind: 'error', text: errorText(textOf(error)) };
  const image = items.find(({ mime, data }) => IMAGES.has(mime) && data.length <= LARGEST_PICTURE);
  if (image !== undefined) {
    const data = Buffer.from(image.data).toString('base64');
    return { kind: 'image', mediaType: image.mime, data };
  }
  const text = TEXTS.map((mime) => items.find((item) => item.mime === mime)).find(
    (item) => item !== undefined,
  );
  if (text !== undefined) return { kind: 'text', text: textOf(text) };
  return { kind: 'other', mediaType: items[0]?.mime ?? 'nothing' };
}

function textOf({ data }: vscode.NotebookCellOutputItem): string {
  return new TextDecoder().decode(data);
}

/** The stack says most; it begins with the message in most languages. */
function errorText(json: string): string {
  try {
    const { name, message, stack } = JSON.parse(json) as Readonly<Record<string, unknown>>;
    const said = [name, message].filter((part) => typeof part === 'string').join(': ');
    return typeof stack === 'string' && stack !== '' ? `${said}\n${stack}` : said;
  } catch {
    return json;
  }
}
