import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import type { Tool } from '../../../src/core/tool-call/tool-call.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import { part, Rig, textOf } from './rig.ts';

describe('answers to calls that do not work', () => {
  let rig: Rig;

  beforeEach(async () => {
    rig = await Rig.open();
  });

  it('B4: an unknown tool is answered with the tools there are', async () => {
    rig.tool('read_file', () => '');
    rig.tool('run_command', () => '');
    const outcome = await rig.call('read_files');
    assert.equal(outcome.result.state, 'failed');
    assert.equal(outcome.failure?.code, 'invalid');
    assert.equal(
      textOf(outcome),
      'There is no tool named "read_files". Use one of these: read_file, run_command.',
    );
    assert.deepEqual(outcome.result.display, { kind: 'rejected_call', mistake: 'unknown_tool' });
  });

  it('B4: where there are no tools, the model is told to answer in words', async () => {
    assert.match(textOf(await rig.call('x')), /No tools are available now/u);
  });

  it('c05: a name that every object has is still unknown', async () => {
    for (const name of ['constructor', '__proto__', 'toString', '']) {
      assert.match(textOf(await rig.call(name)), /There is no tool named/u);
    }
  });

  it('c01: a call whose input could not be parsed is answered with the problem and never run', async () => {
    const look = rig.tool('look', () => '');
    const outcome = await rig.toolCall({
      part: {
        ...part('look'),
        invalid: { problem: 'The JSON ends after "path".', raw: '{"path": ' },
      },
      context: rig.context('call-1'),
    });
    assert.equal(outcome.result.state, 'failed');
    assert.match(
      textOf(outcome),
      /could not be read, so it was not run: The JSON ends after "path"\. They began with: \{"path": /u,
    );
    assert.equal(look.runs, 0);
    assert.equal(await rig.row(), undefined);
  });

  it('B4: an input that does not fit is answered with what to change and never run', async () => {
    const look = rig.tool('look', () => '', {
      check: () => ({ problem: '"path" must be a string.' }),
    });
    const outcome = await rig.call('look', { path: 1 });
    assert.equal(
      textOf(outcome),
      'The arguments of look are not valid, so it was not run: "path" must be a string.',
    );
    assert.deepEqual(outcome.result.display, { kind: 'rejected_call', mistake: 'wrong_arguments' });
    assert.equal(look.runs, 0);
  });

  it('runs with the input as the check left it', async () => {
    let seen: JsonObject | undefined;
    rig.tool(
      'look',
      (input) => {
        seen = input;
        return '';
      },
      { check: () => ({ input: { path: 'checked' } }) },
    );
    await rig.call('look', { path: 'raw' });
    assert.deepEqual(seen, { path: 'checked' });
  });

  describe('A13: identity', () => {
    const cases: readonly {
      readonly name: string;
      readonly input: JsonObject;
      readonly identity?: NonNullable<Tool['identity']>;
      readonly declared?: readonly string[];
      readonly seen: JsonObject;
    }[] = [
      {
        name: 'a forged id is overwritten where the tool gets one',
        input: { session_id: 'forged', text: 'x' },
        identity: { session_id: 'sessionId' },
        declared: ['session_id', 'text'],
        seen: { session_id: 'SESSION', text: 'x' },
      },
      {
        name: 'an id is filled in where the model sent none',
        input: {},
        identity: { run: 'runId', call: 'callId' },
        declared: ['run', 'call'],
        seen: { run: 'RUN', call: 'call-1' },
      },
      {
        name: 'forged ids that the tool does not know are dropped',
        input: { userId: 'u', workspace_id: 'w', run_id: 'r', path: 'p' },
        declared: ['path'],
        seen: { path: 'p' },
      },
      {
        name: 'a forged user is not taken, also where nobody knows who it is',
        input: { user: 'forged', text: 'x' },
        identity: { user: 'userId' },
        declared: ['user', 'text'],
        seen: { text: 'x' },
      },
      {
        name: 'an id that a foreign schema declares as its own stays',
        input: { session_id: 'browser-1' },
        declared: ['session_id'],
        seen: { session_id: 'browser-1' },
      },
      {
        name: 'an ordinary input is left as it is',
        input: { path: 'p', id: 'mine' },
        declared: ['path'],
        seen: { path: 'p', id: 'mine' },
      },
      {
        name: 'a forged prototype reaches nothing',
        input: JSON.parse('{"__proto__": {"admin": true}, "userId": "u"}') as JsonObject,
        seen: JSON.parse('{"__proto__": {"admin": true}}') as JsonObject,
      },
    ];
    for (const { name, input, identity, declared = [], seen } of cases) {
      it(name, async () => {
        let got: JsonObject | undefined;
        const properties = Object.fromEntries(declared.map((key) => [key, { type: 'string' }]));
        rig.tool(
          'use',
          (given) => {
            got = given;
            return '';
          },
          {
            inputSchema: { type: 'object', properties },
            ...(identity === undefined ? {} : { identity }),
          },
        );
        await rig.call('use', input);
        const expected = JSON.stringify(seen)
          .replace('SESSION', rig.session)
          .replace('RUN', rig.run);
        assert.equal(JSON.stringify(got), expected);
        assert.equal((got as { admin?: unknown }).admin, undefined);
      });
    }
  });

  it('E10: what a tool throws on purpose is a result with its sentence', async () => {
    rig.tool('look', () => {
      throw new BelayError({ code: 'not_found', message: 'a.ts does not exist. Look for it.' });
    });
    const outcome = await rig.call('look');
    assert.equal(outcome.result.state, 'failed');
    assert.equal(outcome.failure?.code, 'not_found');
    assert.equal(textOf(outcome), 'a.ts does not exist. Look for it.');
    assert.deepEqual(rig.errors, []);
  });

  const defects: Readonly<Record<string, unknown>> = {
    'an error': new TypeError('x is not a function'),
    'a text': 'a string',
    nothing: undefined,
    'an object': { odd: true },
  };
  for (const [what, thrown] of Object.entries(defects)) {
    it(`A14: a defect (${what} thrown) is a result for the model and a stack in the log`, async () => {
      rig.tool('look', () => {
        throw thrown;
      });
      const outcome = await rig.call('look');
      assert.equal(outcome.result.state, 'failed');
      assert.equal(outcome.failure?.code, 'unexpected');
      assert.match(textOf(outcome), /^look failed unexpectedly: .*check before you repeat it/su);
      assert.doesNotMatch(textOf(outcome), /at .*\.ts:\d+/u, 'a stack reached the model');
      assert.equal(rig.errors.length, 1);
      if (thrown instanceof Error) assert.match(rig.errors[0] ?? '', /answers\.test\.ts/u);
    });
  }

  it('A14: a defect of a wrapper is caught, too', async () => {
    rig.tool('look', () => '');
    rig.decision = () => {
      throw new TypeError('broken rule');
    };
    const outcome = await rig.call('look');
    assert.equal(outcome.result.state, 'failed');
    assert.match(textOf(outcome), /broken rule/u);
    assert.equal(rig.errors.length, 1);
  });

  it('D4: a call that was stopped before it began did not run', async () => {
    const look = rig.tool('look', () => '');
    rig.abort.abort('canceled');
    const outcome = await rig.call('look');
    assert.equal(outcome.result.state, 'canceled');
    assert.match(textOf(outcome), /^Canceled by the user\.$/u);
    assert.equal(look.runs, 0);
  });

  it('D4: a call that is stopped while it works says what it had done', async () => {
    rig.tool('look', async (_, { signal }) => {
      rig.abort.abort('time_limit');
      assert.equal(signal.aborted, true);
      throw new BelayError({ code: 'canceled', message: 'It had read two of three files.' });
    });
    const outcome = await rig.call('look');
    assert.equal(outcome.result.state, 'canceled');
    assert.equal(
      textOf(outcome),
      'Canceled: the time limit of the run was reached. It had read two of three files.',
    );
  });
});
