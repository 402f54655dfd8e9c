import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { HeadlessPlace } from '../support/headless/place.ts';
import { taskOf } from '../support/model-server/delegated.ts';
import { type WireRequest, call, calls, say } from '../support/model-server/turn.ts';

/** Steps of each sub-agent. */
const STEPS = 4;
const WORDS = ['one', 'two', 'three'];
const KILLS = 5;

/** The results that a request carries. */
const resultsIn = ({ messages }: WireRequest): number =>
  messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_result'),
  ).length;

/** The session has three sub-agents, each of which reads in steps and reports. */
const story = (request: WireRequest) => {
  const word = taskOf(request);
  const done = resultsIn(request);
  if (word === '')
    return done === 0
      ? calls(
          ...WORDS.map((one) => call('agent', { title: one, task: `TASK ${one}` }, `agent_${one}`)),
        )
      : say(`told: ${JSON.stringify(request.messages.at(-1))}`);
  return done < STEPS
    ? calls(call('find_files', { pattern: `${word}-${done}` }, `${word}_${done}`))
    : say(`found ${word}`);
};

/** Goes on with the story until it is told, killed so many times in the middle; gives what was printed last. */
async function killedAgainAndAgain(place: HeadlessPlace, args: string): Promise<string> {
  for (let kills = 0; ;) {
    const host = await place.start(`--prompt work --resume ${args}`);
    const before = place.server.requests.length;
    // Killed when it has asked a few times more, wherever it is then.
    const wanted = 1 + (kills % 3);
    const look = setInterval(() => {
      if (kills < KILLS && place.server.requests.length >= before + wanted) host.kill();
    }, 1);
    const { killed, code, stdout, stderr } = await host.ended;
    clearInterval(look);
    if (killed) kills += 1;
    else assert.equal(code, 0, stderr);
    if (code === 0) return stdout;
    assert.ok(kills <= KILLS, stderr);
  }
}

/** The results of a request, by the id of their call. */
const told = ({ messages }: WireRequest): ReadonlyMap<string, string> =>
  new Map(
    messages.flatMap(({ content }) =>
      typeof content === 'string'
        ? []
        : content.flatMap((one) =>
            one.type === 'tool_result' ? [[one.tool_use_id, JSON.stringify(one.content)]] : [],
          ),
    ),
  );

/** One sub-agent writes line after line; where it is unknown whether a line was written, it looks. */
const writing = (request: WireRequest) => {
  const results = told(request);
  if (taskOf(request) === '')
    return results.size === 0
      ? calls(call('write_agent', { title: 'Lines', task: 'TASK lines' }, 'agent_w'))
      : say(`told: ${[...results.values()].join(' ')}`);
  for (let step = 0; step < STEPS; step += 1) {
    const write = (id: string) =>
      calls(call('run_command', { command: `echo step-${step} >> out.txt` }, id));
    const first = results.get(`write_${step}`);
    if (first === undefined) return write(`write_${step}`);
    if (!/outcome is unknown/u.test(first)) continue;
    const seen = results.get(`look_${step}`);
    if (seen === undefined)
      return calls(call('find_files', { pattern: 'out.txt' }, `look_${step}`));
    const again = results.get(`again_${step}`);
    if (again === undefined)
      return calls(
        call(
          'run_command',
          { command: `grep -q step-${step} out.txt || echo step-${step} >> out.txt` },
          `again_${step}`,
        ),
      );
  }
  return say('wrote all');
};

describe('sub-agents whose process is killed again and again', () => {
  it('C8 B13: SIGKILL in the middle of all: each goes on where it was, before its parent, and nothing is done twice', async function () {
    this.timeout(240_000);
    await using place = await HeadlessPlace.make(story);
    const stdout = await killedAgainAndAgain(place, '');
    for (const word of WORDS) assert.match(stdout, new RegExp(`found ${word}`, 'u'));
    const asked = place.server.requests.map(({ body }) => body);
    const own = asked.filter((request) => taskOf(request) === '');
    assert.ok(
      own.every((request) => resultsIn(request) === 0 || resultsIn(request) === WORDS.length),
      'the parent goes on when all have reported',
    );
    for (const word of WORDS) {
      const steps = asked.filter((request) => taskOf(request) === word).map(resultsIn);
      // A request is made again when the kill came before its answer was on record; no step is lost or made anew.
      assert.deepEqual(
        steps,
        steps.toSorted((left, right) => left - right),
        word,
      );
      assert.deepEqual([...new Set(steps)], [0, 1, 2, 3, 4], word);
    }
  });

  it('C8 B13: SIGKILL in the middle of one that writes: it goes on in its worktree, and each line arrives once', async function () {
    this.timeout(240_000);
    await using place = await HeadlessPlace.make(writing);
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        cwd: place.workspace,
        encoding: 'utf8',
      });
    git('init', '--quiet');
    await place.write('a.txt', 'one\n');
    git('add', '-A');
    git('commit', '--quiet', '-m', 'first');
    const stdout = await killedAgainAndAgain(place, '--permission all');
    assert.match(stdout, /wrote all/u);
    const lines = await place.lines('out.txt');
    assert.deepEqual(lines, ['step-0', 'step-1', 'step-2', 'step-3']);
    assert.doesNotMatch(git('worktree', 'list'), /belay-agent/u);
    assert.deepEqual(git('status', '--porcelain').trim(), '?? out.txt');
    const delegated = place.server.requests.filter(({ body }) => taskOf(body) === '');
    assert.ok(
      delegated.every(({ body }) => told(body).size <= 1),
      'it was delegated once',
    );
  });
});
