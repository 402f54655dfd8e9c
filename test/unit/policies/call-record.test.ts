import assert from 'node:assert/strict';
import type { Message, ToolCallPart, ToolResultPart } from '../../../src/domain/message.ts';
import { callRecord, callRecordsOf, MOST_CALLS } from '../../../src/core/policies/call-record.ts';

const part = (id: string, input: ToolCallPart['input'] = {}): ToolCallPart => ({
  type: 'tool_call',
  id,
  name: 'read_file',
  input,
});
const result = (
  callId: string,
  text: string,
  changes: Partial<ToolResultPart> = {},
): ToolResultPart => ({
  type: 'tool_result',
  callId,
  name: 'read_file',
  state: 'done',
  content: [{ type: 'text', text }],
  ...changes,
});

describe('call records', () => {
  it('C2: equal arguments in another order are the same call', () => {
    const one = callRecord(part('1', { a: 1, b: [2, { d: 3, c: 4 }] }), result('1', 'x'), true, 1);
    const two = callRecord(part('2', { b: [2, { c: 4, d: 3 }], a: 1 }), result('2', 'x'), true, 1);
    assert.equal(one.args, two.args);
    assert.equal(one.resultHash, two.resultHash);
  });

  it('C2: a command that is only written otherwise is the same call', () => {
    const args = (command: string): string =>
      callRecord(part('1', { command, cwd: 'a' }), result('1', 'x'), false, 1).args;
    for (const command of [
      '  npm  test -- "a b"\n',
      "npm test -- 'a b' # once more",
      '# again\nnpm test -- "a b"',
      'npm test -- "a b"; true',
      'npm "test" -- a\\ b || true',
      'true && npm test -- "a b" && : ;',
    ])
      assert.equal(args(command), args('npm test -- "a b"'), command);
    for (const [one, other] of [
      ['npm test', 'npm run test'],
      ['echo "# a" > a.md', 'echo "# b" > a.md'],
      ['cat > a.md <<E\n# a\nE', 'cat > a.md <<E\n# b\nE'],
      ['echo a#1', 'echo a#2'],
      ['true', 'false || true'],
      [`echo '${'a '.repeat(20_000)}'`, `echo '${'a '.repeat(20_001)}'`],
    ] as const)
      assert.notEqual(args(one), args(other), one);
    assert.notEqual(
      args('npm test'),
      callRecord(part('1', { command: 'npm test', cwd: 'b' }), result('1', 'x'), false, 1).args,
    );
  });

  it('C2: another text, or the same text of another file, is another result', () => {
    const hash = (given: ToolResultPart): string =>
      callRecord(part('1'), given, true, 1).resultHash;
    const hashes = [
      hash(result('1', 'x')),
      hash(result('1', 'y')),
      hash(result('1', 'x', { files: [{ path: 'a' }] })),
      hash(result('1', 'x', { files: [{ path: 'b' }] })),
      hash(result('1', 'x', { files: [{ path: 'b', line: 1 }] })),
      hash(result('1', 'x', { files: [{ path: 'b', line: 2 }] })),
      hash(result('1', 'x', { files: [{ path: 'b', line: 3 }] })),
    ];
    assert.equal(new Set(hashes).size, hashes.length);
    assert.equal(
      hash(result('1', 'x', { elapsedMs: 1 })),
      hash(result('1', 'x', { elapsedMs: 2 })),
    );
  });

  it('C2: two searches without a match say the same, however they name what they looked for', () => {
    const hash = (text: string, display: NonNullable<ToolResultPart['display']>): string =>
      callRecord(part('1'), result('1', text, { display }), true, 1).resultHash;
    const matches = (pattern: string, count: number) => ({
      kind: 'matches',
      pattern,
      matches: count,
      files: count,
      complete: true,
    });
    const files = (pattern: string, count: number) => ({
      kind: 'files',
      pattern,
      count,
      complete: true,
    });
    const none = hash('No match for "a".', matches('a', 0));
    assert.equal(hash('No match for "b".', matches('b', 0)), none);
    assert.equal(
      hash('No file matches "a".', files('a', 0)),
      hash('No file matches "b".', files('b', 0)),
    );
    assert.notEqual(hash('1 match: a', matches('a', 1)), none);
    assert.notEqual(hash('1 match: b', matches('b', 1)), hash('1 match: a', matches('a', 1)));
    const failed = result('1', 'No match for "a".', { display: matches('a', 0), state: 'failed' });
    assert.notEqual(callRecord(part('1'), failed, true, 1).resultHash, none);
  });

  it('C2: two unusable inputs are told apart by what came', () => {
    const broken = (raw: string) =>
      callRecord({ ...part('1'), invalid: { problem: 'no JSON', raw } }, result('1', 'x'), true, 1)
        .args;
    assert.notEqual(broken('{"a'), broken('{"b'));
  });

  it('C8: a resumed run gets the records of its own calls, the last fifty, with their iterations', () => {
    const messages: Message[] = [];
    const add = (role: Message['role'], runId: string, parts: Message['parts']): void => {
      messages.push({
        id: `m${messages.length}`,
        sessionId: 's',
        runId,
        seq: messages.length + 1,
        role,
        parts,
        createdAt: 0,
      });
    };
    add('assistant', 'old', [part('old')]);
    add('tool', 'old', [result('old', 'x')]);
    for (let n = 1; n <= 60; n += 1) {
      add('assistant', 'run', [part(`c${n}`)]);
      add('tool', 'run', [result(`c${n}`, `${n}`)]);
    }
    add('assistant', 'run', [part('open')]);
    const records = callRecordsOf(messages, 'run', (tool) => tool === 'read_file');
    assert.equal(records.length, MOST_CALLS);
    assert.deepEqual([records[0]?.callId, records[0]?.iteration], ['c11', 11]);
    assert.deepEqual([records.at(-1)?.callId, records.at(-1)?.iteration], ['c60', 60]);
    assert.ok(records.every((record) => record.idempotent));
  });
});
