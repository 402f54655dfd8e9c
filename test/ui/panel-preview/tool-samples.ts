import { told, type Told } from '../../../src/domain/text/told.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { FileLink } from '../../../src/domain/message.ts';
import { OTHERS } from './other-samples.ts';

/** A call as it comes up in work, for pictures of its card. */
export interface ToolSample {
  readonly name: string;
  readonly input: JsonObject;
  /** The result of a call that went well, its card data, the files it names. */
  readonly text: string;
  readonly display?: JsonObject;
  readonly files?: readonly FileLink[];
  /** Milliseconds. */
  readonly took?: number;
  /** What a run of it tells before it ends. */
  readonly output?: string;
  readonly progress?: { readonly message: string; readonly fraction?: number };
  /** What is said when it fails. */
  /** As text where it is another program's. */
  readonly problem: string | Told;
  readonly failure?: JsonObject;
}

const NOT_THERE = told`${'src/prase.ts'} does not exist. ${told`Did you mean ${'src/parse.ts'}?`}`;

const DIFF =
  '@@ -39,4 +39,5 @@\n   const tokens: Token[] = [];\n-  for (;;) {\n-    tokens.push(nextToken(source));\n+  // stops at the end of the input\n+  for (let token = nextToken(source); token.kind !== "end"; ) {\n+    tokens.push(token);\n   }';

const edit = (path: string, more: JsonObject = {}): JsonObject => ({
  kind: 'edit',
  path,
  added: 3,
  removed: 2,
  created: false,
  changedByPerson: false,
  diff: DIFF,
  diffCut: false,
  ...more,
});

const FILES: readonly ToolSample[] = [
  {
    name: 'read_file',
    input: { files: [{ path: 'src/parser/parse-list.ts', start_line: 1, end_line: 60 }] },
    text: '1\texport function parseList() {\n2\t  return [];\n3\t}',
    display: {
      kind: 'read',
      files: [{ path: 'src/parser/parse-list.ts', from: 1, to: 60, lines: 412 }],
    },
    problem: NOT_THERE,
  },
  {
    name: 'read_file',
    input: { files: [{ path: 'docs/manual.pdf' }, { path: 'README.md' }, { path: 'notes.md' }] },
    text: '=== docs/manual.pdf\n…\n=== README.md\n…\n=== notes.md\nnotes.md does not exist.',
    display: {
      kind: 'read',
      files: [
        { path: 'docs/manual.pdf', pages: { from: 1, to: 12, total: 48 } },
        { path: 'README.md', from: 1, to: 90, lines: 90 },
        {
          path: 'notes.md',
          problem: told`${'notes.md'} does not exist. ${told`find_files looks for it by name.`}`,
        },
      ],
    },
    problem: 'None of the 3 files could be read.',
  },
  {
    name: 'list_files',
    input: { path: 'src/parser', depth: 3 },
    text: 'src/parser (4 files)\n  parse-list.ts\n  parse-map.ts\n  token.ts\n  tokens/ (1 file)',
    display: { kind: 'list', path: 'src/parser', files: 4, complete: true },
    problem: 'src/parser is a file; read_file reads it.',
  },
  {
    name: 'find_files',
    input: { pattern: '*.test.ts' },
    text: 'test/parse-list.test.ts\ntest/parse-map.test.ts',
    display: { kind: 'files', pattern: '*.test.ts', count: 100, complete: false },
    files: [{ path: 'test/parse-list.test.ts' }, { path: 'test/parse-map.test.ts' }],
    problem: 'There is no folder packages/core.',
  },
  {
    name: 'search_text',
    input: { pattern: 'nextToken\\(', include: ['src/**'] },
    text: 'src/parser/parse-list.ts\n41: nextToken(source)',
    display: { kind: 'matches', pattern: 'nextToken\\(', matches: 12, files: 3, complete: true },
    files: [{ path: 'src/parser/parse-list.ts', line: 41 }],
    took: 420,
    problem:
      'The pattern is no regular expression: unclosed group at character 9. Escape "(" or set "regex" to false.',
  },
  {
    name: 'edit_file',
    input: { path: 'src/parser/parse-list.ts', edits: [{ old_string: 'a', new_string: 'b' }] },
    text: 'Edited src/parser/parse-list.ts (+3 −2 lines).',
    display: edit('src/parser/parse-list.ts', { changedByPerson: true }),
    files: [{ path: 'src/parser/parse-list.ts', line: 39 }],
    problem:
      'Nothing was written: the text of edit 1 stands in src/parser/parse-list.ts at lines 39 and 88. Add lines around it.',
  },
  {
    name: 'write_file',
    input: { path: 'test/parse-list.test.ts', content: 'import assert from "node:assert";\n' },
    text: 'Wrote test/parse-list.test.ts (new, 48 lines).',
    display: edit('test/parse-list.test.ts', {
      added: 48,
      removed: 0,
      created: true,
      diff: '@@ -0,0 +1,2 @@\n+import assert from "node:assert";\n+',
    }),
    files: [{ path: 'test/parse-list.test.ts' }],
    problem: 'test/parse-list.test.ts could not be written: permission denied.',
  },
  {
    name: 'apply_patch',
    input: {
      patch:
        '*** Begin Patch\n*** Update File: src/parser/parse-map.ts\n@@\n-  for (;;) {\n+  while (more()) {\n*** Add File: src/parser/more.ts\n+export const more = true;\n*** Delete File: src/parser/old.ts\n*** End Patch',
    },
    text: 'The patch was applied to 3 of 4 files.',
    display: {
      kind: 'patch',
      files: [
        { path: 'src/parser/parse-map.ts', action: 'edit', added: 6, removed: 4 },
        { path: 'src/parser/more.ts', action: 'add', added: 12, removed: 0 },
        { path: 'src/parser/old.ts', action: 'delete', added: 0, removed: 31 },
        {
          path: 'src/parser/token.ts',
          action: 'edit',
          added: 0,
          removed: 0,
          problem: 'Hunk 1 does not fit: line 12 reads "return token;".',
        },
      ],
      left: 1,
      diff: `src/parser/parse-map.ts\n${DIFF}\nsrc/parser/more.ts\n@@ -0,0 +1 @@\n+export const more = true;`,
      diffCut: false,
    },
    files: [{ path: 'src/parser/parse-map.ts' }],
    problem:
      'Nothing was written. Hunk 1 of src/parser/parse-map.ts does not fit: line 40 differs.',
  },
  {
    name: 'manage_files',
    input: {
      operations: [{ kind: 'rename', path: 'src/parser/parse.ts', to: 'src/parse/list.ts' }],
    },
    text: 'Moved src/parser/parse.ts to src/parse/list.ts.',
    display: {
      kind: 'manage',
      note: '1 of 1 done',
      operations: [{ kind: 'rename', path: 'src/parser/parse.ts', to: 'src/parse/list.ts' }],
    },
    problem: told`${'src/parse/list.ts'} exists already. Nothing was changed.`,
  },
  {
    name: 'manage_files',
    input: {
      operations: [
        { kind: 'delete', path: 'build' },
        { kind: 'copy', path: 'docs', to: 'site/docs' },
        { kind: 'create_folder', path: 'site/img' },
      ],
    },
    text: 'Deleted build. Copied docs to site/docs. site/img was not made.',
    display: {
      kind: 'manage',
      note: '2 of 3 done',
      operations: [
        { kind: 'delete', path: 'build', kept: 'trash' },
        { kind: 'copy', path: 'docs', to: 'site/docs' },
        { kind: 'create_folder', path: 'site/img', problem: 'There is a file of this name.' },
      ],
    },
    problem: 'build is kept back by .belayignore. Nothing was done.',
  },
  {
    name: 'edit_notebook',
    input: {
      path: 'analysis/walks.ipynb',
      edits: [{ action: 'replace', cell: 2, source: 'walks.describe()' }],
    },
    text: 'Edited analysis/walks.ipynb: replaced cell 2.',
    display: edit('analysis/walks.ipynb', { added: 1, removed: 1 }),
    problem: 'There is no cell 9; analysis/walks.ipynb has 6. Nothing was changed.',
  },
  {
    name: 'run_notebook_cell',
    input: { path: 'analysis/walks.ipynb', cell: 4 },
    text: 'Cell 4 ran.\n   km  up\n0  12  300',
    display: {
      kind: 'cell',
      path: 'analysis/walks.ipynb',
      cell: 4,
      success: true,
      outputs: 2,
      images: 1,
    },
    took: 3100,
    problem: "NameError: name 'walks' is not defined (cell 4, line 2)",
    failure: {
      kind: 'cell',
      path: 'analysis/walks.ipynb',
      cell: 4,
      success: false,
      outputs: 1,
      images: 0,
    },
  },
];

const command = (line: string, more: JsonObject): JsonObject => ({
  kind: 'command',
  command: line,
  cwd: '.',
  timedOut: false,
  tail: '',
  total: 900,
  ...more,
});

const TEST_TAIL =
  '  1) parser list returns each element once\n     AssertionError: 3 == 2\n      at test/parse-list.test.ts:14:10\n';

const TERMINAL: readonly ToolSample[] = [
  {
    name: 'run_command',
    input: { command: 'npm run build && node dist/check.js --all --strict' },
    text: 'built in 2.1 s\nall checks passed',
    display: command('npm run build', { exitCode: 0 }),
    took: 42_000,
    output: '> esbuild src/main.ts --bundle\n\n  dist/main.js  412 kB\n',
    problem: '> build\n\nsrc/a.ts:3:1 error: unused\n[exit code 2]',
    failure: command('npm run build', {
      exitCode: 2,
      tail: '> build\n\nsrc/a.ts:3:1 error: "walk" is never used\n1 error\n',
    }),
  },
  {
    name: 'run_command',
    input: { command: 'npm run dev', background: true },
    text: 'Local: http://localhost:5173/',
    display: {
      kind: 'background',
      id: 'b1',
      command: 'npm run dev',
      cwd: '.',
      running: true,
      tail: '  VITE ready in 320 ms\n  Local: http://localhost:5173/\n',
      total: 60,
    },
    problem: 'Port 5173 is in use.\n[exit code 1]',
    failure: command('npm run dev', { exitCode: 1, tail: 'Error: Port 5173 is already in use\n' }),
  },
  {
    name: 'background_command',
    input: { action: 'read', id: 'b1', wait: 10 },
    text: '[vite] page reload src/main.ts',
    display: {
      kind: 'background',
      id: 'b1',
      command: 'npm run dev',
      cwd: '.',
      running: true,
      tail: '',
      total: 60,
    },
    progress: { message: 'Waiting for output, at most 10 s' },
    problem: 'There is no command b1. Running: none.',
  },
  {
    name: 'run_tests',
    input: { files: ['test/parse-list.test.ts'] },
    text: '47 passed, 1 skipped',
    display: {
      kind: 'tests',
      command: 'npx mocha test/parse-list.test.ts',
      exitCode: 0,
      timedOut: false,
      passed: 47,
      failed: 0,
      skipped: 1,
      tail: '',
    },
    took: 8300,
    output: '  parser\n    ✔ reads a list\n    ✔ reads a map\n',
    problem: '1 of 48 tests failed',
    failure: {
      kind: 'tests',
      command: 'npx mocha',
      exitCode: 1,
      timedOut: false,
      passed: 47,
      failed: 1,
      skipped: 0,
      tail: TEST_TAIL,
    },
  },
  {
    name: 'run_task',
    input: { task: 'npm: lint' },
    text: 'npm: lint ended with exit code 0.',
    display: { kind: 'task', task: 'npm: lint', exitCode: 0, count: 0, running: false },
    took: 5200,
    problem: 'npm: lint ended with exit code 1.\nsrc/a.ts:3: error: unused',
    failure: { kind: 'task', task: 'npm: lint', exitCode: 1, count: 3, running: false },
  },
  {
    name: 'git',
    input: { action: 'log', ref: 'main..parser', path: 'src/parser' },
    text: '4f1c2aa Fix the loop\n77ab310 Parse maps',
    display: { kind: 'git', action: 'log', ref: 'main..parser', lines: 24, cut: false },
    problem: 'There is no commit or branch "main..paser". Branches: main, parser.',
  },
];

const LANGUAGE: readonly ToolSample[] = [
  {
    name: 'diagnostics',
    input: { paths: ['src/parser/parse-list.ts'] },
    text: '1 error, 2 warnings in 1 file',
    display: { kind: 'problems', errors: 1, warnings: 2, others: 0, files: 1 },
    files: [{ path: 'src/parser/parse-list.ts', line: 41 }],
    took: 1400,
    problem: 'No language server looks at .txt files.',
  },
  {
    name: 'find_symbol',
    input: { query: 'Token' },
    text: 'class Token src/parser/token.ts:3',
    display: { kind: 'symbols', query: 'Token', count: 7, complete: true },
    problem: 'No language server answered within 20 s.',
  },
  {
    name: 'inspect_symbol',
    input: { path: 'src/parser/token.ts', line: 3, symbol: 'nextToken', what: 'references' },
    text: 'nextToken (src/parser/token.ts:3): 12 references in 3 files',
    display: { kind: 'places', what: 'references', symbol: 'nextToken', places: 12, files: 3 },
    problem:
      'There is no "nextToken" in line 3 of src/parser/token.ts. It stands in lines 8 and 21.',
  },
  {
    name: 'rename_symbol',
    input: { path: 'src/parser/token.ts', symbol: 'nextToken', new_name: 'readToken' },
    text: 'Renamed in 2 files.',
    display: {
      kind: 'patch',
      files: [
        { path: 'src/parser/token.ts', action: 'edit', added: 1, removed: 1 },
        { path: 'src/parser/parse-list.ts', action: 'edit', added: 4, removed: 4 },
      ],
      left: 0,
      diff: `src/parser/token.ts\n${DIFF}`,
      diffCut: false,
    },
    problem: 'The language server refused: "readToken" is taken in this scope.',
  },
  {
    name: 'list_code_actions',
    input: { path: 'src/parser/token.ts', line: 12 },
    text: 'Organize Imports (source)\nAdd missing await (quickfix)',
    display: { kind: 'actions', count: 2 },
    problem: 'src/parser/token.ts has only 40 lines.',
  },
  {
    name: 'apply_code_action',
    input: { path: 'src/parser/token.ts', title: 'Organize Imports' },
    text: 'Edited src/parser/token.ts (+1 −3 lines).',
    display: edit('src/parser/token.ts', { added: 1, removed: 3 }),
    problem: 'There is no action "Organize Imports" here. There is: Add missing await.',
  },
];

/** All tools, in an order in which a person may meet them. */
export const TOOL_SAMPLES: readonly ToolSample[] = [...FILES, ...TERMINAL, ...LANGUAGE, ...OTHERS];
