import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { HeadlessPlace } from '../support/headless/place.ts';
import { eventsOf, headless } from '../support/headless/headless.ts';
import { call, calls, fail, inOrder, say } from '../support/model-server/turn.ts';
import type { Turn } from '../support/model-server/turn.ts';

const FAST = '--set belay.advanced.modelRetryDelaySeconds=0.01 --set belay.advanced.modelRetries=2';

/** One sentence or two that a person can read: no stack, no markup, no raw body. */
function assertReadable(message: string): void {
  assert.match(message, /^\S[^]{20,400}[.!)]$/u);
  assert.doesNotMatch(message, /\bat \S*\.[cm]?[jt]s:\d+|<[a-z!]|undefined|\[object|\{"/iu);
}

const FAULTS: readonly {
  readonly id: string;
  readonly what: string;
  readonly turn: Turn;
  readonly says: RegExp;
  readonly requests: number;
}[] = [
  {
    id: 'h07',
    what: '401',
    turn: fail(401, 'authentication_error', 'invalid x-api-key'),
    says: /key/iu,
    requests: 1,
  },
  {
    id: 'h10',
    what: '402',
    turn: fail(402, 'billing_error', 'Your credit balance is too low'),
    says: /credit|billing|balance/iu,
    requests: 1,
  },
  {
    id: 'h08',
    what: '403',
    turn: fail(403, 'permission_error', 'Your key may not use this model'),
    says: /model/iu,
    requests: 1,
  },
  {
    id: 'h09',
    what: '404',
    turn: fail(404, 'not_found_error', 'model: claude-nothing'),
    says: /model/iu,
    requests: 1,
  },
  {
    id: 'h11',
    what: '413',
    turn: fail(413, 'request_too_large', 'Request exceeds the maximum size'),
    says: /large|size/iu,
    requests: 3,
  },
  {
    id: 'h03',
    what: '429 with a retry-after of an hour',
    turn: fail(429, 'rate_limit_error', 'slow down', { headers: { 'retry-after': '3600' } }),
    says: /wait until/iu,
    requests: 1,
  },
  {
    id: 'h24',
    what: 'a 400 of unknown text',
    turn: fail(400, 'invalid_request_error', 'the moon is in the wrong phase'),
    says: /moon is in the wrong phase/u,
    requests: 2,
  },
  {
    id: 't04',
    what: 'the page of a captive portal',
    turn: {
      body: { text: '<html><body>Please log in</body></html>', contentType: 'text/html' },
    },
    says: /proxy|page|log ?in/iu,
    requests: 3,
  },
  {
    id: 'h05',
    what: 'a 500 that stays',
    turn: fail(500, 'api_error', 'Internal server error'),
    says: /tried 3 times/u,
    requests: 3,
  },
];

describe('stories of faults that a script sees', function () {
  this.timeout(60_000);

  for (const { id, what, turn, says, requests } of FAULTS) {
    it(`${id}: ${what} ends with exit code 1, one readable sentence, and a session that can go on`, async () => {
      await using place = await HeadlessPlace.make(() => turn);
      const result = await place.run(`--prompt Hello ${FAST}`);
      assert.equal(result.code, 1, result.stderr);
      assertReadable(result.message);
      assert.match(result.message, says);
      assert.ok(place.server.requests.length <= requests, `${place.server.requests.length}`);
      place.server.use(() => say('Good again.'));
      const again = await place.run(`--resume --prompt Hello ${FAST}`);
      assert.equal(again.code, 0, again.stderr);
      assert.match(again.stdout, /Good again\./u);
    });
  }

  it('t01: a refused connection ends with exit code 1 and says where it went', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    await new Promise((resolve) => taken.close(resolve));
    await using place = await HeadlessPlace.make(() => say('never asked'));
    const { workspace, data } = place;
    const result = await headless({
      modelUrl: `http://127.0.0.1:${port}`,
      workspace,
      data,
      arguments: `--prompt Hello ${FAST}`.split(' '),
    });
    assert.equal(result.code, 1);
    assertReadable(result.message);
    assert.match(result.message, /reach|connect/iu);
    assert.match(result.stderr, /Waiting/u, 'a retry is told');
  });

  const WICKED = 'a\u001b[2J\u001b]0;title\u0007b\u202ec\u009d';
  const TERMINAL = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u;

  it('security: what the model, a command or a fault says steers no terminal, as text and as JSON', async () => {
    for (const form of ['', ' --json']) {
      await using place = await HeadlessPlace.make(
        inOrder(
          calls(call('run_command', { command: String.raw`printf 'x\033[31my\342\200\256z'` })),
          say(WICKED),
          fail(403, 'permission_error', WICKED),
        ),
      );
      const first = await place.run(`--prompt Hello ${FAST}${form}`);
      assert.equal(first.code, 0, first.stderr);
      assert.match(first.stdout, form === '' ? /U\+202E/u : /202e/iu);
      const second = await place.run(`--resume --prompt Again ${FAST}${form}`);
      assert.equal(second.code, 1);
      for (const { stdout, stderr } of [first, second])
        assert.doesNotMatch(stdout + stderr, TERMINAL);
    }
  });

  it('security: a password in --model-url is in nothing that is printed', async () => {
    await using place = await HeadlessPlace.make(() => fail(500, 'api_error', 'no'));
    const { workspace, data } = place;
    const modelUrl = place.server.url.replace('://', '://me:hunter2-abc@');
    for (const form of ['', ' --json']) {
      const args = `--prompt Hello ${FAST}${form}`.split(' ');
      const result = await headless({ modelUrl, workspace, data, arguments: args });
      assert.notEqual(result.code, 0);
      assert.notEqual(result.stderr, '');
      assert.doesNotMatch(result.stdout + result.stderr, /hunter2/u);
    }
  });

  it('exit codes: 2 for bad arguments, 3 when a human is needed', async () => {
    await using place = await HeadlessPlace.make(() =>
      calls(call('ask_human', { question: 'Which of the two?' })),
    );
    const wrong = await place.run(
      '--prompt Hello --set belay.advanced.streamIdleTimeoutSeconds=soon',
    );
    assert.equal(wrong.code, 2);
    assert.match(wrong.message, /belay\.advanced\.streamIdleTimeoutSeconds/u);
    assert.equal(place.server.requests.length, 0);
    const waiting = await place.run('--prompt Hello');
    assert.equal(waiting.code, 3);
    assert.match(waiting.message, /Which of the two\?/u);
  });

  it('h01: the wait is told with its length and its reason', async () => {
    await using place = await HeadlessPlace.make(
      inOrder(
        fail(429, 'rate_limit_error', 'slow down', { headers: { 'retry-after-ms': '1200' } }),
        say('Here.'),
      ),
    );
    const result = await place.run('--prompt Hello');
    assert.equal(result.code, 0, result.stderr);
    assert.match(result.stderr, /rate limit[^]*Waiting 1\.2 s, then retry 1 of 8\./iu);
  });

  for (const [setting, first] of [
    ['firstByteTimeoutSeconds', { ...say('late'), delayMs: 60_000 }],
    ['streamIdleTimeoutSeconds', { ...say('half of it'), cut: { how: 'hang', at: { events: 3 } } }],
    [
      'streamProgressTimeoutSeconds',
      { ...say('half of it'), pings: { events: 2, count: 300, everyMs: 50 } },
    ],
  ] as const satisfies readonly (readonly [string, Turn])[]) {
    it(`t02 s10 s11: belay.advanced.${setting} ends a silent attempt, and the next one answers`, async () => {
      await using place = await HeadlessPlace.make(inOrder(first, say('Here.')));
      const result = await place.run(
        `--prompt Hello ${FAST} --json --set belay.advanced.${setting}=0.3`,
      );
      assert.equal(result.code, 0, result.stderr);
      assert.equal(place.server.requests.length, 2);
      const [wait] = eventsOf(result).filter((event) => event.type === 'model.waiting');
      assert.match(wait?.reason ?? '', /in time|broke off/u);
    });
  }

  it('faults: a run of 20 turns in which every fifth request fails ends well, and no call runs twice', async () => {
    let turn = 0;
    const kinds: readonly Turn[] = [
      fail(529, 'overloaded_error', 'Overloaded'),
      { ...say('broken'), cut: { how: 'reset', at: { events: 3 } } },
      fail(500, 'api_error', 'Internal server error'),
      {
        ...calls(call('run_command', { command: 'echo never >> out.txt' })),
        cut: { how: 'end', at: { events: 4 } },
      },
    ];
    await using place = await HeadlessPlace.make((_request, n) => {
      if (n % 5 === 0) return kinds[(n / 5) % kinds.length] ?? {};
      turn += 1;
      return turn <= 20
        ? calls(call('run_command', { command: `echo ${turn} >> out.txt` }))
        : say('All done.');
    });
    const result = await place.run(`--prompt Go ${FAST}`);
    assert.equal(result.code, 0, result.stderr);
    assert.deepEqual(
      await place.lines(),
      Array.from({ length: 20 }, (_, n) => String(n + 1)),
    );
  });
});
