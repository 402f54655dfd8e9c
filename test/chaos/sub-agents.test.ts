import assert from 'node:assert/strict';
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

describe('sub-agents whose process is killed again and again', () => {
  it('C8 B13: SIGKILL in the middle of all: each goes on where it was, before its parent, and nothing is done twice', async function () {
    this.timeout(240_000);
    await using place = await HeadlessPlace.make(story);
    let code: number | null = null;
    let stdout = '';
    for (let kills = 0; code !== 0;) {
      const host = await place.start('--prompt work --resume');
      const before = place.server.requests.length;
      // Killed when it has asked a few times more, wherever it is then.
      const wanted = 1 + (kills % 3);
      const look = setInterval(() => {
        if (kills < KILLS && place.server.requests.length >= before + wanted) host.kill();
      }, 1);
      const ended = await host.ended;
      clearInterval(look);
      if (ended.killed) kills += 1;
      else assert.equal(ended.code, 0, ended.stderr);
      ({ code, stdout } = ended);
      assert.ok(kills <= KILLS, ended.stderr);
    }
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
});
