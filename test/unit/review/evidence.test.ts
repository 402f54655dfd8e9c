import assert from 'node:assert/strict';
import type { PendingChange } from '../../../src/core/review/model/hunks.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import {
  checkedFile,
  checkedIn,
  withChecked,
} from '../../../src/core/review/evidence/checked-files.ts';
import { type FileState, evidenceOf } from '../../../src/core/review/evidence/change-evidence.ts';
import { newProblems } from '../../../src/core/review/evidence/new-problems.ts';
import {
  factsOf,
  noteOf,
  type SessionFacts,
} from '../../../src/core/review/evidence/session-facts.ts';
import type { ChangeEvidence } from '../../../src/domain/review/evidence.ts';
import {
  by,
  call,
  change,
  message,
  result,
  tested,
  text,
} from '../../support/review/session-messages.ts';

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
    assert.deepEqual([of(31, 0).cut, of(31, 0).before.length], [true, 30]);
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
        { path: '/b' },
        { at: 1 },
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
      made: PendingChange = change(),
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
      const { doubts: found } = evidenceOf(made, () => factsOf(notes), {
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
    const { hunk, ...file } = change();
    assert.ok(hunk !== undefined);
    const made = { ...file, hunk: { ...hunk, editedByUser: true } };
    assert.deepEqual(doubts(100, {}, {}, made), ['edited'], 'it may be a command’s');
  });
});

describe('evidence of a change: what is told of it', () => {
  const plain: SessionFacts = {
    calls: new Map([['edit', { position: 3, said: 'So.' }]]),
    checks: new Map(),
    tests: [],
    requests: new Map([['request', 'Double it.']]),
  };
  const problemAt = (line: number) => ({ ...problem(line), severity: 'error' as const });
  const checked = (
    callId: string,
    more: Partial<ReturnType<typeof checkedFile>> = {},
  ): ReturnType<typeof factsOf>['checks'] extends ReadonlyMap<string, infer Checks>
    ? Checks
    : never => [
    { callId, file: { path: '/w/a.ts', at: 200, answered: true, before: [], after: [], ...more } },
  ];
  const run = (position: number, at: number, more: object = {}) => ({
    callId: 't',
    command: 'npm test',
    at,
    timedOut: false,
    hidden: false,
    result: 'passed' as const,
    position,
    ...more,
  });
  const of = (
    facts: Partial<SessionFacts>,
    one: PendingChange = change(),
    file: FileState = { unsaved: false },
  ): ChangeEvidence => evidenceOf(one, () => ({ ...plain, ...facts }), file);
  /** A change of several calls. */
  const madeBy = (...who: readonly ReturnType<typeof by>[]): PendingChange => {
    const one = change();
    return { ...one, hunk: { ...(one.hunk ?? assert.fail()), by: who } };
  };

  it('its last five calls with what was said, and its request; the newest five runs of tests', () => {
    const who = Array.from({ length: 7 }, (_, at) => by(`${at}`, at));
    const calls = new Map(who.map(({ callId }, position) => [callId, { position, said: '' }]));
    calls.set('6', { position: 6, said: 'Last.' });
    const tests = Array.from({ length: 7 }, (_, at) => run(7 + at, 200 + at));
    const found = of({ calls, tests }, madeBy(...who, by('6', 6)));
    assert.deepEqual(
      found.calls.map(({ callId, said }) => [callId, said]),
      [
        ['2', 'because'],
        ['3', 'because'],
        ['4', 'because'],
        ['5', 'because'],
        ['6', 'Last.'],
      ],
    );
    assert.deepEqual(
      found.tests.map(({ at }) => at),
      [206, 205, 204, 203, 202],
    );
    assert.deepEqual(found.request, { sessionId: 's', messageId: 'request', text: 'Double it.' });
    const nobodys = evidenceOf(madeBy(), () => undefined, { unsaved: false });
    assert.deepEqual(nobodys.request, { sessionId: '', messageId: '', text: '' });
    assert.deepEqual(nobodys.doubts, ['unknown', 'not checked', 'not tested']);
  });

  it('checks from before its first call to the last answer, at its old name, too', () => {
    const state = (checks: SessionFacts['checks'], one = change()): string =>
      of({ checks }, one).checks.state;
    const at = (...all: readonly ReturnType<typeof checked>[]) =>
      new Map([['/w/a.ts', all.flat()]]);
    assert.equal(state(at(checked('edit'))), 'answered');
    assert.equal(state(at(checked('other'))), 'not asked');
    assert.equal(state(at(checked('edit'), checked('other', { answered: false }))), 'no answer');
    assert.equal(state(at(checked('edit', { answered: false }), checked('other'))), 'answered');
    assert.equal(state(at(checked('edit', { cut: true }), checked('other'))), 'unclear');
    assert.equal(state(at(checked('edit'), checked('other', { cut: true }))), 'unclear');
    const old = { ...change(), review: { ...change().review, renamedFrom: '/w/old.ts' } };
    const moved = new Map([
      ['/w/old.ts', checked('edit', { before: [problemAt(1)] })],
      ['/w/a.ts', checked('other', { after: [problemAt(4), problemAt(9)] })],
    ]);
    const { checks, doubts } = of({ checks: moved }, old);
    assert.ok(checks.state === 'answered');
    assert.deepEqual(
      checks.fresh.map(({ line }) => line),
      [9],
    );
    assert.deepEqual(doubts, ['renamed', 'new problems', 'not tested']);
    const doubtsOf = (...all: readonly ReturnType<typeof checked>[]) =>
      of({ checks: at(...all) }).doubts[0];
    assert.deepEqual(
      [
        doubtsOf(checked('other')),
        doubtsOf(checked('edit', { answered: false })),
        doubtsOf(checked('edit', { cut: true })),
      ],
      ['not checked', 'no answer', 'unclear problems'],
    );
  });

  it('a run of tests counts after all of its calls, by order and by time', () => {
    const calls = new Map([
      ['edit', { position: 3, said: '' }],
      ['more', { position: 5, said: '' }],
    ]);
    const both = madeBy(by('edit', 100), by('more', 120));
    const times = (...tests: readonly ReturnType<typeof run>[]): readonly number[] =>
      of({ calls, tests }, both).tests.map(({ at }) => at);
    assert.deepEqual(times(run(6, 120)), [120]);
    assert.deepEqual(times(run(5, 120), run(4, 130), run(6, 119)), []);
    assert.deepEqual(of({ tests: [run(9, 200)] }, both).tests, [], 'a call that is not known');
    // Another hunk of the file was changed later; and so was the file as a whole.
    const covers = (review: PendingChange['review']): boolean | undefined =>
      of({ tests: [run(4, 150)] }, { ...change(), review }).tests[0]?.covers;
    const { review } = change();
    assert.equal(covers(review), true);
    assert.equal(covers({ ...review, wholeFileBy: [by('later', 150)] }), true);
    assert.equal(covers({ ...review, wholeFileBy: [by('later', 151), by('x', 1)] }), false);
    assert.equal(covers(change('edit', 151).review), false);
  });

  it('of each command line its last run counts; one that passed is enough, one that failed is too much', () => {
    const checks = new Map([['/w/a.ts', checked('edit')]]);
    const doubts = (...tests: readonly ReturnType<typeof run>[]) => of({ checks, tests }).doubts;
    const [failed, unclear] = [{ result: 'failed' }, { result: 'unclear' }] as const;
    assert.deepEqual(doubts(run(4, 150)), []);
    assert.deepEqual(doubts(run(4, 150, failed), run(5, 160)), []);
    assert.deepEqual(doubts(run(4, 150), run(5, 160, failed)), ['tests failed']);
    assert.deepEqual(doubts(run(4, 150, failed), run(5, 160, { command: 'x' })), ['tests failed']);
    assert.deepEqual(doubts(run(4, 150, unclear), run(5, 160, { command: 'x' })), []);
    assert.deepEqual(doubts(run(4, 150, unclear)), ['tests unclear']);
  });

  it('a message says how it begins, of what the person typed; what is beside it is no request', () => {
    const note = (...given: Parameters<typeof message>) =>
      noteOf(message(...given), () => undefined);
    const mention = { type: 'text', text: 'of a file', mention: { path: 'a' } } as never;
    assert.equal(note('user', [text('x'.repeat(161)), mention]).request?.text.length, 160);
    assert.equal(note('user', [mention, text(' So ')]).request?.text, 'So');
    assert.equal(note('user', [text('x')], { origin: 'memory' }).request, undefined);
    assert.equal(note('assistant', [text('x')]).request, undefined);
    assert.equal(note('tool', [text('said by nobody')]).said, '');
    assert.equal(note('assistant', [text('one'), text('---')]).said, 'one');
    const [first] = note('tool', [tested('t', { passed: null, failed: null })]).tests;
    assert.deepEqual([first?.result, first?.at, first?.callId], ['unclear', 1000, 't']);
    assert.deepEqual(note('tool', [result('t', 'other', { kind: 'tests' })]).tests, []);
    assert.deepEqual(note('tool', [result('t', 'run_tests', { kind: 'command' })]).tests, []);
    const nobodys = factsOf([note('tool', [tested('unknown')]), note('assistant', [call('edit')])]);
    assert.deepEqual(of(nobodys, change('edit', 0)).tests, [], 'before all that is known');
  });
});
