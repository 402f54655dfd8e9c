import { told } from '../../../src/domain/text/told.ts';
import { execFileSync } from 'node:child_process';
import { fault } from '../../../src/domain/failure.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import { NodeGit } from '../../../src/hosts/node/git/git.ts';
import type { Write } from '../../../src/core/ports/store/recorder.ts';
import type { Tasks } from '../../../src/core/ports/commands/tasks.ts';
import type { ToolParts } from '../../../src/tools/tool-parts.ts';
import { FakeNotebooks } from '../../support/fake-notebooks.ts';
import { languageKit } from '../../support/language-kit.ts';
import { untilAborted } from '../../unit/tool-call/rig.ts';
import { AGENT_SAMPLES } from './agent-samples.ts';
import { FOLLOWUP_SAMPLES } from './followup-samples.ts';
import { JOURNAL_SAMPLES } from './journal-samples.ts';
import { MEMORY_SAMPLES } from './memory-samples.ts';
import { SETTINGS_SAMPLES } from './settings-samples.ts';
import { WEB_SAMPLES } from './web-samples.ts';
import type { WorkspaceRig } from './workspace-rig.ts';

/**
 * What the contract suite needs to know of a tool: inputs, nothing else. A tool of the registry without a
 * row fails the suite.
 *
 * A new tool: add one row to `SAMPLES`, in the order of the names. `good`, `bad` and `changes` are enough
 * for most. Give `at` when the tool takes a path: then it is tried with strange names, loops of links,
 * files that may not be read and files that `.belayignore` names. What the suite derives by itself: every
 * argument missing, of each wrong type, null, huge and unknown; the signal before and in the middle; the
 * limit of results; no permission; no open folder; the size of its schema.
 * A tool that needs an optional port or a state of the workspace gets them with `parts` and `prepare`.
 */
export interface Sample {
  /** Works in the workspace below, after `prepare`. */
  readonly good: JsonObject;
  /** Each is refused by the check, with a sentence that names the argument; beside those the suite derives. */
  readonly bad: readonly (readonly [input: JsonObject, about: RegExp])[];
  /** `good` may change something: the tool has side effects. */
  readonly changes: boolean;
  /** Whether a person is asked; without it: when it changes something. */
  readonly asks?: boolean;
  /** Only a person may allow it: it is never run where nobody can be asked. */
  readonly attended?: true;
  /** Gives far more than the limit of results. */
  readonly huge?: JsonObject;
  /** Names something that is not there: "nowhere" or "nothing". */
  readonly missing?: JsonObject;
  /** Is still at work when the signal fires. */
  readonly slow?: JsonObject;
  /** Works without a folder being open. */
  readonly needsNoFolder?: JsonObject;
  /** Works on the path of a text file with the content `TEXT`, which was read before. */
  readonly at?: (path: string) => JsonObject;
  /** The path of `at` is one of a folder; the file lies in it. */
  readonly takesFolder?: true;
  /** Ports that only some hosts have. */
  readonly parts?: (folder: string, parts: ToolParts) => Partial<ToolParts>;
  /** What must be there for `good`: files, a repository, a running command. */
  readonly prepare?: (workspace: WorkspaceRig) => Promise<void>;
}

/** The content of the file that `at` is called with. */
export const TEXT = 'const needle = 1;\nexport { needle };\n';

const NOTEBOOK = '{"cells": [{"cell_type": "raw", "metadata": {}, "source": "a"}], "nbformat": 4}';

/** The workspace that the samples are about. */
export function sampleFiles(): Readonly<Record<string, string>> {
  const many = Array.from(
    { length: 30 },
    (_, index) => [`many/${'of-them-with-a-long-name-'.repeat(4)}${index}.txt`, 'x'] as const,
  );
  return {
    'a.ts': 'const a = 1;\nexport { a };\n',
    'src/b.ts': 'one\ntwo\nthree\nfour\n',
    'n.ipynb': NOTEBOOK,
    'huge.txt': Array.from({ length: 5000 }, (_, index) => `line ${index} of a huge file`).join(
      '\n',
    ),
    ...Object.fromEntries(many),
  };
}

/** In the order of the names, so that rows added at the same time do not meet. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  agent: AGENT_SAMPLES.agent,
  append_run_journal_entry: JOURNAL_SAMPLES.append_run_journal_entry,
  apply_code_action: {
    good: { path: 'imports.ts', title: 'Organize Imports' },
    bad: [[{ path: 'a.ts', title: '' }, /"title" needs at least 1/u]],
    changes: true,
    missing: { path: 'nowhere.ts', title: 'Organize Imports' },
    slow: { path: 'imports.ts', title: 'Organize Imports' },
    at: (path) => ({ path, line: 1, title: 'Number the needle' }),
    prepare: async (workspace) => {
      await workspace.write('imports.ts', "import { a } from './a.ts';\nexport const b = 1;\n");
    },
  },
  apply_patch: {
    good: {
      patch:
        '*** Begin Patch\n*** Update File: a.ts\n@@\n-const a = 1;\n+const a = 2;\n*** Add File: new/b.md\n+text\n*** End Patch',
    },
    bad: [
      [{ patch: 'change it, please' }, /"patch" changes no file/u],
      [
        { patch: '*** Begin Patch\n*** Update File: a.ts\n*** End Patch' },
        /has no hunk for a\.ts/u,
      ],
    ],
    changes: true,
    missing: {
      patch: '*** Begin Patch\n*** Update File: nowhere.ts\n-a\n+b\n*** End Patch',
    },
    slow: {
      patch: '*** Begin Patch\n*** Update File: a.ts\n-const a = 1;\n+const a = 2;\n*** End Patch',
    },
  },
  ask_human: {
    good: { question: 'Which one?', choices: ['a', 'b'] },
    bad: [[{ question: 'x', choices: { a: 1 } }, /choices/u]],
    changes: false,
    slow: { question: 'Which one?' },
    needsNoFolder: { question: 'Which one?' },
  },
  background_command: {
    good: { action: 'write', id: 'background-1', input: 'now' },
    bad: [
      [{ action: 'kill' }, /"action" must be one of/u],
      [{ action: 'read', id: 'x', wait: -1 }, /"wait" must be at least 0/u],
    ],
    changes: true,
    missing: { action: 'read', id: 'nowhere' },
    slow: { action: 'read', id: 'background-1', wait: 600 },
    needsNoFolder: { action: 'list' },
    prepare: async ({ background, folder, rig }) => {
      await background.start({
        sessionId: rig.session,
        runId: rig.run,
        callId: 'earlier',
        command: 'while read line; do echo "ready on $line"; done',
        cwd: '.',
        folder,
        signal: new AbortController().signal,
        onStarted: async () => undefined,
      });
    },
  },
  cancel_followup: FOLLOWUP_SAMPLES.cancel_followup,
  change_settings: SETTINGS_SAMPLES.change_settings,
  diagnostics: {
    good: { paths: ['a.ts'] },
    bad: [
      [{ severity: 'fatal' }, /severity/u],
      [{ paths: [''] }, /paths.*needs at least 1/u],
    ],
    changes: false,
    huge: {},
    missing: { paths: ['nowhere.ts'] },
    slow: { paths: ['a.ts'] },
    at: (path) => ({ paths: [path] }),
    parts: (folder) => ({ language: languageKit(folder) }),
  },
  edit_file: {
    good: { path: 'a.ts', edits: [{ old_string: 'const a = 1', new_string: 'const a = 2' }] },
    bad: [
      [{ path: 'a.ts', edits: [] }, /"edits" needs at least 1/u],
      [{ path: 'a.ts', edits: [{ old_string: 'x' }] }, /new_string" .* missing/u],
    ],
    changes: true,
    missing: { path: 'nowhere.ts', edits: [{ old_string: 'a', new_string: 'b' }] },
    slow: { path: 'a.ts', edits: [{ old_string: 'const a = 1', new_string: 'const a = 2' }] },
    at: (path) => ({ path, edits: [{ old_string: 'needle = 1', new_string: 'needle = 2' }] }),
  },
  edit_notebook: {
    good: { path: 'n.ipynb', edits: [{ action: 'replace', cell: 1, source: 'b' }] },
    bad: [
      [{ path: 'n.ipynb', edits: [] }, /"edits" needs at least 1/u],
      [{ path: 'n.ipynb', edits: [{ action: 'move', cell: 1 }] }, /action" must be one of/u],
      [{ path: 'n.ipynb', edits: [{ action: 'delete', cell: -1 }] }, /cell" must be at least 0/u],
    ],
    changes: true,
    missing: { path: 'nowhere.ipynb', edits: [{ action: 'delete', cell: 1 }] },
    slow: { path: 'n.ipynb', edits: [{ action: 'replace', cell: 1, source: 'b' }] },
    prepare: async (workspace) => {
      await workspace.call('read_file', { path: 'n.ipynb' });
    },
  },
  fetch_url: WEB_SAMPLES.fetch_url,
  find_files: {
    good: { pattern: '*.ts' },
    bad: [
      [{ pattern: '' }, /"pattern" needs at least 1/u],
      [{ pattern: 'a', limit: 1e9 }, /"limit" must be at most 1000/u],
    ],
    changes: false,
    huge: { pattern: 'many/*', limit: 1000 },
    missing: { pattern: 'a', path: 'nowhere' },
    slow: { pattern: 'a' },
    at: (path) => ({ pattern: '*', path }),
    takesFolder: true,
  },
  find_symbol: {
    good: { query: 'a' },
    bad: [[{ path: '' }, /"path" needs at least 1/u]],
    changes: false,
    huge: { query: 'a' },
    missing: { path: 'nowhere.ts' },
    at: (path) => ({ path }),
  },
  forget: MEMORY_SAMPLES.forget,
  get_run_journal: JOURNAL_SAMPLES.get_run_journal,
  git: {
    good: { action: 'status' },
    bad: [[{ action: 'push' }, /"action" must be one of/u]],
    changes: false,
    huge: { action: 'diff' },
    missing: { action: 'log', ref: 'nowhere' },
    parts: (folder) => ({ git: { git: new NodeGit(), roots: () => [folder] } }),
    prepare: async (workspace) => {
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
          cwd: workspace.folder,
          stdio: 'ignore',
        });
      git('init', '--initial-branch=main');
      git('add', '.');
      git('commit', '-m', 'first');
      await workspace.write('huge.txt', 'changed');
    },
  },
  inspect_symbol: {
    good: { path: 'a.ts', line: 1, symbol: 'a', what: 'references' },
    bad: [
      [{ path: 'a.ts', symbol: 'a', what: 'everything' }, /what/u],
      [{ path: 'a.ts', line: 0, symbol: 'a', what: 'hover' }, /"line" must be at least 1/u],
    ],
    changes: false,
    missing: { path: 'nowhere.ts', line: 1, symbol: 'a', what: 'hover' },
    slow: { path: 'a.ts', line: 1, symbol: 'a', what: 'references' },
    at: (path) => ({ path, line: 1, symbol: 'needle', what: 'definition' }),
  },
  list_code_actions: {
    good: { path: 'a.ts', line: 1 },
    bad: [[{ path: 'a.ts', line: 0 }, /"line" must be at least 1/u]],
    changes: false,
    missing: { path: 'nowhere.ts', line: 1 },
    slow: { path: 'a.ts', line: 1 },
    at: (path) => ({ path, line: 1 }),
  },
  list_files: {
    good: { path: 'src' },
    bad: [[{ depth: 0 }, /"depth" must be at least 1/u]],
    changes: false,
    huge: {},
    missing: { path: 'nowhere' },
    slow: {},
    at: (path) => ({ path }),
    takesFolder: true,
  },
  manage_files: {
    good: {
      operations: [
        { kind: 'rename', path: 'a.ts', to: 'moved/b.ts' },
        { kind: 'copy', path: 'src', to: 'moved/src' },
        { kind: 'create_folder', path: 'new/folder' },
        { kind: 'delete', path: 'huge.txt' },
      ],
    },
    bad: [
      [{ operations: [] }, /"operations" needs at least 1/u],
      [{ operations: [{ kind: 'rename', path: 'a.ts' }] }, /needs "to" for rename/u],
      [{ operations: [{ kind: 'delete', path: 'a', to: 'b' }] }, /has none for the others/u],
      [{ operations: [{ kind: 'shred', path: 'a' }] }, /kind" must be one of/u],
    ],
    changes: true,
    missing: { operations: [{ kind: 'delete', path: 'nowhere.ts' }] },
    slow: { operations: [{ kind: 'copy', path: 'many', to: 'more' }] },
    at: (path) => ({ operations: [{ kind: 'copy', path, to: `${path}.copy` }] }),
  },
  read_attachment: {
    good: { file_id: 'attached' },
    bad: [[{ file_id: '' }, /"file_id" needs at least 1/u]],
    changes: false,
    huge: { file_id: 'attached-huge' },
    missing: { file_id: 'nothing' },
    needsNoFolder: { file_id: 'attached' },
    prepare: async ({ rig }) => {
      const kept = (id: string, text: string): Write => ({
        kind: 'attachment',
        sessionId: rig.session,
        attachment: {
          id,
          name: 'notes.txt',
          mediaType: 'text/plain',
          size: text.length,
          data: Buffer.from(text).toString('base64'),
        },
      });
      await rig.store.recorder.commit([
        kept('attached', 'what was attached'),
        kept('attached-huge', 'a line of it\n'.repeat(50_000)),
      ]);
    },
  },
  read_file: {
    good: { files: [{ path: 'a.ts' }, { path: 'src/b.ts', start_line: 2, end_line: 3 }] },
    bad: [
      [{ files: [] }, /"files" needs at least 1/u],
      [{ files: [{ path: 'a.ts', start_line: 0 }] }, /start_line" must be at least 1/u],
      [{ files: [{ path: 'a.ts', lines: 5 }] }, /no argument "lines"/u],
      [{ files: [{ path: '' }] }, /path" needs at least 1/u],
    ],
    changes: false,
    huge: { files: [{ path: 'huge.txt' }] },
    missing: { files: [{ path: 'nowhere.ts' }] },
    slow: { files: Array.from({ length: 50 }, () => ({ path: 'huge.txt' })) },
    at: (path) => ({ files: [{ path }] }),
  },
  read_result: {
    good: { result_id: 'kept' },
    bad: [[{ result_id: 'kept', offset: -5 }, /"offset" must be at least 0/u]],
    changes: false,
    huge: { result_id: 'kept' },
    missing: { result_id: 'nothing' },
    needsNoFolder: { result_id: 'kept' },
  },
  read_skill: {
    good: { name: 'release' },
    bad: [[{ name: '' }, /"name" needs at least 1/u]],
    changes: false,
    missing: { name: 'nowhere' },
    needsNoFolder: { name: 'release' },
    parts: (_, { disk }) => ({
      disk: {
        ...disk,
        skills: {
          hasSkills: async () => Promise.resolve(true),
          readSkill: async (name) => {
            if (name === 'release') return Promise.resolve('Tag it.');
            throw fault('not_found', told`There is no skill ${name} here. Skills: release.`);
          },
        },
      },
    }),
  },
  recall: MEMORY_SAMPLES.recall,
  remember: MEMORY_SAMPLES.remember,
  rename_symbol: {
    good: { path: 'a.ts', line: 1, symbol: 'a', new_name: 'renamed' },
    bad: [[{ path: 'a.ts', symbol: 'a', new_name: '' }, /"new_name" needs at least 1/u]],
    changes: true,
    missing: { path: 'nowhere.ts', symbol: 'a', new_name: 'b' },
    slow: { path: 'a.ts', line: 1, symbol: 'a', new_name: 'renamed' },
    at: (path) => ({ path, line: 1, symbol: 'needle', new_name: 'pin' }),
  },
  run_command: {
    good: { command: 'echo hello' },
    bad: [
      [{ command: '' }, /"command" needs at least 1/u],
      [{ command: 'x', timeout: 0 }, /"timeout" must be more than 0/u],
    ],
    changes: true,
    huge: { command: 'seq 1 20000' },
    missing: { command: 'true', cwd: 'nowhere' },
    slow: { command: 'sleep 600' },
    at: (cwd) => ({ command: 'true', cwd }),
    takesFolder: true,
  },
  run_notebook_cell: {
    good: { path: 'a.ts', cell: 1 },
    bad: [[{ path: 'a.ts', cell: 0 }, /"cell" must be at least 1/u]],
    changes: true,
    missing: { path: 'nowhere.ipynb', cell: 1 },
    slow: { path: 'a.ts', cell: 1 },
    at: (path) => ({ path, cell: 1 }),
    parts: () => ({ notebooks: new FakeNotebooks() }),
  },
  run_task: {
    good: { task: 'build' },
    bad: [[{ task: '' }, /"task" needs at least 1/u]],
    changes: true,
    missing: { task: 'nowhere' },
    slow: { task: 'watch' },
    needsNoFolder: {},
    parts: (_folder, { commands }) => {
      const tasks: Tasks = {
        list: async () => [
          { id: 'build', source: 'npm', group: 'build', background: false, definition: 'b' },
          { id: 'watch', source: 'npm', background: false, definition: 'w' },
        ],
        run: async (id, signal) => {
          if (id === 'watch') await untilAborted(signal);
          return { exitCode: 0, running: false, problems: [] };
        },
      };
      return { commands: { ...commands, tasks } };
    },
  },
  run_tests: {
    good: {},
    bad: [[{ files: [] }, /"files" needs at least 1/u]],
    changes: true,
    huge: { name: 'huge' },
    missing: { files: ['nowhere.test.js'] },
    slow: { name: 'slow' },
    prepare: async (workspace) => {
      const lines = 'console.log("TAP version 13\\nok 1 - works");';
      await workspace.write(
        'tests.mjs',
        `${lines}if (process.argv.includes("huge")) console.log("x".repeat(100000));if (process.argv.includes("slow")) setInterval(() => {}, 1000);`,
      );
      await workspace.write(
        'package.json',
        JSON.stringify({ scripts: { test: `"${process.execPath}" tests.mjs --runner=mocha` } }),
      );
    },
  },
  schedule_followup: FOLLOWUP_SAMPLES.schedule_followup,
  search_text: {
    good: { pattern: 'const' },
    bad: [
      [{ pattern: 'a', include: { glob: 1 } }, /"include" must be an array|include/u],
      [{ pattern: 'a', context: -1 }, /"context" must be at least 0/u],
    ],
    changes: false,
    huge: { pattern: 'line', limit: 2000 },
    missing: { pattern: 'a', path: 'nowhere' },
    slow: { pattern: 'x' },
    at: (path) => ({ pattern: 'needle', path }),
  },
  todo: {
    good: { items: [{ text: 'Find the cause', status: 'active' }] },
    bad: [
      [{ items: [{ text: 'x', status: 'later' }] }, /status/u],
      [{ items: [{ text: '', status: 'open' }] }, /text/u],
    ],
    changes: false,
    needsNoFolder: { items: [] },
  },
  update_run_journal: JOURNAL_SAMPLES.update_run_journal,
  web_search: WEB_SAMPLES.web_search,
  write_agent: AGENT_SAMPLES.write_agent,
  write_file: {
    good: { path: 'new/file.ts', content: 'x\n' },
    bad: [[{ path: 'a', content: ['x'] }, /"content" must be a string/u]],
    changes: true,
    slow: { path: 'new/file.ts', content: 'x\n' },
    at: (path) => ({ path, content: 'all new\n' }),
  },
};
