import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../src/domain/data/json.ts';
import type { Tool } from '../../../src/core/tool-call/tool-call.ts';
import { LIMIT, textOf } from '../../unit/tool-call/rig.ts';
import { SAMPLES, sampleFiles } from './samples.ts';
import { WorkspaceRig } from './workspace-rig.ts';

/** So many turns of promises later. */
async function later(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
}

/** A value that is of none of the types that a schema allows and cannot be put right. */
function wrongFor(schema: JsonObject): Json {
  const types = [schema['type']].flat();
  if (types.includes('object')) return 'no object';
  return types.includes('array') ? { no: 'array' } : { no: 'such type' };
}

describe('contract of tools', function () {
  this.timeout(60_000);

  let workspace: WorkspaceRig;

  beforeEach(async () => {
    workspace = await WorkspaceRig.open(sampleFiles(), SAMPLES);
    workspace.said.push('the first');
    // Pages of results are as long as the limit of these tests.
    workspace.settings.set('advanced.maxToolResultChars', LIMIT);
    await workspace.rig.store.blobs.putResult(
      workspace.rig.session,
      'kept',
      'p'.repeat(LIMIT * 20),
    );
    await workspace.call('read_file', { files: [{ path: 'a.ts' }] });
  });

  afterEach(async () => {
    await workspace.close();
  });

  it('covers every tool there is', () => {
    assert.deepEqual(Object.keys(SAMPLES), workspace.rig.tools.map(({ name }) => name).toSorted());
  });

  for (const [name, sample] of Object.entries(SAMPLES)) {
    describe(name, () => {
      const tool = (): Tool => workspace.rig.tools.find((candidate) => candidate.name === name)!;
      const properties = (): Readonly<Record<string, JsonObject>> =>
        tool().inputSchema['properties'] as Readonly<Record<string, JsonObject>>;
      const refusal = (input: JsonObject): string => {
        const checked = tool().check(input);
        assert.ok('problem' in checked, `${JSON.stringify(input).slice(0, 200)} is taken`);
        return checked.problem;
      };

      beforeEach(async () => {
        await sample.prepare?.(workspace);
        if (sample.attended === true) workspace.mode = 'edit';
      });

      it('has a schema of at most 1 KB, with its description, and examples of lists', () => {
        const { description, inputSchema } = tool();
        const text = JSON.stringify({ name, description, input_schema: inputSchema });
        const bytes = new TextEncoder().encode(text).length;
        assert.ok(bytes <= 1024, `${bytes} bytes`);
        assert.equal(inputSchema['type'], 'object');
        assert.equal(text.includes('$schema'), false);
        assert.match(description, /^[A-Z].*\.$/su);
        for (const [property, { type, items, description: said }] of Object.entries(properties())) {
          if (type !== 'array' || (items as JsonObject)['type'] !== 'object') continue;
          assert.match(
            JSON.stringify(said).replaceAll('\\', ''),
            /\[\{".*\}\]/u,
            `"${property}" needs an example of a list`,
          );
        }
      });

      it('works, and shows a card', async () => {
        assert.notEqual(await tool().available?.(), false);
        const outcome = await workspace.call(name, sample.good);
        assert.equal(outcome.result.state, 'done', textOf(outcome));
        assert.equal(typeof outcome.result.display?.['kind'], 'string');
        assert.equal(typeof outcome.result.elapsedMs, 'number');
        JSON.stringify(outcome.result);
      });

      it('says truly whether it has side effects', async () => {
        assert.equal(tool().sideEffects, sample.changes);
        assert.equal(tool().permission !== 'none', sample.asks ?? sample.changes);
        const before = await workspace.snapshot();
        await workspace.call(name, sample.good);
        if (!sample.changes) assert.deepEqual(await workspace.snapshot(), before);
      });

      it('B4: refuses bad arguments with a sentence that names them, and does nothing', async () => {
        const before = await workspace.snapshot();
        for (const [input, about] of sample.bad) {
          const text = await workspace.failure(name, input);
          assert.match(text, about);
          assert.match(text, /not valid, so it was not run/u);
        }
        assert.deepEqual(await workspace.snapshot(), before);
      });

      it('B4: names what is missing, of a wrong type, or unknown', () => {
        for (const required of (tool().inputSchema['required'] ?? []) as string[]) {
          const { [required]: _, ...rest } = sample.good;
          assert.ok(refusal(rest).includes(`"${required}"`), refusal(rest));
        }
        for (const [property, schema] of Object.entries(properties())) {
          if (schema['type'] === undefined) continue;
          const problem = refusal({ ...sample.good, [property]: wrongFor(schema) });
          assert.ok(problem.includes(property), problem);
        }
        const unknown = refusal({ ...sample.good, no_such_argument: 1 });
        assert.match(unknown, /no_such_argument/u);
      });

      it('c04: survives arguments of every wrong kind, and names of prototypes', async () => {
        const strange = [
          null,
          0,
          -1,
          1e308,
          '',
          [],
          {},
          true,
          'x'.repeat(1_000_000),
          Array.from({ length: 10_000 }, () => 'x'),
          [null],
          { __proto__: null },
        ];
        for (const property of [
          ...Object.keys(properties()),
          '__proto__',
          'constructor',
          'toString',
        ]) {
          for (const value of strange) {
            const input: JsonObject = Object.fromEntries<Json>([
              ...Object.entries(sample.good),
              [property, value],
            ]);
            const checked = tool().check(input);
            if (!('problem' in checked)) continue;
            assert.match(checked.problem, /\.$/u);
            assert.ok(checked.problem.length < 4000, `${checked.problem.length} characters`);
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
        const outcome = await workspace.call(name, { ...sample.good, ...forged });
        assert.equal(outcome.result.state, 'done', textOf(outcome));
      });

      it('changes nothing without permission', async () => {
        const asks = sample.asks ?? sample.changes;
        const before = await workspace.snapshot();
        workspace.mode = 'read';
        const outcome = await workspace.call(name, sample.good);
        assert.equal(outcome.result.state, asks ? 'failed' : 'done', textOf(outcome));
        if (asks) assert.equal(outcome.failure?.code, 'permission');
        assert.deepEqual(await workspace.snapshot(), before);
      });

      it('D4: does nothing when the run is stopped already', async () => {
        const before = await workspace.snapshot();
        workspace.rig.abort.abort('canceled');
        assert.equal((await workspace.call(name, sample.good)).result.state, 'canceled');
        assert.deepEqual(await workspace.snapshot(), before);
      });

      if (sample.slow !== undefined) {
        const { slow } = sample;
        it('D4: stops in the middle, and does no more', async () => {
          const before = await workspace.snapshot();
          workspace.said.length = 0;
          const { rig } = workspace;
          // Some steps after the start, but before any input or output can have ended.
          const emit = (event: { readonly type: string }): void => {
            if (event.type === 'tool.started')
              void later(20).then(() => rig.abort.abort('canceled'));
          };
          const outcome = await workspace.call(name, slow, { emit });
          assert.equal(outcome.result.state, 'canceled', textOf(outcome));
          assert.match(textOf(outcome), /^Canceled by the user\./u);
          assert.deepEqual(await workspace.snapshot(), before);
        });
      }

      if (sample.huge !== undefined) {
        const { huge } = sample;
        it('E3: a huge result is bounded', async () => {
          const outcome = await workspace.call(name, huge);
          assert.equal(outcome.result.state, 'done', textOf(outcome));
          assert.ok(textOf(outcome).length <= LIMIT + 400, `${textOf(outcome).length} characters`);
          assert.ok(JSON.stringify(outcome.result.display).length < 6000, 'the card is too big');
        });
      }

      if (sample.missing !== undefined) {
        const { missing } = sample;
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
        const outcome = await workspace.call(name, sample.needsNoFolder ?? sample.good);
        if (sample.needsNoFolder !== undefined)
          assert.equal(outcome.result.state, 'done', textOf(outcome));
        else {
          assert.equal(outcome.result.state, 'failed');
          assert.match(textOf(outcome), /No folder is open.*Open Folder/u);
        }
      });
    });
  }

  it('all common schemas and descriptions together stay below 2,100 tokens', async () => {
    const { encode } = await import('gpt-tokenizer/encoding/cl100k_base');
    const text = JSON.stringify(
      workspace.rig.tools
        .filter(({ rare }) => rare !== true)
        .map(({ name, description, inputSchema }) => ({
          name,
          description,
          input_schema: inputSchema,
        })),
    );
    const tokens = encode(text).length;
    assert.ok(tokens <= 2100, `${tokens} tokens`);
  });
});
