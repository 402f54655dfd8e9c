import { makeVisible } from '../../domain/text/honest-text.ts';
import type { FileLink } from '../../domain/message.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import type { Face } from '../../tools/face/face.ts';
import { FACES } from '../../tools/faces.ts';

/** How a call is named on its card. */
export interface ToolTitle {
  /** Name of a codicon. */
  readonly icon: string;
  readonly title: string;
  readonly subject: string;
  readonly file: FileLink | null;
}

const FACE_OF: ReadonlyMap<string, Face> = new Map(FACES.map((face) => [face.name, face]));

/** The face of a built-in tool; others are named after themselves. */
export const faceOf = (tool: string): Face | undefined => FACE_OF.get(tool);

/** A call of another tool through `use_tool`: its name, as soon as its own arguments begin. */
const THROUGH = /^\s*\{\s*"tool"\s*:\s*"([^"\\]*)"\s*,\s*"input"\s*:/u;

/** The longest subject that is sent to the panel, in characters. */
const SUBJECT_LIMIT = 300;

/** Names a call for people: "Read src/a.ts", "Run npm test", "github: create issue". */
export function titleOf(name: string, input: JsonObject): ToolTitle {
  const face = faceOf(name);
  if (face === undefined) {
    const subject = firstText(Object.values(input));
    return { ...stranger(name), subject: subjectOf(subject), file: null };
  }
  const found = face.subject
    .map((key) => (Object.hasOwn(input, key) ? input[key] : undefined))
    .find((value) => value !== undefined);
  const { icon = face.icon, title = face.title, subject } = face.words?.(input) ?? {};
  return {
    icon,
    title,
    subject: subjectOf(subject ?? firstText([found])),
    file: face.isFile === true ? fileOf(found, input) : null,
  };
}

/**
 * The same from arguments that are still being written. `raw` is the beginning of a JSON text;
 * a subject is shown once its string is closed.
 */
export function titleOfPartial(name: string, raw: string): ToolTitle {
  const through = name === 'use_tool' ? THROUGH.exec(raw) : null;
  if (through?.[1] !== undefined) return titleOfPartial(through[1], raw.slice(through[0].length));
  const face = faceOf(name);
  if (face === undefined) return titleOf(name, {});
  for (const key of face.subject) {
    const at = raw.indexOf(`"${key}"`);
    if (at === -1) continue;
    const rest = raw.slice(at + key.length + 2);
    const value = /^\s*:\s*(?:\[\s*\{\s*"path"\s*:\s*)?("(?:[^"\\]|\\.)*")/u.exec(rest)?.[1];
    if (value === undefined) continue;
    try {
      return titleOf(name, { [key]: JSON.parse(value) as string });
    } catch {
      // Not a JSON string after all: the name alone is shown until the input is complete.
    }
  }
  return titleOf(name, {});
}

/** A tool of an MCP server or of an extension ("mcp__github__create_issue", "github.create_issue") or one we do not know. */
function stranger(name: string): { icon: string; title: string } {
  const icon = name.startsWith('ext__') ? 'extensions' : 'plug';
  const parts = name.replace(/^(?:mcp|ext)(__|[._:/-])/u, '').split(/__|[.:/]/u);
  const words = (text: string): string => makeVisible(text.replaceAll(/[_\s-]+/gu, ' ').trim());
  const [server, ...tool] = parts;
  if (server !== undefined && tool.length > 0) {
    return { icon, title: `${words(server)}: ${words(tool.join(' '))}` };
  }
  const plain = words(name);
  return { icon: 'tools', title: plain.charAt(0).toUpperCase() + plain.slice(1) };
}

function firstText(values: readonly unknown[]): string {
  for (const value of values) {
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (Array.isArray(value) && value.length > 0) {
      const names = value.map((item: unknown) => pathIn(item)).filter((item) => item !== '');
      if (names.length > 0) return names.join(', ');
    }
  }
  return '';
}

function pathIn(item: unknown): string {
  if (typeof item === 'string') return item;
  if (
    typeof item === 'object' &&
    item !== null &&
    'path' in item &&
    typeof item.path === 'string'
  ) {
    return item.path;
  }
  return '';
}

/** The one file that a call is about; several have no link of their own. */
function fileOf(found: unknown, input: JsonObject): FileLink | null {
  const item: unknown = Array.isArray(found) && found.length === 1 ? found[0] : found;
  const path = Array.isArray(item) ? '' : pathIn(item);
  if (path === '') return null;
  const from = typeof item === 'object' && item !== null ? (item as JsonObject) : input;
  const line = Object.hasOwn(from, 'start_line') ? from['start_line'] : undefined;
  return typeof line === 'number' && line > 0 ? { path, line: Math.floor(line) } : { path };
}

/** The subject of a call, as a line of its card. */
export function subjectOf(text: string): string {
  const flat = text
    .slice(0, SUBJECT_LIMIT * 4)
    .replaceAll(/[\t\n\r ]+/gu, ' ')
    .trim();
  const short = flat.length > SUBJECT_LIMIT ? `${flat.slice(0, SUBJECT_LIMIT)}…` : flat;
  return makeVisible(short);
}
