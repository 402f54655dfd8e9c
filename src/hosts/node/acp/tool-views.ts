import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import path from 'node:path';
import { type JsonObject, isJsonObject } from '../../../domain/data/json.ts';
import type { ResultContent } from '../../../domain/message.ts';

/** Kinds of tools as clients have them; any other is `other`. */
const KINDS: Readonly<Record<string, ToolKind>> = {
  read_file: 'read',
  list_files: 'read',
  read_result: 'read',
  read_skill: 'read',
  diagnostics: 'read',
  find_files: 'search',
  search_text: 'search',
  find_symbol: 'search',
  inspect_symbol: 'search',
  edit_file: 'edit',
  write_file: 'edit',
  apply_patch: 'edit',
  edit_notebook: 'edit',
  rename_symbol: 'edit',
  manage_files: 'move',
  run_command: 'execute',
  run_tests: 'execute',
  run_task: 'execute',
  git: 'execute',
  background_command: 'execute',
  fetch_url: 'fetch',
  todo: 'think',
};

/** Characters of a result that a client is shown. */
const LONGEST = 20_000;
/** Arguments that say what a call is about, the first one present. */
const SUBJECTS = ['command', 'path', 'pattern', 'url', 'query', 'name'];

export const kindOf = (tool: string): ToolKind => KINDS[tool] ?? 'other';

/** The line for a call. */
export function titleOf(tool: string, input: JsonObject): string {
  const subject = SUBJECTS.map((key) => input[key]).find((value) => typeof value === 'string');
  const paths = filesOf(input);
  const about = typeof subject === 'string' ? subject : paths.join(', ');
  const line = about === '' ? tool : `${tool}: ${about}`;
  return line.replaceAll(/\s+/gu, ' ').slice(0, 200);
}

/** The files that a call names, absolute. */
export function locationsOf(root: string, input: JsonObject): ToolCallLocation[] {
  const own = typeof input['path'] === 'string' ? [input['path']] : [];
  return [...own, ...filesOf(input)].map((file) => ({ path: path.resolve(root, file) }));
}

function filesOf(input: JsonObject): readonly string[] {
  const { files } = input;
  if (!Array.isArray(files)) return [];
  return files.flatMap((file) =>
    isJsonObject(file) && typeof file['path'] === 'string' ? [file['path']] : [],
  );
}

/** The changes of an edit, as far as its arguments say them. */
export function diffsOf(root: string, tool: string, input: JsonObject): ToolCallContent[] {
  if (typeof input['path'] !== 'string') return [];
  const file = path.resolve(root, input['path']);
  if (tool === 'write_file' && typeof input['content'] === 'string')
    return [{ type: 'diff', path: file, newText: input['content'] }];
  const { edits } = input;
  if (tool !== 'edit_file' || !Array.isArray(edits)) return [];
  return edits.flatMap((edit): ToolCallContent[] => {
    if (!isJsonObject(edit)) return [];
    const { old_string: before, new_string: after } = edit;
    return typeof before === 'string' && typeof after === 'string'
      ? [{ type: 'diff', path: file, oldText: before, newText: after }]
      : [];
  });
}

/** A result as a client shows it. */
export function resultOf(content: readonly ResultContent[]): ToolCallContent[] {
  return content.map((part): ToolCallContent => {
    const text = part.type === 'text' ? part.text.slice(0, LONGEST) : `(${part.mediaType})`;
    return { type: 'content', content: { type: 'text', text } };
  });
}
