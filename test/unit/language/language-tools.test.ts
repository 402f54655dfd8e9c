import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { ToolCall } from '../../../src/core/tool-call/tool-call.ts';
import { withDiagnosticsAfterEdit } from '../../../src/tools/language/diagnostics-after-edit.ts';
import type { LanguageKit } from '../../../src/tools/language/language-kit.ts';
import { LANGUAGE_FILES } from '../../contract/language/language-contract.ts';
import type { Sample } from '../../contract/tool/samples.ts';
import { WorkspaceRig } from '../../contract/tool/workspace-rig.ts';
import { languageKit } from '../../support/language-kit.ts';
import { textOf } from '../tool-call/rig.ts';

describe('language tools', () => {
  let workspace: WorkspaceRig;
  let kit: LanguageKit;

  beforeEach(async () => {
    const sample: Sample = {
      good: {},
      bad: [],
      changes: false,
      parts: (folder) => ({ language: (kit = languageKit(folder)) }),
    };
    workspace = await WorkspaceRig.open(LANGUAGE_FILES, { language: sample });
  });

  afterEach(async () => {
    await workspace.close();
  });

  describe('inspect_symbol', () => {
    it('shows references by file with their lines', async () => {
      const text = await workspace.text('inspect_symbol', {
        path: 'shape.ts',
        line: 2,
        symbol: 'area',
        what: 'references',
      });
      assert.equal(
        text,
        [
          'area (shape.ts:2): 5 references in 3 files',
          'shape.ts',
          '2: export function area(side: number): number {',
          '',
          'unsorted.ts',
          "2: import { area } from './shape.js';",
          '5: export const both = [total, area];',
          '',
          'user.ts',
          "1: import { area } from './shape.js';",
          '5: return shapes.reduce((sum, shape) => sum + area(shape.side), 0);',
        ].join('\n'),
      );
    });

    it('shows a definition with the lines it begins with', async () => {
      const text = await workspace.text('inspect_symbol', {
        path: 'user.ts',
        line: 5,
        symbol: 'area(shape.side)',
        what: 'definition',
      });
      assert.match(
        text,
        /^area \(user\.ts:5\): 1 definition\nshape\.ts:2\n2: export function area.*\n3: {3}return side \* side;\n4: \}/u,
      );
    });

    it('says that the line was another one', async () => {
      const text = await workspace.text('inspect_symbol', {
        path: 'user.ts',
        line: 8,
        symbol: 'area',
        what: 'callers',
      });
      assert.match(
        text,
        /^\[area is not on line 8; line 5 is meant\.\]\narea \(user\.ts:5\): 1 caller\n/u,
      );
      assert.match(text, /5: total · return shapes/u);
    });

    it('lists the lines when it cannot tell which is meant', async () => {
      const text = await workspace.failure('inspect_symbol', {
        path: 'user.ts',
        symbol: 'shape',
        what: 'hover',
      });
      assert.match(text, /several lines|"shape" does not stand/u);
      await workspace.write('far.ts', `const far = 1;\n${'\n'.repeat(60)}far;\n`);
      const far = await workspace.failure('inspect_symbol', {
        path: 'far.ts',
        line: 31,
        symbol: 'far',
        what: 'hover',
      });
      assert.match(
        far,
        /far is not near line 31 of far\.ts\. Call again with the line you mean:\n1: const far = 1;\n62: far;$/u,
      );
    });

    it('needs no line for the one declaration of a name', async () => {
      const text = await workspace.text('inspect_symbol', {
        path: 'user.ts',
        symbol: 'total',
        what: 'references',
      });
      assert.match(text, /^total \(user\.ts:4\)/u);
    });

    it('says where a symbol is that is not in the file', async () => {
      const text = await workspace.failure('inspect_symbol', {
        path: 'shape.ts',
        line: 2,
        symbol: 'total',
        what: 'hover',
      });
      assert.match(
        text,
        /"total" does not stand in shape\.ts\. It is declared in user\.ts:4\. Call again with that\./u,
      );
    });

    it('says that nobody serves the language', async () => {
      const text = await workspace.failure('inspect_symbol', {
        path: 'notes.txt',
        line: 1,
        symbol: 'area',
        what: 'definition',
      });
      assert.match(
        text,
        /No extension in this editor serves the language "plaintext" of notes\.txt.*search_text/u,
      );
    });

    it('security 4: shows no line of a file that is kept from the agent, or lies outside', async () => {
      await workspace.write('.belayignore', 'unsorted.ts\n');
      const text = await workspace.text('inspect_symbol', {
        path: 'shape.ts',
        line: 2,
        symbol: 'area',
        what: 'references',
      });
      assert.equal(text.includes('both'), false);
      assert.match(text, /3 references in 2 files[^]*\[2 more in files that are kept from you\]$/u);
    });
  });

  describe('rename_symbol', () => {
    const rename = { path: 'user.ts', line: 5, symbol: 'area', new_name: 'surface' };

    it('asks with the diff of every file, and writes all of them after the yes', async () => {
      workspace.mode = 'ask';
      const text = await workspace.text('rename_symbol', rename);
      const [question] = workspace.rig.questions;
      assert.equal(question?.title, 'Rename area to surface in 3 files');
      const [shape] = question?.edits?.filter(({ path }) => path.endsWith('shape.ts')) ?? [];
      assert.equal(question?.edits?.length, 3);
      assert.match(shape?.after ?? '', /export function surface/u);
      assert.match(text, /Rename area to surface: done\.\nEdited shape\.ts/u);
      assert.match(await workspace.read('user.ts'), /sum \+ surface\(shape\.side\)/u);
      assert.equal((await workspace.read('shape.ts')).includes('area('), false);
    });

    it('writes nothing after a no', async () => {
      workspace.mode = 'ask';
      workspace.rig.answers.push({ allowed: false });
      const before = await workspace.snapshot();
      assert.equal((await workspace.call('rename_symbol', rename)).result.state, 'denied');
      assert.deepEqual(await workspace.snapshot(), before);
    });

    it('asks again when one of the files changes while the user is asked', async () => {
      workspace.mode = 'ask';
      workspace.rig.answers.push(
        () => {
          writeFileSync(workspace.at('unsorted.ts'), 'export {};\n');
          return {};
        },
        { allowed: false },
      );
      const outcome = await workspace.call('rename_symbol', rename);
      assert.equal(outcome.result.state, 'denied');
      assert.match(await workspace.read('shape.ts'), /function area/u);
    });

    it('is shown as one edit when only one file changes, which the person may change', async () => {
      await workspace.write('alone.ts', 'const alone = 1;\n');
      workspace.mode = 'ask';
      workspace.rig.answers.push({ editedAfter: 'const solitary = 2;\n' });
      await workspace.text('rename_symbol', {
        path: 'alone.ts',
        symbol: 'alone',
        new_name: 'solitary',
      });
      assert.equal(workspace.rig.questions[0]?.edits?.[0]?.after, 'const solitary = 1;\n');
      assert.equal(await workspace.read('alone.ts'), 'const solitary = 2;\n');
    });

    it('security 1: refuses as a whole what would change a protected file', async () => {
      await workspace.write('.vscode/tasks.ts', "import { area } from '../shape.js';\n");
      const before = await workspace.snapshot();
      const text = await workspace.failure('rename_symbol', {
        ...rename,
        path: 'shape.ts',
        line: 2,
      });
      assert.match(text, /would also change \.vscode\/tasks\.ts\. .*Nothing was changed/u);
      assert.deepEqual(await workspace.snapshot(), before);
    });

    it('passes on why the server does not rename', async () => {
      const text = await workspace.failure('rename_symbol', {
        path: 'shape.ts',
        line: 3,
        symbol: 'return',
        new_name: 'x',
      });
      assert.match(text, /cannot rename this element/u);
    });
  });

  describe('code actions', () => {
    it('are listed with their kinds, and what cannot be applied here', async () => {
      const text = await workspace.text('list_code_actions', { path: 'unsorted.ts', line: 1 });
      assert.match(text, /- Organize Imports \(source\.organizeImports\)/u);
      assert.match(
        text,
        /- Ask the assistant \(refactor\.rewrite, only in the editor: it runs a command/u,
      );
      assert.match(text, /- Extract function \(refactor\.extract, not now: select a statement\)/u);
    });

    it('are applied as an edit, by title', async () => {
      await workspace.text('apply_code_action', { path: 'unsorted.ts', title: 'organize imports' });
      assert.equal((await workspace.read('unsorted.ts')).includes('readFile'), false);
    });

    it('never run a command, and are refused when they are disabled', async () => {
      const command = await workspace.failure('apply_code_action', {
        path: 'unsorted.ts',
        line: 1,
        title: 'Ask the assistant',
      });
      assert.match(
        command,
        /is no plain edit: it runs the editor’s command assistant\.ask\. Nothing was changed/u,
      );
      const disabled = await workspace.failure('apply_code_action', {
        path: 'unsorted.ts',
        line: 1,
        title: 'Extract',
      });
      assert.match(disabled, /cannot be applied now: select a statement/u);
      const unknown = await workspace.failure('apply_code_action', {
        path: 'unsorted.ts',
        line: 1,
        title: 'Wash',
      });
      assert.match(unknown, /No action is called "Wash" there[^]*- Organize Imports/u);
    });
  });

  describe('diagnostics', () => {
    const BROKEN = "export function area(side: number): number {\n  return 'x';\n}\n";

    it('shows each problem with its line', async () => {
      await workspace.write('shape.ts', BROKEN);
      const text = await workspace.text('diagnostics', { paths: ['shape.ts', 'user.ts'] });
      assert.equal(
        text,
        "1 error in 1 file\nshape.ts\n  2:3 error [ts 2322] Type string is not assignable to type number.\n    return 'x';",
      );
    });

    it('says about which files nobody has answered', async () => {
      const text = await workspace.text('diagnostics', { paths: ['notes.txt'] });
      assert.match(
        text,
        /^No problems in notes\.txt\n\[No language server has answered about notes\.txt/u,
      );
    });

    it('looks at the files that the session has changed', async () => {
      const none = await workspace.failure('diagnostics', { changed: true });
      assert.match(none, /No file was changed by your tools in this session/u);
      await workspace.write('shape.ts', BROKEN);
      kit.changed.note(workspace.rig.session, [workspace.at('shape.ts')]);
      assert.match(await workspace.text('diagnostics', { changed: true }), /^1 error in 1 file/u);
    });
  });

  describe('after an edit', () => {
    let enabled: boolean;

    beforeEach(() => {
      enabled = true;
      const { rig } = workspace;
      const told = withDiagnosticsAfterEdit({
        language: kit,
        disk: workspace,
        log: rig.log,
        clock: Date,
        enabled: () => enabled,
      });
      const inner: ToolCall = rig.toolCall;
      const wrapped = told(inner);
      rig.toolCall = (request) => {
        const tool = rig.tools.find(({ name }) => name === request.part.name);
        return wrapped(tool === undefined ? request : { ...request, tool });
      };
    });

    const breakShape = (): Promise<string> =>
      workspace.call('read_file', { files: [{ path: 'shape.ts' }] }).then(() =>
        workspace.text('edit_file', {
          path: 'shape.ts',
          edits: [{ old_string: 'return side * side', new_string: "return 'x'" }],
        }),
      );

    it('new problems of the file are told, once', async () => {
      assert.match(
        await breakShape(),
        /sees new problems \(1 error\):\nshape\.ts\n {2}3:3 error \[ts 2322\] Type string is not assignable to type number\.\n {4}return 'x';$/u,
      );
      const again = await workspace.text('edit_file', {
        path: 'shape.ts',
        edits: [{ old_string: 'export function', new_string: '\n\nexport function' }],
      });
      assert.equal(again.includes('problems'), false, again);
      assert.deepEqual(kit.changed.of(workspace.rig.session), [workspace.at('shape.ts')]);
    });

    it('a file that was just created is looked at', async () => {
      const text = await workspace.text('write_file', {
        path: 'new.ts',
        content: "const f = () => {\n  return 'x';\n};\n",
      });
      assert.match(text, /new\.ts\n {2}2:3 error/u);
    });

    it('nothing is asked of the servers when the setting is off, when the edit failed, and of other tools', async () => {
      let asked = 0;
      const { servers } = kit;
      const problems = servers.problems.bind(servers);
      servers.problems = (...call) => {
        asked += 1;
        return problems(...call);
      };
      enabled = false;
      assert.equal((await breakShape()).includes('problems'), false);
      assert.equal(asked, 0);
      await workspace.text('read_file', { files: [{ path: 'shape.ts' }] });
      assert.equal(asked, 0);
      enabled = true;
      await workspace.failure('edit_file', {
        path: 'shape.ts',
        edits: [{ old_string: 'nowhere', new_string: 'x' }],
      });
      assert.equal(asked, 1, 'what was wrong before is asked, what is wrong after is not');
    });

    it('what a slow server says is told after the next edit', async () => {
      const { servers } = kit;
      const problems = servers.problems.bind(servers);
      let slow = true;
      servers.problems = async (request, signal) =>
        slow ? { problems: [], unanswered: request.paths ?? [] } : problems(request, signal);
      assert.equal((await breakShape()).includes('problems'), false);
      slow = false;
      const text = await workspace.text('write_file', {
        path: 'other.ts',
        content: 'export const one = 1;\n',
      });
      assert.match(text, /new problems \(1 error\):\nshape\.ts\n/u);
    });

    it('E10: a server that fails does not make the edit fail', async () => {
      kit.servers.problems = () => Promise.reject(new Error('the server has ended'));
      const outcome = await workspace.call('write_file', { path: 'new.ts', content: 'x\n' });
      assert.equal(outcome.result.state, 'done', textOf(outcome));
    });
  });
});
