import assert from 'node:assert/strict';
import type { CallRecord } from '../../../src/core/policy.ts';
import { detect, loopDetection } from '../../../src/core/policies/loop-detection.ts';
import { call, injectOf, stopOf, Trial, turn, view } from './views.ts';

const read = (path: string, result?: string): CallRecord => call('read_file', path, result);
const search = (query: string): CallRecord => call('search_text', query, 'no matches');
const edit = (args: string, state: CallRecord['state'] = 'done'): CallRecord =>
  call('edit_file', args, `edited ${args} ${state}`, { idempotent: false, state });
const run = (command: string, result?: string): CallRecord =>
  call('run_command', command, result, { idempotent: false });

/** Feeds calls one a turn, as a run would; gives the detections. */
function detections(calls: readonly CallRecord[]): string[] {
  return calls.flatMap((_, index) => {
    const found = detect(calls.slice(0, index + 1).slice(-50), 1);
    return found === undefined ? [] : [`${index + 1}: ${found.tier} ${found.tool}`];
  });
}

describe('loop detection: what is thrash', () => {
  const table: readonly { name: string; calls: readonly CallRecord[]; found: readonly string[] }[] =
    [
      {
        name: 'the same call three times',
        calls: [search('a'), search('a'), search('a')],
        found: ['3: identical search_text'],
      },
      {
        name: 'the same call three times among six',
        calls: [search('a'), read('1'), search('a'), read('2'), read('3'), search('a')],
        found: ['6: identical search_text'],
      },
      {
        name: 'the same command three times, although its output differs',
        calls: [run('npm test', '1.1 s'), run('npm test', '1.2 s'), run('npm test', '1.3 s')],
        found: ['3: identical run_command'],
      },
      {
        name: 'a denied call made again and again',
        calls: Array.from({ length: 3 }, () =>
          call('run_command', 'rm x', 'denied', { idempotent: false, state: 'denied' }),
        ),
        found: ['3: identical run_command'],
      },
      {
        name: 'five searches that find nothing',
        calls: ['a', 'b', 'c', 'd', 'e'].map(search),
        found: ['5: pattern search_text'],
      },
      {
        name: 'two searches that find nothing, in turn',
        calls: ['z', 'a', 'b', 'a', 'b'].map(search),
        found: ['5: pattern search_text'],
      },
      {
        name: 'four edits that fail',
        calls: ['a', 'b', 'c', 'd'].map((args) => edit(args, 'failed')),
        found: ['4: pattern edit_file'],
      },
      {
        name: 'two edits that undo each other, with a test in between',
        calls: [
          edit('a>b'),
          run('npm test', 'x'),
          edit('b>a'),
          run('npm test', 'x'),
          edit('a>b'),
          run('npm test', 'x'),
          edit('b>a'),
          run('npm test', 'x'),
          edit('a>b'),
          run('npm test', 'x'),
        ],
        found: ['10: identical run_command'],
      },
      {
        name: 'reading a file again that did not change',
        calls: [read('a', 'same'), read('a', 'same'), read('a', 'same')],
        found: ['3: identical read_file'],
      },
    ];
  for (const { name, calls, found } of table) {
    it(`C2: ${name}`, () => assert.deepEqual(detections(calls), found));
  }
});

describe('loop detection: what is progress', () => {
  const table: readonly { name: string; calls: readonly CallRecord[] }[] = [
    {
      name: 'reading 30 different files',
      calls: Array.from({ length: 30 }, (_, n) => read(`file-${n}`)),
    },
    {
      name: 'the same test command after each edit',
      calls: Array.from({ length: 10 }, (_, n) => [
        edit(`change ${n}`),
        run('npm test', 'one failed'),
      ]).flat(),
    },
    {
      name: 'ten different edits',
      calls: Array.from({ length: 10 }, (_, n) => edit(`change ${n}`)),
    },
    {
      name: 'ten commands that each append a line and print nothing',
      calls: Array.from({ length: 10 }, (_, n) => run(`echo ${n} >> log`, 'exit 0')),
    },
    {
      name: 'watching a file that grows',
      calls: Array.from({ length: 8 }, (_, n) => read('build.log', `line ${n}`)),
    },
    { name: 'two equal calls', calls: [search('a'), search('a')] },
    {
      name: 'the same test once more after a reading and an edit',
      calls: [run('npm test'), run('npm test'), read('1'), edit('a'), run('npm test')],
    },
    {
      name: 'the first test of all again after an edit, twice',
      calls: [run('npm test'), edit('a'), run('npm test'), run('npm test')],
    },
    {
      name: 'the same test between edits, a fourth time in six calls',
      calls: ['', '', 'a', '', 'b', '', ''].map((name) => (name ? edit(name) : run('npm test'))),
    },
    {
      name: 'a search that finds something after four that did not',
      calls: [...['a', 'b', 'c', 'd'].map(search), call('search_text', 'e', 'found')],
    },
    {
      name: 'questions that nobody answers',
      calls: ['a', 'b', 'c', 'd', 'e'].map((args) =>
        call('ask_human', args, 'canceled', { state: 'canceled' }),
      ),
    },
    {
      name: 'four searches of which the first two found something',
      calls: [read('1'), read('2'), search('a'), search('b'), search('c')],
    },
    {
      name: 'the same call seven calls apart',
      calls: [
        search('a'),
        ...['1', '2', '3', '4', '5'].map((n) => read(n)),
        search('a'),
        ...['6', '7', '8', '9', '10'].map((n) => read(n)),
        search('a'),
      ],
    },
    {
      name: 'the same search after an answer of the human',
      calls: [
        search('a'),
        search('a'),
        call('ask_human', 'what?', 'go on'),
        search('a'),
        search('a'),
      ],
    },
  ];
  for (const { name, calls } of table) {
    it(`C2: ${name}`, () => assert.deepEqual(detections(calls), []));
  }

  it('C2: a question that nobody answered is no new start', () => {
    const unanswered = call('ask_human', 'what?', 'canceled', { state: 'canceled' });
    assert.equal(detect([search('a'), search('a'), unanswered, search('a')], 1)?.tier, 'identical');
  });

  it('C2: an old pattern that the new batch does not continue is not reported again', () => {
    const calls = [search('a'), search('a'), search('a'), read('1')];
    assert.equal(detect(calls, 1), undefined);
    assert.equal(detect(calls.slice(0, 3), 1)?.tier, 'identical');
  });

  it('C2: a batch of parallel calls is looked at as a whole', () => {
    assert.equal(detect([search('a'), search('a'), search('a')], 3)?.tier, 'identical');
    assert.equal(detect([search('a'), search('a'), search('a'), read('1')], 2)?.tier, 'identical');
    const searches = ['a', 'b', 'c', 'd', 'e'].map(search);
    assert.equal(detect([...searches, read('1')], 2)?.tier, 'pattern');
  });
});

describe('loop detection: the ladder', () => {
  function climb(tools: readonly string[]): {
    trial: Trial;
    again: () => ReturnType<Trial['after']>;
  } {
    const trial = new Trial(loopDetection());
    const calls: CallRecord[] = [search('a'), search('a')];
    trial.after({ calls, turn: turn({ calls: [...calls] }), tools });
    const again = (): ReturnType<Trial['after']> => {
      const next = search('a');
      calls.push(next);
      return trial.after({ calls: calls.slice(-50), turn: turn({ calls: [next] }), tools });
    };
    return { trial, again };
  }

  it('C2 C13: nudge, directive, then a forced question to the human', () => {
    const { again } = climb(['ask_human']);
    const nudge = again();
    assert.equal(injectOf(nudge.verdict).forceTool, undefined);
    assert.match(injectOf(nudge.verdict).messages.join(), /different approach/);
    const directive = again();
    assert.equal(injectOf(directive.verdict).forceTool, undefined);
    assert.match(injectOf(directive.verdict).messages.join(), /Stop\. Do not call search_text/);
    const forced = again();
    assert.equal(injectOf(forced.verdict).forceTool, 'ask_human');
    for (const [index, { events }] of [nudge, directive, forced].entries()) {
      assert.deepEqual(events, [
        { type: 'agent.loop.detected', tier: 'identical', tool: 'search_text', level: index + 1 },
        { type: 'agent.guardrail.escalated', guardrail: 'loop-detection', level: index + 1 },
      ]);
    }
    assert.equal(injectOf(again().verdict).forceTool, 'ask_human');
    // A server that knows no forced tools would let it go on for ever.
    assert.equal(stopOf(again().verdict).failure?.code, 'stuck');
  });

  it('C2: without a human to ask the run stops at the top', () => {
    const { again } = climb(['search_text']);
    again();
    again();
    const stop = stopOf(again().verdict);
    assert.equal(stop.failure?.code, 'stuck');
    assert.match(stop.failure?.message ?? '', /search_text.*kept/);
  });

  it('C2: an answer of the human takes the ladder back to its start', () => {
    const { trial, again } = climb(['ask_human']);
    again();
    again();
    const answer = call('ask_human', 'how?', 'like this');
    trial.after({ calls: [answer], turn: turn({ calls: [answer] }) });
    const calls = [answer, search('b'), search('b'), search('b')];
    const { events } = trial.after({ calls, turn: turn({ calls: calls.slice(-1) }) });
    assert.equal(events[0]?.type === 'agent.loop.detected' && events[0].level, 1);
  });

  it('C2: six quiet calls take the ladder back to its start', () => {
    const { trial, again } = climb(['ask_human']);
    again();
    const quiet = Array.from({ length: 6 }, (_, n) => read(`q${n}`));
    for (const one of quiet) trial.after({ calls: [one], turn: turn({ calls: [one] }) });
    const calls = [search('b'), search('b'), search('b')];
    const { events } = trial.after({ calls, turn: turn({ calls: calls.slice(-1) }) });
    assert.equal(events[0]?.type === 'agent.loop.detected' && events[0].level, 1);
  });

  it('C2: five quiet calls do not', () => {
    const { trial, again } = climb(['ask_human']);
    again();
    for (let n = 0; n < 5; n += 1) {
      const one = read(`q${n}`);
      trial.after({ calls: [one], turn: turn({ calls: [one] }) });
    }
    const { events } = again();
    assert.equal(events[0]?.type === 'agent.loop.detected' && events[0].level, 2);
  });

  it('C2: the model is told what repeats, by its first 200 characters', () => {
    const nudge = (calls: readonly CallRecord[]): string =>
      injectOf(
        new Trial(loopDetection()).after({ calls, turn: turn({ calls: calls.slice(-1) }) }).verdict,
      ).messages.join();
    const long = 'x'.repeat(150) + 'y'.repeat(60);
    assert.match(
      nudge([search(long), search(long), search(long)]),
      /with the same arguments at least 3 times in your last 6 calls[^:]*: x{150}y{50} Try/u,
    );
    assert.match(
      nudge(['a', 'b', 'c', 'd', 'e'].map(search)),
      /search_text at least 4 times in your last 6 calls with different arguments/u,
    );
  });

  it('C2: a turn without calls decides nothing', () => {
    const { trial, again } = climb(['ask_human']);
    again();
    assert.equal(
      trial.after({ calls: [search('a'), search('a'), search('a')], turn: turn() }).verdict.kind,
      'continue',
    );
    const noTurn = view({ calls: [search('a'), search('a'), search('a')] });
    assert.equal(loopDetection().after!(noTurn, { level: 0, quiet: 0 }).verdict.kind, 'continue');
  });
});
