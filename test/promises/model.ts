import { call, calls, type Turn } from '../support/model-server/turn.ts';

/** The model replaces texts of a file, in pairs of old and new. */
export const edits = (path: string, ...pairs: readonly (readonly [string, string])[]): Turn =>
  calls(editing(path, ...pairs));

export const editing = (path: string, ...pairs: readonly (readonly [string, string])[]) =>
  call('edit_file', {
    path,
    edits: pairs.map(([old_string, new_string]) => ({ old_string, new_string })),
  });

export const reads = (...paths: readonly string[]): Turn =>
  calls(call('read_file', { files: paths.map((path) => ({ path })) }));

export const writing = (path: string, content: string) => call('write_file', { path, content });

export const running = (command: string) => call('run_command', { command });

export const runs = (command: string): Turn => calls(running(command));

/** The model creates, renames, copies or deletes files in one call. */
export const managing = (...operations: readonly Readonly<Record<string, string>>[]) =>
  call('use_tool', { tool: 'manage_files', input: { operations } });
