import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../src/domain/json.ts';
import type { Tool } from '../../../src/core/tool-call/tool-call.ts';
import { LIMIT, textOf } from '../../unit/tool-call/rig.ts';
import { WorkspaceRig } from './workspace-rig.ts';

/** What the suite needs to know of a tool. A tool without an entry fails the suite. */
interface Subject {
  /** Works in the workspace below. */
  readonly good: JsonObject;
  /** Each is refused by the check, with a sentence that names the argument. */
  readonly bad: readonly (readonly [input: JsonObject, about: RegExp])[];
  readonly changes: boolean;
  /** Gives far more than the limit of results. */
  readonly huge?: JsonObject;
  /** Names something that is not there. */
  readonly missing?: JsonObject;
  /** Is still at work when the signal fires. */
  readonly slow?: JsonObject;
  /** Works without a folder being open. */
  readonly needsNoFolder?: JsonObject;
}

const SUBJECTS: Readonly<Record<string, Subject>> = {
  read_file: {
    good: { files: [{ path: 'a.ts' }, { path: 'src/b.ts', start_line: 2, end_line: 3 }] },
    bad: [
      [{}, /"files" .* missing/u],
      [{ files: [] }, /"files" needs at least 1/u],
      [{ files: [{ path: 'a.ts', start_line: 0 }] }, /start_line" must be at least 1/u],
      [{ files: [{ path: 'a.ts', lines: 5 }] }, /no argument "lines"/u],
      [{ files: [{ path: '' }] }, /path" needs at least 1/u],
    ],
    changes: false,
    huge: { files: [{ path: 'huge.txt' }] },
    missing: { files: [{ path: 'nowhere.ts' }] },
    slow: { files: Array.from({ length: 50 }, () => ({ path: 'huge.txt' })) },
  },
  list_files: {
    good: { path: 'src' },
    bad: [
      [{ depth: 'deep' }, /"depth" must be a whole number|"depth" must be a number/u],
      [{ depth: 0 }, /"depth" must be at least 1/u],
      [{ folder: 'x' }, /no argument "folder"/u],
    ],
    changes: false,
    huge: {},
    missing: { path: 'nowhere' },
    slow: {},
  },
  find_files: {
    good: { pattern: '*.ts' },
    bad: [
      [{}, /"pattern" .* missing/u],
      [{ pattern: '' }, /"pattern" needs at least 1/u],
      [{ pattern: 'a', limit: 1e9 }, /"limit" must be at most 1000/u],
    ],
    changes: false,
    huge: { pattern: 'many/*', limit: 1000 },
    missing: { pattern: 'a', path: 'nowhere' },
    slow: { pattern: 'a' },
  },
  search_text: {
    good: { pattern: 'const' },
    bad: [
      [{}, /"pattern" .* missing/u],
      [{ pattern: 'a', include: { glob: 1 } }, /"include" must be an array|include/u],
      [{ pattern: 'a', context: -1 }, /"context" must be at least 0/u],
    ],
    changes: false,
    huge: { pattern: 'line', limit: 2000 },
    missing: { pattern: 'a', path: 'nowhere' },
    slow: { pattern: 'x' },
  },
  edit_file: {
    good: { path: 'a.ts', edits: [{ old_string: 'const a = 1', new_string: 'const a = 2' }] },
    bad: [
      [{ path: 'a.ts' }, /"edits" .* missing/u],
      [{ path: 'a.ts', edits: [] }, /"edits" needs at least 1/u],
      [{ path: 'a.ts', edits: [{ old_string: 'x' }] }, /new_string" .* missing/u],
      [{ edits: [{ old_string: 'x', new_string: 'y' }] }, /"path" .* missing/u],
    ],
    changes: true,
    missing: { path: 'nowhere.ts', edits: [{ old_string: 'a', new_string: 'b' }] },
    slow: { path: 'a.ts', edits: [{ old_string: 'const a = 1', new_string: 'const a = 2' }] },
  },
  write_file: {
    good: { path: 'new/file.ts', content: 'x\n' },
    bad: [
      [{ path: 'a.ts' }, /"content" .* missing/u],
      [{ content: 'x' }, /"path" .* missing/u],
      [{ path: 'a', content: ['x'] }, /"content" must be a string/u],
    ],
    changes: true,
    slow: { path: 'new/file.ts', content: 'x\n' },
  },
  run_command: {
    good: { command: 'echo hello' },
    bad: [
      [{}, /"command" .* missing/u],
      [{ command: '' }, /"command" needs at least 1/u],
      [{ command: 'x', timeout: 0 }, /"timeout" must be/u],
      [{ command: 'x', background: true }, /no argument "background"/u],
    ],
    changes: true,
    huge: { command: 'seq 1 20000' },
    missing: { command: 'true', cwd: 'nowhere' },
    slow: { command: 'sleep 600' },
  },
  ask_human: {
    good: { question: 'Which one?', choices: ['a', 'b'] },
    bad: [
      [{}, /"question" .* missing/u],
      [{ question: 'x', choices: { a: 1 } }, /choices/u],
    ],
    changes: false,
    slow: { question: 'Which one?' },
    needsNoFolder: { question: 'Which one?' },
  },
  read_result: {
    good: { result_id: 'kept' },
    bad: [
      [{}, /"result_id" .* missing/u],
      [{ result_id: 'kept', offset: -5 }, /"offset" must be at least 0/u],
    ],
    changes: false,
    huge: { result_id: 'kept' },
    missing: { result_id: 'nothing' },
    needsNoFolder: { result_id: 'kept' },
  },
};

/** So many turns of promises later. */
async function later(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
}

describe('contract of tools', function () {
  this.timeout(60_000);

  let workspace: WorkspaceRig;

  beforeEach(async () => {
    const many = Array.from(
      { length: 30 },
      (_, index) => [`many/${'of-them-with-a-long-name-'.repeat(4)}${index}.txt`, 'x'] as const,
    );
    workspace = await WorkspaceRig.open({
      'a.ts': 'const a = 1;\nexport { a };\n',
      'src/b.ts': 'one\ntwo\nthree\nfour\n',
      'huge.txt': Array.from({ length: 5000 }, (_, index) => `line ${index} of a huge file`).join(
        '\n',
      ),
      ...Object.fromEntries(many),
    });
    workspace.said.push('the first');
    // Pages of results are as long as the limit of these tests.
    workspace.settings.set('tools.resultLimit', LIMIT);
    await workspace.rig.store.blobs.putResult(
      workspace.rig.session,
      'kept',
      'p'.repeat(LIMIT * 20),
    );
    await workspace.call('read_file', { path: 'a.ts' });
  });

  afterEach(async () => {
    await workspace.close();
  });

  it('covers every tool there is', () => {
    assert.deepEqual(
      Object.keys(SUBJECTS).toSorted(),
      workspace.rig.tools.map(({ name }) => name).toSorted(),
    );
  });

  it('E11: leaves out what the person switched off', async () => {
    const names = workspace.rig.tools.map(({ name }) => name);
    assert.deepEqual(names, [
      'read_file',
      'list_files',
      'find_files',
      'search_text',
      'edit_file',
      'write_file',
      'run_command',
      'ask_human',
      'read_result',
    ]);
  });

  for (const [name, subject] of Object.entries(SUBJECTS)) {
    describe(name, () => {
      const tool = (): Tool => workspace.rig.tools.find((candidate) => candidate.name === name)!;

      it('has a schema of at most 1 KB, with its description', () => {
        const { description, inputSchema } = tool();
        const bytes = new TextEncoder().encode(
          JSON.stringify({ name, description, input_schema: inputSchema }),
        ).length;
        assert.ok(bytes <= 1024, `${bytes} bytes`);
        assert.equal(inputSchema['type'], 'object');
        assert.equal(JSON.stringify(inputSchema).includes('$schema'), false);
      });

      it('works, and shows a card', async () => {
        const outcome = await workspace.call(name, subject.good);
        assert.equal(outcome.result.state, 'done', textOf(outcome));
        assert.equal(typeof outcome.result.display?.['kind'], 'string');
        assert.equal(typeof outcome.result.elapsedMs, 'number');
        JSON.stringify(outcome.result);
      });

      it('says truly whether it has side effects', async () => {
        assert.equal(tool().sideEffects, subject.changes);
        assert.equal(tool().permission !== 'none', subject.changes);
        const before = await workspace.snapshot();
        await workspace.call(name, subject.good);
        if (!subject.changes) assert.deepEqual(await workspace.snapshot(), before);
      });

      it('B4: refuses bad arguments with a sentence that names them, and does nothing', async () => {
        const before = await workspace.snapshot();
        for (const [input, about] of subject.bad) {
          const text = await workspace.failure(name, input);
          assert.match(text, about);
          assert.match(text, /not valid, so it was not run/u);
        }
        assert.deepEqual(await workspace.snapshot(), before);
      });

      it('c04: survives arguments of every wrong kind, and names of prototypes', async () => {
        const strange = [
          null,
          0,
          '',
          [],
          {},
          true,
          'x'.repeat(10_000),
          [null],
          { __proto__: null },
        ];
        const properties = Object.keys(tool().inputSchema['properties'] as JsonObject);
        for (const property of [...properties, '__proto__', 'constructor', 'toString']) {
          for (const value of strange) {
            const input: JsonObject = Object.fromEntries<Json>([
              ...Object.entries(subject.good),
              [property, value],
            ]);
            const checked = tool().check(input);
            if ('problem' in checked) assert.match(checked.problem, /\.$/u);
          }
        }
        assert.equal(({} as { admin?: unknown }).admin, undefined);
      });

      it('A13: takes no identity from the model', async () => {
        const forged = {
          session_id: 'other',
          runId: 'other',
          user_id: 'root',
          workspaceId: 'other',
        };
        const outcome = await workspace.call(name, { ...subject.good, ...forged });
        assert.equal(outcome.result.state, 'done', textOf(outcome));
      });

      it('changes nothing without permission', async () => {
        const before = await workspace.snapshot();
        workspace.mode = 'read';
        const outcome = await workspace.call(name, subject.good);
        assert.equal(outcome.result.state, subject.changes ? 'failed' : 'done', textOf(outcome));
        if (subject.changes) assert.equal(outcome.failure?.code, 'permission');
        assert.deepEqual(await workspace.snapshot(), before);
      });

      it('D4: does nothing when the run is stopped already', async () => {
        const before = await workspace.snapshot();
        workspace.rig.abort.abort('canceled');
        assert.equal((await workspace.call(name, subject.good)).result.state, 'canceled');
        assert.deepEqual(await workspace.snapshot(), before);
      });

      if (subject.slow !== undefined) {
        const { slow } = subject;
        it('D4: stops in the middle, and does no more', async () => {
          const before = await workspace.snapshot();
          workspace.said.length = 0;
          const { rig } = workspace;
          // Some steps after the start, but before any input or output can have ended.
          const emit = (event: { readonly type: string }): void => {
            if (event.type === 'tool.started')
              void later(20).then(() => rig.abort.abort('canceled'));
          };
          const running = workspace.call(name, slow, { emit });
          const outcome = await running;
          assert.equal(outcome.result.state, 'canceled', textOf(outcome));
          assert.match(textOf(outcome), /^Canceled by the user\./u);
          assert.deepEqual(await workspace.snapshot(), before);
        });
      }

      if (subject.huge !== undefined) {
        const { huge } = subject;
        it('E3: a huge result is bounded', async () => {
          const outcome = await workspace.call(name, huge);
          assert.equal(outcome.result.state, 'done', textOf(outcome));
          assert.ok(textOf(outcome).length <= LIMIT + 400, `${textOf(outcome).length} characters`);
          assert.ok(JSON.stringify(outcome.result.display).length < 6000, 'the card is too big');
        });
      }

      if (subject.missing !== undefined) {
        const { missing } = subject;
        it('says that something is not there, and what to do', async () => {
          const outcome = await workspace.call(name, missing);
          assert.equal(outcome.result.state, 'failed');
          assert.equal(outcome.failure?.code, 'not_found');
          assert.match(textOf(outcome), /nowhere|nothing/u);
          assert.match(textOf(outcome), /\. .*[.?]$/u, 'no way on is named');
        });
      }

      it('E11: says what to do when no folder is open', async () => {
        workspace.rig.roots = [];
        const outcome = await workspace.call(name, subject.needsNoFolder ?? subject.good);
        if (subject.needsNoFolder !== undefined) assert.equal(outcome.result.state, 'done');
        else {
          assert.equal(outcome.result.state, 'failed');
          assert.match(textOf(outcome), /No folder is open.*Open Folder/u);
        }
      });
    });
  }

  it('all schemas and descriptions together stay below 1,700 tokens', async () => {
    const { encode } = await import('gpt-tokenizer/encoding/cl100k_base');
    const text = JSON.stringify(
      workspace.rig.tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: inputSchema,
      })),
    );
    const tokens = encode(text).length;
    assert.ok(tokens <= 1700, `${tokens} tokens`);
  });
});
