import assert from 'node:assert/strict';
import type { Message, Part } from '../../../src/domain/message.ts';
import type { RunEvent } from '../../../src/domain/event.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import {
  checkedFile,
  checkedIn,
  withChecked,
} from '../../../src/core/review/evidence/checked-files.ts';
import { type EvidenceOf, evidenceOf } from '../../../src/core/review/evidence/change-evidence.ts';
import { EvidenceRecords } from '../../../src/core/review/evidence/evidence-records.ts';
import { newProblems } from '../../../src/core/review/evidence/new-problems.ts';
import { factsOf, noteOf } from '../../../src/core/review/evidence/session-facts.ts';
import { agentEdited } from '../../../src/core/review/model/agent-edits.ts';
import {
  type Attribution,
  newReview,
  textContent,
} from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { silentLog } from '../../support/memory-recorder.ts';

const problem = (
  line: number,
  message = 'wrong',
  severity: 'error' | 'warning' | 'hint' = 'error',
) => ({
  line,
  path: '/w/a.ts',
  column: 1,
  severity,
  message,
  source: 'ts',
  code: '1',
});
const by = (callId: string, at: number): Attribution => ({
  by: 'agent',
  sessionId: 's',
  messageId: 'request',
  callId,
  tool: 'edit_file',
  why: 'because',
  at,
});
/** A change of one line by a call. */
const change = (callId = 'edit', at = 100): EvidenceOf => {
  const review = agentEdited(
    newReview('/w/a.ts', textContent('1\n2')),
    textContent('1\nx'),
    by(callId, at),
  );
  return { kind: 'written', review, hunk: hunksOf(review)[0] };
};
let seq = 0;
const message = (
  role: Message['role'],
  parts: readonly Part[],
  more: Partial<Message> = {},
): Message => ({
  id: `m${(seq += 1)}`,
  sessionId: 's',
  seq,
  role,
  parts,
  createdAt: 1000,
  ...more,
});
const text = (said: string): Part => ({ type: 'text', text: said });
const call = (id: string): Part => ({ type: 'tool_call', id, name: 'edit_file', input: {} });
const result = (callId: string, name: string, display: JsonObject, elapsedMs?: number): Part =>
  ({
    type: 'tool_result',
    callId,
    name,
    content: '',
    display,
    ...(elapsedMs === undefined ? {} : { elapsedMs }),
  }) as unknown as Part;
const tested = (callId: string, display: JsonObject = {}): Part =>
  result(callId, 'run_tests', {
    kind: 'tests',
    command: 'npm test',
    exitCode: 0,
    passed: 1,
    ...display,
  });

describe('evidence of a change: problems', () => {
  it('what was there before is not new, wherever it moved; of several alike the farthest is', () => {
    const lines = (before: readonly number[], after: readonly number[]): readonly number[] =>
      newProblems(
        before.map((line) => problem(line)),
        after.map((line) => problem(line)),
      ).map(({ line }) => line);
    assert.deepEqual(lines([], [1]), [1]);
    assert.deepEqual(lines([5], [9]), []);
    assert.deepEqual(lines([5], [1, 6, 20]), [1, 20]);
    assert.deepEqual(lines([10], [2, 11]), [2]);
    assert.deepEqual(lines([10, 11], [11, 30, 12]), [30]);
    assert.deepEqual(newProblems([problem(1, 'one')], [problem(1, 'two')]).length, 1);
  });

  it('of a file the errors and warnings are kept, thirty at most, and it says when there were more', () => {
    const many = (count: number) => Array.from({ length: count }, (_, line) => problem(line));
    const of = (before: number, after: number) =>
      checkedFile({ path: '/w/a.ts', at: 1, answered: true }, many(before), many(after));
    assert.equal(of(30, 30).cut, undefined);
    assert.equal(of(31, 0).cut, true);
    assert.deepEqual([of(0, 31).cut, of(0, 31).after.length], [true, 30]);
    const file = checkedFile(
      { path: '/w/a.ts', at: 1, answered: false },
      [problem(1, 'x'.repeat(300), 'warning'), problem(2, 'y', 'hint')],
      [],
    );
    assert.deepEqual(
      file.before.map((one) => [one.severity, one.message.length]),
      [['warning', 200]],
    );
    assert.deepEqual(checkedIn(withChecked({ kind: 'x' }, [file, of(31, 1)])), [file, of(31, 1)]);
    assert.equal(withChecked(undefined, []), undefined);
    const strange = {
      checked: [
        1,
        {},
        {
          path: '/a',
          at: 1,
          before: [
            1,
            { line: 1 },
            { line: 'x', severity: 'error' },
            { line: 2, severity: 'error' },
          ],
        },
      ],
    };
    assert.deepEqual(checkedIn(strange), [
      {
        path: '/a',
        at: 1,
        answered: false,
        before: [{ line: 2, severity: 'error', message: '', source: '', code: '' }],
        after: [],
      },
    ]);
  });
});

describe('evidence of a change: what its session says', () => {
  it('a call says what was said last before it, since the last request', () => {
    const notes = [
      message('user', [text('  Double\n it, ')], { id: 'request' }),
      message('assistant', [text('First.\n\nThe side.\n\n---'), call('one'), call('two')]),
      message('assistant', [text('Behind.')]),
      message('assistant', [call('three')]),
      message('user', [text('Again')]),
      message('assistant', [call('four')]),
    ].map((one) => noteOf(one, () => undefined));
    const { calls, requests } = factsOf(notes);
    assert.deepEqual(
      [...calls].map(([id, { said }]) => [id, said]),
      [
        ['one', 'The side.'],
        ['two', 'The side.'],
        ['three', 'Behind.'],
        ['four', ''],
      ],
    );
    assert.equal(requests.get('request'), 'Double it,');
    const long = noteOf(message('assistant', [text('a'.repeat(300) + 'b')]), () => undefined).said;
    assert.deepEqual([long.length, long.at(0), long.at(-1)], [300, '…', 'b']);
    assert.equal(
      noteOf(message('assistant', [text('a'.repeat(300))]), () => undefined).said,
      'a'.repeat(300),
    );
  });

  it('tests passed only with what proves it', () => {
    const cases: readonly (readonly [JsonObject, string])[] = [
      [{}, 'passed'],
      [{ passed: 0 }, 'unclear'],
      [{ failed: 1 }, 'failed'],
      [{ failed: 0 }, 'passed'],
      [{ exitCode: 1 }, 'failed'],
      [{ exitCode: null }, 'failed'],
      [{ timedOut: true }, 'failed'],
      [{ tests: 'hidden' }, 'unclear'],
      [{ tests: 'hidden', exitCode: 1 }, 'unclear'],
    ];
    for (const [display, is] of cases)
      assert.equal(
        noteOf(message('tool', [tested('t', display)]), () => 5).tests[0]?.result,
        is,
        JSON.stringify(display),
      );
    const command = { kind: 'command', exitCode: 0, passed: 1 };
    const run = (display: JsonObject, elapsedMs?: number) =>
      noteOf(message('tool', [result('t', 'run_command', display, elapsedMs)]), () => undefined)
        .tests;
    assert.deepEqual(run(command), [], 'no test runner');
    assert.deepEqual(run({ ...command, kind: 'other', tests: 'seen' }), []);
    assert.equal(run({ ...command, tests: 'seen' }, 300)[0]?.at, 700, 'it began before its answer');
    assert.equal(run({ ...command, tests: 'seen' })[0]?.command, 'run_command');
  });

  it('a run of tests counts when it began after the change, and covers what the file is now', () => {
    const doubts = (
      startedAt: number,
      file: { modifiedAt?: number; unsaved?: boolean } = {},
      display: JsonObject = {},
    ) => {
      const notes = [
        noteOf(message('user', [text('x')], { id: 'request' }), () => undefined),
        noteOf(message('assistant', [call('edit'), call('test')]), () => undefined),
        noteOf(
          message('tool', [
            result(
              'edit',
              'edit_file',
              withChecked({}, [
                checkedFile({ path: '/w/a.ts', at: 200, answered: true }, [], []),
              ]) ?? {},
            ),
            tested('test', display),
          ]),
          () => startedAt,
        ),
      ];
      const { doubts: found } = evidenceOf(change(), () => factsOf(notes), {
        unsaved: false,
        ...file,
      });
      return found;
    };
    assert.deepEqual(doubts(100), []);
    assert.deepEqual(doubts(99), ['not tested']);
    assert.deepEqual(doubts(150, { modifiedAt: 150.9 }), []);
    assert.deepEqual(doubts(150, { modifiedAt: 151 }), ['not tested']);
    assert.deepEqual(doubts(300, { modifiedAt: 200.5 }), []);
    assert.deepEqual(doubts(300, { modifiedAt: 201 }), ['changed since checked']);
    assert.deepEqual(doubts(150, { unsaved: true }), ['unsaved', 'not tested']);
    assert.deepEqual(doubts(150, {}, { failed: 2 }), ['tests failed']);
    assert.deepEqual(doubts(150, {}, { passed: 0 }), ['tests unclear']);
  });
});

describe('evidence of a change: from what is on record', () => {
  const told = new Set<(event: RunEvent) => void>();
  let read = 0;
  const recordsOf = (messages: readonly Message[]) =>
    new EvidenceRecords({
      transcripts: {
        messages: ({ beforeSeq = Infinity, afterSeq = 0, limit = Infinity }) => {
          read += 1;
          const all = messages.filter((one) => one.seq < beforeSeq && one.seq > afterSeq);
          return Promise.resolve(Number.isFinite(limit) ? all.slice(-limit) : all);
        },
      },
      runs: { ledgerEntry: () => Promise.resolve({ startedAt: 150 } as never) },
      broker: {
        listen: (listener: (event: RunEvent) => void) => {
          told.add(listener);
          return { dispose: () => void told.delete(listener) };
        },
      },
      stat: () => Promise.resolve({ modifiedAt: 100 }),
      log: silentLog,
    });
  const heard = (records: EvidenceRecords): Promise<void> =>
    new Promise((resolve) => {
      const listening = records.onLearned(() => {
        listening.dispose();
        resolve();
      });
    });
  const added = (one: Message): void => {
    for (const listener of told)
      listener({ type: 'message.added', sessionId: 's', message: one } as unknown as RunEvent);
  };
  beforeEach(() => {
    seq = 0;
    read = 0;
    told.clear();
  });
  const session = (): Message[] => [
    message('user', [text('Double it.')], { id: 'request' }),
    message('assistant', [text('So.'), call('edit')], { runId: 'r' }),
  ];
  const saidOf = async (records: EvidenceRecords): Promise<string | undefined> =>
    (await records.of([change()]))[0]?.calls[0]?.said;

  it('the calls of a change are looked for page by page from the end, and not again when they are not there', async () => {
    const far = [
      ...session(),
      ...Array.from({ length: 401 }, () => message('assistant', [text('.')])),
    ];
    assert.equal(await saidOf(recordsOf(far)), 'So.');
    assert.equal(read, 3);
    const records = recordsOf(far);
    await records.of([change('nobody')]);
    const looked = read;
    const [none] = await records.of([change('nobody')]);
    assert.deepEqual([none?.calls[0]?.said, none?.doubts.includes('unknown')], ['because', true]);
    assert.equal(read, looked + 1, 'only what is newer');
    records.dispose();
  });

  it('what is known is there at once, follows the session, and is read again when that was cut', async () => {
    const messages = session();
    const records = recordsOf(messages);
    const one = change();
    assert.equal(records.known(one), undefined);
    assert.equal(records.known(one), undefined);
    await heard(records);
    assert.equal(read, 1, 'asked twice, read once');
    assert.deepEqual(records.known(one)?.doubts, ['not checked', 'not tested']);
    const tests = message('tool', [tested('test')], { runId: 'r' });
    const running = message('assistant', [call('test')], { runId: 'r', seq: tests.seq });
    for (const next of [running, { ...tests, seq: tests.seq + 1 }]) {
      const news = heard(records);
      messages.push(next);
      added(next);
      await news;
    }
    assert.deepEqual(
      records.known(one)?.tests.map(({ at, covers }) => [at, covers]),
      [[150, true]],
    );
    assert.equal(read, 1, 'what is told is not read');
    const cut = heard(records);
    messages.length = 2;
    added(message('user', [text('Go on')], { seq: 3 }));
    await cut;
    assert.equal(records.known(one), undefined);
    await heard(records);
    assert.deepEqual(records.known(one)?.tests, []);
    records.dispose();
    assert.equal(told.size, 0);
  });

  it('messages that were missed are read with the next one that is told', async () => {
    const messages = session();
    const records = recordsOf(messages);
    assert.equal(await saidOf(records), 'So.');
    const news = heard(records);
    messages.push(
      message('assistant', [call('other'), call('test')]),
      message('tool', [tested('test')], { runId: 'r' }),
    );
    added(messages.at(-1) ?? assert.fail());
    await news;
    assert.equal(
      records.known(change())?.tests.length,
      1,
      'of a review that is another by now, too',
    );
    await heard(records);
    assert.equal((await records.of([change()]))[0]?.tests.length, 1);
  });
});
