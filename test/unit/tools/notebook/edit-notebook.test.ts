import { inEnglish } from '../../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonObject } from '../../../../src/domain/data/json.ts';
import { editCells } from '../../../../src/tools/notebook/edit-cells.ts';
import type { CellEdit } from '../../../../src/tools/notebook/edit-cells.ts';
import { WorkspaceRig } from '../../../contract/tool/workspace-rig.ts';
import { textOf } from '../../tool-call/rig.ts';

interface Cell {
  readonly cell_type: string;
  readonly id?: string;
  readonly metadata: JsonObject;
  readonly source: readonly string[] | string;
  readonly outputs?: readonly JsonObject[];
  readonly execution_count?: number | null;
}

const lines = (source: string): string[] => source.match(/[^\n]*\n|[^\n]+$/gu) ?? [];

const code = (source: string, more: Partial<Cell> = {}): Cell => ({
  cell_type: 'code',
  execution_count: 3,
  id: `id-${source}`,
  metadata: { tags: ['x'], collapsed: false },
  outputs: [{ output_type: 'stream', name: 'stdout', text: ['out\n'] }],
  source: lines(source),
  ...more,
});

const notebook = (cells: readonly Cell[], minor = 5): JsonObject =>
  ({
    cells,
    metadata: { kernelspec: { name: 'python3' } },
    nbformat: 4,
    nbformat_minor: minor,
  }) as unknown as JsonObject;

/** As nbformat writes it: one blank a level, and a final line end. */
const json = (cells: readonly Cell[], indent: string | number = 1, minor = 5): string =>
  `${JSON.stringify(notebook(cells, minor), null, indent)}\n`;

function edited(text: string, ...edits: CellEdit[]): string {
  const result = editCells(text, edits);
  assert.deepEqual(result?.problems.map(inEnglish), []);
  return result?.text ?? '';
}

describe('cells of a notebook', () => {
  const text = json([code('a = 1\nb = 2'), code('c')]);

  it('a replaced source keeps id, metadata, outputs and every other byte', () => {
    assert.equal(
      edited(text, { action: 'replace', cell: 1, source: 'x\ny' }),
      json([code('a = 1\nb = 2', { source: lines('x\ny') }), code('c')]),
    );
  });

  it('edits the last of two members of one name, which is the one that is read', () => {
    const twice = (source: string): string =>
      `{"cells": [], ${json([code('a', { source: lines(source) })], 0).slice(1)}`;
    assert.equal(edited(twice('a'), { action: 'replace', cell: 1, source: 'b' }), twice('b'));
  });

  it('takes nothing for a notebook that is nested by the thousand', () => {
    const deep = JSON.stringify(notebook([code('a')])).replace(
      '{"name":"python3"}',
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    );
    assert.equal(editCells(deep, [{ action: 'replace', cell: 1, source: 'b' }]), undefined);
  });

  it('keeps the form of the file: indentation, one line, CR LF, escapes, sources as one text', () => {
    const cells = [code('a'), code('b')];
    const after = [code('a'), code('b', { source: lines('é\n2') })];
    const edit: CellEdit = { action: 'replace', cell: 2, source: 'é\n2' };
    for (const indent of [2, '\t', 0])
      assert.equal(edited(json(cells, indent), edit), json(after, indent));
    const windows = (one: string): string => one.replaceAll('\n', '\r\n');
    assert.equal(edited(windows(json(cells)), edit), windows(json(after)));
    const ascii = (one: string): string => one.replaceAll('é', '\\u00e9');
    const named = (all: readonly Cell[]): Cell[] => [code('é'), ...all.slice(1)];
    assert.equal(edited(ascii(json(named(cells))), edit), ascii(json(named(after))));
    const plain = (all: readonly Cell[]): string =>
      json(all.map((cell) => ({ ...cell, source: [cell.source].flat().join('') })));
    assert.equal(edited(plain(cells), edit), plain(after));
  });

  it('keeps numbers and spacing of what it does not touch, however unusual', () => {
    const odd =
      '{ "cells":[{"source" : "a","metadata":{"x":1.0, "y":1e5},"cell_type":"raw"} ],"nbformat":4}';
    assert.equal(
      edited(odd, { action: 'replace', cell: 1, source: '"]}' }),
      odd.replace('"a"', String.raw`"\"]}"`),
    );
  });

  it('inserts and deletes by the numbers from before the call', () => {
    const after = edited(
      text,
      { action: 'insert', cell: 0, type: 'markdown', source: '# Title' },
      { action: 'delete', cell: 1 },
      { action: 'insert', cell: 2, source: 'd\n' },
    );
    assert.equal(
      after,
      json([
        { cell_type: 'markdown', id: 'belay-1', metadata: {}, source: ['# Title'] },
        code('c'),
        {
          cell_type: 'code',
          execution_count: null,
          id: 'belay-2',
          metadata: {},
          outputs: [],
          source: ['d\n'],
        },
      ]),
    );
  });

  it('fills an empty notebook, and empties one', () => {
    const one: CellEdit = { action: 'insert', cell: 0, type: 'raw', source: 'x' };
    const cell = { cell_type: 'raw', metadata: {}, source: ['x'] };
    assert.equal(edited(json([], 1, 4), one), json([cell], 1, 4));
    assert.equal(edited(json([cell], 1, 4), { action: 'delete', cell: 1 }), json([], 1, 4));
  });

  it('a changed type drops outputs, or makes room for them', () => {
    const { outputs: _, execution_count: __, ...rest } = code('c');
    const after = edited(text, { action: 'replace', cell: 2, type: 'markdown' });
    assert.equal(after, json([code('a = 1\nb = 2'), { ...rest, cell_type: 'markdown' }]));
    const back = JSON.parse(edited(after, { action: 'replace', cell: 2, type: 'code' })) as {
      cells: Cell[];
    };
    assert.deepEqual(back.cells[1]?.outputs, []);
    assert.equal(back.cells[1]?.execution_count, null);
  });

  it('leaves out what cannot be done, and says why', () => {
    const result = editCells(text, [
      { action: 'replace', cell: 1, source: 'x' },
      { action: 'delete', cell: 3 },
      { action: 'replace', cell: 0, source: 'x' },
      { action: 'delete', cell: 1 },
      { action: 'replace', cell: 2 },
      { action: 'replace', cell: 2, source: 'c' },
      { action: 'insert', cell: 2 },
    ]);
    assert.deepEqual(result?.problems.map(inEnglish), [
      'Edit 2 of 7 names cell 3, but there are 2 cells, numbered from 1.',
      'Edit 3 of 7 names cell 0, but there are 2 cells, numbered from 1.',
      'Edit 4 of 7 is the second one for cell 1; put both into one.',
      'Edit 5 of 7 needs a source or a type.',
      'Edit 6 of 7 would change nothing in cell 2.',
      'Edit 7 of 7 needs a source.',
    ]);
    assert.match(result?.text ?? '', /"x"/u);
  });

  it('is not misled by what is no notebook', () => {
    for (const other of [
      '',
      'x',
      '[]',
      '{}',
      '{"cells":[]}',
      '{"nbformat":3,"cells":[]}',
      '{"nbformat":4}',
    ])
      assert.equal(editCells(other, [{ action: 'delete', cell: 1 }]), undefined);
  });

  it('means the same as the edits of the parsed cells', () => {
    const source = fc.string({
      unit: fc.constantFrom('a', '\n', '"', '\\', '{', '[', 'é', ','),
      maxLength: 8,
    });
    const edit = fc.record({
      action: fc.constantFrom('replace' as const, 'insert' as const, 'delete' as const),
      cell: fc.nat({ max: 5 }),
      source,
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(source, { maxLength: 4 }),
        fc.array(edit, { maxLength: 4 }),
        fc.constantFrom(0, 1, 2, '\t'),
        (sources, edits, indent) => {
          const cells = sources.map((one) => code(one));
          const before = json(cells, indent);
          const result = editCells(before, edits);
          assert.ok(result !== undefined);
          const done = edits.filter(
            (_, index) =>
              !result.problems.some((problem) =>
                inEnglish(problem).startsWith(
                  edits.length === 1 ? 'The edit' : `Edit ${index + 1} of`,
                ),
              ),
          );
          const expected: (string | undefined)[][] = [[], ...sources.map((one) => [one])];
          for (const { action, cell, source: next } of done) {
            if (action === 'insert') expected[cell]!.push(next);
            else expected[cell]![0] = action === 'delete' ? undefined : next;
          }
          const after = JSON.parse(result.text) as { cells: Cell[] };
          assert.deepEqual(
            after.cells.map((cell) => [cell.source].flat().join('')),
            expected.flat().filter((one) => one !== undefined),
          );
          assert.equal(result.text, `${JSON.stringify(after, null, indent)}\n`);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('edit_notebook', function () {
  this.timeout(60_000);

  let workspace: WorkspaceRig;

  beforeEach(async () => {
    workspace = await WorkspaceRig.open({ 'n.ipynb': json([code('a'), code('b')]) });
    await workspace.call('read_file', { path: 'n.ipynb' });
  });

  afterEach(async () => {
    await workspace.close();
  });

  it('edits what was read, names what it left out, and has seen the outcome', async () => {
    const outcome = await workspace.call('edit_notebook', {
      path: 'n.ipynb',
      edits: [
        { action: 'replace', cell: 2, source: 'x' },
        { action: 'delete', cell: 9 },
      ],
    });
    assert.match(textOf(outcome), /1 of 2 edits were made\.\nEdit 2 of 2 names cell 9/u);
    assert.equal(await workspace.read('n.ipynb'), json([code('a'), code('b', { source: ['x'] })]));
    await workspace.text('edit_notebook', { path: 'n.ipynb', action: 'delete', cell: 1 });
    assert.equal(await workspace.read('n.ipynb'), json([code('b', { source: ['x'] })]));
  });

  it('merges with cells that changed meanwhile, and refuses what would be no notebook', async () => {
    await workspace.write('n.ipynb', json([code('a', { source: ['person'] }), code('b')]));
    await workspace.text('edit_notebook', {
      path: 'n.ipynb',
      edits: [{ action: 'replace', cell: 2, source: 'x' }],
    });
    assert.equal(
      await workspace.read('n.ipynb'),
      json([code('a', { source: ['person'] }), code('b', { source: ['x'] })]),
    );
    workspace.mode = 'ask';
    workspace.rig.answers.push({ editedAfter: '{ no json' });
    assert.match(
      await workspace.failure('edit_notebook', {
        path: 'n.ipynb',
        edits: [{ action: 'replace', cell: 2, source: 'y' }],
      }),
      /would not be a notebook any more/u,
    );
  });

  it('refuses what is no notebook', async () => {
    await workspace.write('x.ipynb', 'text\n');
    await workspace.call('read_file', { path: 'x.ipynb' });
    assert.match(
      await workspace.failure('edit_notebook', {
        path: 'x.ipynb',
        edits: [{ action: 'delete', cell: 1 }],
      }),
      /is not a notebook of a form that is known/u,
    );
  });

  it('E11: is there once a notebook was read', async () => {
    const tool = workspace.rig.tools.find(({ name }) => name === 'edit_notebook');
    assert.equal(await tool?.available?.(), true);
    const other = await WorkspaceRig.open({});
    try {
      const absent = other.rig.tools.find(({ name }) => name === 'edit_notebook');
      assert.equal(await absent?.available?.(), false);
    } finally {
      await other.close();
    }
  });
});
