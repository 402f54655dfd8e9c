import { makeVisible } from '../../domain/text/honest-text.ts';
import type { FileLink } from '../../domain/message.ts';
import type { JsonObject } from '../../domain/json.ts';
import * as naming from './tool-naming.ts';
import type { Naming } from './tool-naming.ts';

/** How a call is named on its card. */
export interface ToolTitle {
  /** Name of a codicon. */
  readonly icon: string;
  readonly title: string;
  readonly subject: string;
  readonly file: FileLink | null;
}

interface Face {
  readonly icon: string;
  readonly title: string;
  /** Keys of the input that say what the call is about; the first one present is shown. */
  readonly subject: readonly string[];
  /** The subject is a path. */
  readonly isFile?: boolean;
  /** An argument that says what the subject becomes. */
  readonly into?: string;
  /** Says more than one argument can. */
  readonly name?: (input: JsonObject) => Naming;
  /** An argument whose value names the call more closely, and the names. */
  readonly by?: { readonly key: string; readonly titles: Readonly<Record<string, string>> };
}

/** The tools whose names are known. Others are named after themselves. */
const FACES: Readonly<Record<string, Face>> = {
  read_file: { icon: 'file', title: 'Read', subject: ['files', 'path'], isFile: true },
  read_result: { icon: 'output', title: 'Read more of a long result', subject: [] },
  read_attachment: {
    icon: 'file-media',
    title: 'Read attachment',
    subject: ['name', 'file_id', 'id'],
  },
  list_files: { icon: 'list-tree', title: 'List', subject: ['path', 'directory'], isFile: true },
  find_files: {
    icon: 'file-directory',
    title: 'Find files',
    subject: ['pattern', 'glob', 'query'],
  },
  search_text: { icon: 'search', title: 'Search for', subject: ['pattern', 'query', 'text'] },
  edit_file: { icon: 'edit', title: 'Edit', subject: ['path'], isFile: true },
  apply_patch: {
    icon: 'diff-multiple',
    title: 'Patch',
    subject: [],
    name: naming.patched,
  },
  write_file: { icon: 'new-file', title: 'Write', subject: ['path'], isFile: true },
  manage_files: {
    icon: 'files',
    title: 'Change files',
    subject: ['operations'],
    name: naming.operated,
  },
  run_command: { icon: 'terminal', title: 'Run', subject: ['command'] },
  todo: { icon: 'checklist', title: 'Steps', subject: [], name: naming.planned },
  edit_notebook: { icon: 'notebook', title: 'Edit cells of', subject: ['path'], isFile: true },
  run_notebook_cell: { icon: 'notebook', title: 'Run cell of', subject: ['path'], isFile: true },
  diagnostics: { icon: 'warning', title: 'Check for problems', subject: ['paths'], isFile: true },
  inspect_symbol: {
    icon: 'symbol-method',
    title: 'Look up',
    subject: ['symbol'],
    by: {
      key: 'what',
      titles: {
        definition: 'Definition of',
        type_definition: 'Type of',
        implementations: 'Implementations of',
        references: 'References to',
        hover: 'Documentation of',
        callers: 'Callers of',
        callees: 'Calls in',
      },
    },
  },
  find_symbol: { icon: 'symbol-class', title: 'Find symbol', subject: ['query', 'path'] },
  rename_symbol: {
    icon: 'rename',
    title: 'Rename',
    subject: ['symbol'],
    into: 'new_name',
  },
  list_code_actions: {
    icon: 'lightbulb',
    title: 'List code actions',
    subject: ['path'],
    isFile: true,
  },
  apply_code_action: { icon: 'lightbulb-autofix', title: 'Apply', subject: ['title'] },
  background_command: {
    icon: 'terminal',
    title: 'Background command',
    subject: ['id'],
    by: {
      key: 'action',
      titles: {
        read: 'Read the output of',
        write: 'Write to',
        stop: 'Stop',
        list: 'List what runs in the background',
      },
    },
  },
  run_tests: { icon: 'beaker', title: 'Run tests', subject: ['files', 'name'] },
  run_task: { icon: 'tools', title: 'Run task', subject: ['task'], name: naming.tasked },
  git: { icon: 'git-commit', title: 'git', subject: ['action'], name: naming.inspected },
  ask_human: {
    icon: 'comment-discussion',
    title: 'Ask',
    subject: ['question'],
    name: naming.asked,
  },
  use_tool: { icon: 'tools', title: 'Look up the tool', subject: ['tool'] },
  agent: { icon: 'organization', title: 'Delegate', subject: ['title', 'task', 'prompt'] },
  fetch_url: { icon: 'globe', title: 'Read the page', subject: ['url'] },
  web_search: { icon: 'globe', title: 'Search the web for', subject: ['query'] },
  remember: { icon: 'bookmark', title: 'Remember', subject: ['text', 'note', 'fact'] },
  recall: { icon: 'bookmark', title: 'Recall', subject: ['query'] },
  forget: { icon: 'bookmark', title: 'Forget', subject: ['id', 'query'] },
  schedule_followup: { icon: 'watch', title: 'Follow up', subject: ['prompt', 'text'] },
};

/** A call of another tool through `use_tool`: its name, as soon as its own arguments begin. */
const THROUGH = /^\s*\{\s*"tool"\s*:\s*"([^"\\]*)"\s*,\s*"input"\s*:/u;

/** Whether a tool has a face of its own; others are named after themselves. */
export const hasFace = (name: string): boolean => Object.hasOwn(FACES, name);

/** The icons that cards can show, of tools with a face. */
export const faceIcons = (): readonly string[] => [
  ...Object.values(FACES).map(({ icon }) => icon),
  ...naming.NAMING_ICONS,
];

/** The longest subject that is sent to the panel, in characters. */
const SUBJECT_LIMIT = 300;

/** Names a call for people: "Read src/a.ts", "Run npm test", "github: create issue". */
export function titleOf(name: string, input: JsonObject): ToolTitle {
  const face = Object.hasOwn(FACES, name) ? FACES[name] : undefined;
  if (face === undefined) {
    const subject = firstText(Object.values(input));
    return { ...stranger(name), subject: subjectOf(subject), file: null };
  }
  const found = face.subject
    .map((key) => (Object.hasOwn(input, key) ? input[key] : undefined))
    .find((value) => value !== undefined);
  const into = textIn(input, face.into);
  const subject = [firstText([found]), ...(into === undefined ? [] : [into])].join(' → ');
  const by = textIn(input, face.by?.key);
  const titles = face.by?.titles ?? {};
  const title = (by !== undefined && Object.hasOwn(titles, by) && titles[by]) || face.title;
  const file = face.isFile === true ? fileOf(found, input) : null;
  const named = face.name?.(input) ?? {};
  return {
    icon: named.icon ?? face.icon,
    title: named.title ?? title,
    subject: subjectOf(named.subject ?? subject),
    file,
  };
}

/**
 * The same from arguments that are still being written. `raw` is the beginning of a JSON text;
 * a subject is shown once its string is closed.
 */
export function titleOfPartial(name: string, raw: string): ToolTitle {
  const through = name === 'use_tool' ? THROUGH.exec(raw) : null;
  if (through?.[1] !== undefined) return titleOfPartial(through[1], raw.slice(through[0].length));
  const face = Object.hasOwn(FACES, name) ? FACES[name] : undefined;
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

function textIn(input: JsonObject, key: string | undefined): string | undefined {
  const value = key !== undefined && Object.hasOwn(input, key) ? input[key] : undefined;
  return typeof value === 'string' ? value : undefined;
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

/** What a call is about, as a line of its card. */
export function subjectOf(text: string): string {
  const flat = text
    .slice(0, SUBJECT_LIMIT * 4)
    .replaceAll(/[\t\n\r ]+/gu, ' ')
    .trim();
  const short = flat.length > SUBJECT_LIMIT ? `${flat.slice(0, SUBJECT_LIMIT)}…` : flat;
  return makeVisible(short);
}
