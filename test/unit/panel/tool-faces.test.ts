import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { FIND_TOOL } from '../../../src/core/tool-call/find-tool.ts';
import { USE_TOOL } from '../../../src/core/tool-call/use-tool.ts';
import { detailsOf, shownDisplay } from '../../../src/panel/cards/tool-details.ts';
import { faceOf, titleOf, titleOfPartial } from '../../../src/panel/cards/tool-title.ts';
import { troubleOf } from '../../../src/panel/cards/tool-trouble.ts';
import { resultPatch, toolView } from '../../../src/panel/cards/tool-view.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import { FACES } from '../../../src/tools/faces.ts';
import { SAMPLES } from '../../contract/tool/samples.ts';
import { WorkspaceRig } from '../../contract/tool/workspace-rig.ts';
import { root } from '../../rig/processes.ts';
import { TOOL_SAMPLES } from '../../ui/panel-preview/tool-samples.ts';

const words = (name: string, input: JsonObject): string => {
  const { title, subject } = titleOf(name, input);
  return `${title} ${subject}`.trim();
};

const operationIcons = (): readonly string[] =>
  ['create_folder', 'rename', 'copy', 'delete'].map(
    (kind) => titleOf('manage_files', { operations: [{ kind, path: 'a' }] }).icon,
  );

const stepIcons = (): readonly string[] => {
  const items = ['open', 'active', 'done', 'x'].map((status) => ({ text: 'a', status }));
  return (faceOf('todo')?.steps?.({ items }) ?? []).map(({ icon }) => icon);
};

const patchIcons = (): readonly string[] => {
  const files = ['add', 'edit', 'delete', 'move'].map((action) => ({ path: 'a', action }));
  return shownDisplay({ kind: 'patch', files }).rows.map(({ icon }) => icon);
};

describe('the faces of tools', () => {
  it('A13: every tool of the registry has one, and a card in the pictures', async () => {
    const workspace = await WorkspaceRig.open({}, SAMPLES);
    try {
      const names = [...workspace.rig.tools.map(({ name }) => name), USE_TOOL, FIND_TOOL];
      assert.ok(names.length > 20, 'the registry was read');
      assert.deepEqual(
        FACES.map(({ name }) => name).toSorted(),
        names.toSorted(),
        'a line in src/tools/faces.ts is missing, or is of no tool',
      );
      const shown = new Set(TOOL_SAMPLES.map(({ name }) => name));
      assert.deepEqual(
        names.filter((name) => !shown.has(name)),
        [],
        'a row in tool-samples.ts is missing',
      );
    } finally {
      await workspace.close();
    }
  });

  it('have icons that exist', async () => {
    const file = path.join(root, 'node_modules/@vscode/codicons/dist/codicon.css');
    const css = await readFile(file, 'utf8');
    const known = new Set(
      [...css.matchAll(/\.codicon-([a-z0-9-]+):before/gu)].map(([, name]) => name),
    );
    const icons = [
      ...TOOL_SAMPLES.flatMap(({ name, input, display }) => [
        titleOf(name, input).icon,
        ...shownDisplay(display).rows.map(({ icon }) => icon),
      ]),
      ...FACES.map(({ icon }) => icon),
      ...operationIcons(),
      ...stepIcons(),
      ...patchIcons(),
      'error',
      'plug',
      'extensions',
      'tools',
    ];
    assert.ok(new Set(icons).size > 30, 'the icons were collected');
    assert.deepEqual(
      icons.filter((icon) => !known.has(icon)),
      [],
    );
  });

  it('say what a call with several arguments does', () => {
    const manage = (...operations: JsonObject[]) => words('manage_files', { operations });
    assert.equal(manage({ kind: 'rename', path: 'a', to: 'b' }), 'Move a → b');
    assert.equal(
      manage({ kind: 'delete', path: 'a' }, { kind: 'delete', path: 'b' }),
      'Delete a, b',
    );
    assert.equal(
      manage({ kind: 'delete', path: 'a' }, { kind: 'copy', path: 'b', to: 'c' }),
      'Change files a, b',
    );
    const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n*** Add File: b.ts\n*** End Patch';
    assert.equal(words('apply_patch', { patch }), 'Patch a.ts, b.ts');
    assert.equal(
      words('apply_patch', { patch: '--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b' }),
      'Patch x.ts',
    );
    assert.equal(words('git', { action: 'log', ref: 'HEAD~2', path: 'a' }), 'git log HEAD~2 a');
    assert.equal(words('git', { action: 'message' }), 'Changes for a commit message');
    assert.equal(words('run_task', {}), 'List tasks');
    assert.equal(
      words('ask_human', { question: 'A?', more: [{ question: 'B?' }] }),
      'Ask A? (and 1 more)',
    );
    assert.equal(
      words('todo', {
        items: [
          { text: 'x', status: 'done' },
          { text: 'y', status: 'active' },
        ],
      }),
      'Steps y',
    );
    assert.equal(words('use_tool', { tool: 'git' }), 'Look up the tool git');
  });

  it('survive arguments that are nonsense', () => {
    for (const { name } of TOOL_SAMPLES) {
      for (const value of [null, 7, 'x', ['x'], [null], { path: 1 }]) {
        const keys = ['operations', 'patch', 'items', 'more', 'action', 'files', 'question'];
        const input = Object.fromEntries(keys.map((key) => [key, value])) as JsonObject;
        assert.equal(typeof titleOf(name, input).subject, 'string');
        assert.ok(Array.isArray(faceOf(name)?.steps?.(input) ?? []));
      }
    }
  });

  it('a call through use_tool is named after its tool as soon as that is known', () => {
    assert.equal(titleOfPartial('use_tool', '{"tool": "git"').subject, 'git');
    const { title, subject } = titleOfPartial(
      'use_tool',
      '{"tool": "rename_symbol", "input": {"symbol": "area", "new_',
    );
    assert.equal(`${title} ${subject}`, 'Rename area');
  });
});

describe('what is said of a call that did not end well', () => {
  it('is the end of what a command printed', () => {
    const tail = '> build\n\na.ts:1 error: x\n1 error\n2 files\n\n';
    assert.equal(
      troubleOf('failed', '> build', { kind: 'command', tail }),
      'a.ts:1 error: x\n1 error\n2 files',
    );
    assert.equal(troubleOf('failed', 'It is not there.\nMore.', {}), 'It is not there.');
    assert.equal(troubleOf('done', 'fine', { tail }), '');
  });

  it('is the person’s own reason, not the sentence for the model', () => {
    const text = 'The user denied x; nothing was done.';
    assert.equal(troubleOf('denied', text, { kind: 'denied', reason: '' }), '');
    assert.equal(troubleOf('denied', text, { kind: 'denied', reason: 'no' }), 'You said: no');
    assert.equal(troubleOf('denied', 'Mode read does not.', {}), 'Mode read does not.');
  });

  it('is not what the note beside the title says already', () => {
    const failed = (name: string, said: string, display: JsonObject) => {
      const content = [{ type: 'text' as const, text: said }];
      const part = { type: 'tool_result' as const, callId: 'c', name, content, display };
      const { note, trouble } = resultPatch({ ...part, state: 'failed' }, false);
      return [note, trouble];
    };
    const task = { kind: 'task', task: 'build', exitCode: 2, count: 3, running: false };
    assert.deepEqual(failed('run_task', 'build ended with exit code 2.\n\nMore.', task), [
      'exit code 2, 3 problems',
      '',
    ]);
    assert.deepEqual(failed('run_task', 'There is no task build.', task), [
      'exit code 2, 3 problems',
      'There is no task build.',
    ]);
  });
});

const rowsOf = (display: JsonObject) => detailsOf(shownDisplay(display).rows);

describe('the rows of a card', () => {
  it('name each file of a patch with its lines', () => {
    const [edited] = rowsOf({
      kind: 'patch',
      files: [{ path: 'a.ts', action: 'edit', added: 2, removed: 1 }],
    });
    assert.deepEqual(edited, {
      icon: 'diff-modified',
      text: 'a.ts',
      note: '+2 −1',
      file: { path: 'a.ts' },
      url: null,
      problem: false,
    });
  });

  it('are the steps of a plan before it has a result, and after', () => {
    const input = { items: [{ text: 'x', status: 'done' }] };
    const view = toolView({ type: 'tool_call', id: 'c', name: 'todo', input });
    assert.deepEqual(
      view.details.map(({ icon, text }) => `${icon} ${text}`),
      ['check x'],
    );
    const display = { kind: 'todo', done: 1, total: 1 };
    const patch = resultPatch(
      { type: 'tool_result', callId: 'c', name: 'todo', state: 'done', content: [], display },
      false,
    );
    assert.equal('details' in patch, false);
    assert.equal(patch.note, '1 of 1 done');
  });

  it('survive displays of imported sessions that are nonsense', () => {
    const kinds = FACES.flatMap(({ displays }) => displays.map(({ kind }) => kind));
    assert.ok(kinds.length > 20, 'the kinds were collected');
    for (const kind of kinds)
      for (const value of [null, 7, 'x', [null], [7], [{ path: 1, problem: 2 }]]) {
        const display = { kind, files: value, operations: value, answers: value, total: value };
        assert.equal(typeof shownDisplay(display).note, 'string');
        assert.ok(Array.isArray(rowsOf(display)));
      }
  });

  it('a command that is all there is to say is not shown again as JSON', () => {
    const view = (input: JsonObject) =>
      toolView({ type: 'tool_call', id: 'c', name: 'run_command', input });
    assert.equal(view({ command: 'npm test' }).input.total, 0);
    assert.ok(view({ command: 'npm test', cwd: 'a' }).input.total > 0);
  });
});
