import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { HeadlessPlace } from '../support/headless/place.ts';
import type { RunningHeadless } from '../support/headless/headless.ts';
import { call, calls, fail, inOrder, say } from '../support/model-server/turn.ts';
import type { WireRequest } from '../support/model-server/turn.ts';

const LONG = calls(
  call('run_command', { command: 'echo first >> out.txt' }, 'first'),
  call('run_command', { command: 'echo $$ > pid.txt; echo long >> out.txt; sleep 60' }, 'long'),
);

/** Long work for the first request, an answer for every other. */
const longThenDone = (request: WireRequest) =>
  JSON.stringify(request.messages).includes('tool_use') ? say('All done.') : LONG;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(10);
}

/** Starts and waits until the long command is at work; gives the number of its process. */
async function atWork(place: HeadlessPlace): Promise<{ host: RunningHeadless; pid: number }> {
  const host = await place.start('--prompt work');
  await until(async () => (await place.lines()).includes('long'));
  return { host, pid: Number((await place.lines('pid.txt'))[0]) };
}

function isAlive(pid: number): boolean {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
    return !fields.startsWith('Z') && !fields.startsWith('X');
  } catch {
    return false;
  }
}

/** Processes whose parent is this one. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/u.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false;
      }
    });
}

describe('a headless run that is interrupted', function () {
  this.timeout(60_000);
  before(function () {
    if (process.platform !== 'linux') this.skip(); // /proc tells what still runs
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`${signal}: exit code 130, a sentence, nothing left running, and --resume goes on`, async () => {
      await using place = await HeadlessPlace.make(longThenDone);
      const { host, pid } = await atWork(place);
      process.kill(host.child.pid ?? 0, signal);
      const { code, message } = await host.ended;
      assert.equal(code, 130);
      assert.match(message, /^Interrupted\. Everything finished is kept; --resume goes on\.$/u);
      assert.equal(isAlive(pid), false);
      const resumed = await place.run('--resume');
      assert.deepEqual([resumed.code, resumed.stdout], [0, 'All done.\n'], resumed.stderr);
      assert.deepEqual(await place.lines(), ['first', 'long']);
      const told = JSON.stringify(place.server.requests.at(-1)?.body.messages);
      assert.match(told, /because Belay was closed; the user did not ask for it/u);
    });
  }

  it('durability 6: a command that outlived the kill is stopped when the run is resumed', async () => {
    await using place = await HeadlessPlace.make(longThenDone);
    const { host, pid } = await atWork(place);
    // The guard that would end the command at once dies as well, as when the machine runs out of memory.
    for (const child of childrenOf(host.child.pid ?? 0)) if (child !== pid) kill(child);
    host.kill();
    await host.ended;
    await delay(300);
    assert.equal(isAlive(pid), true, 'the command ended with the host, so nothing was shown');
    const resumed = await place.run('--resume');
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.equal(isAlive(pid), false);
    const told = JSON.stringify(place.server.requests.at(-1)?.body.messages);
    assert.match(told, /outcome is unknown/u);
    assert.deepEqual(await place.lines(), ['first', 'long']);
  });

  it('durability 4: a second process on the same session is refused; the first is not harmed', async () => {
    await using place = await HeadlessPlace.make((request) =>
      JSON.stringify(request.messages).includes('tool_use')
        ? say('All done.')
        : calls(call('run_command', { command: 'echo long >> out.txt; sleep 4' }, 'long')),
    );
    const first = await place.start('--prompt work --json');
    await until(async () => (await place.lines()).includes('long'));
    const sessionId = /"sessionId":"([^"]+)"/u.exec(first.stdout)?.[1] ?? '';
    for (const args of ['--resume --prompt work', `--resume ${sessionId}`]) {
      const second = await place.run(args);
      assert.equal(second.code, 1);
      assert.match(second.stderr, /^Another process is at work on session .*\n$/u);
    }
    const third = await place.run(`--resume ${sessionId} --prompt more`);
    assert.equal(third.code, 1, third.stderr);
    const { code, stdout } = await first.ended;
    assert.equal(code, 0);
    assert.match(stdout, /All done\./u);
    assert.deepEqual(await place.lines(), ['long']);
  });

  it('C7: two processes work on two sessions of one data folder at the same time', async () => {
    await using place = await HeadlessPlace.make((request) =>
      JSON.stringify(request.messages).includes('tool_use')
        ? say('All done.')
        : calls(call('run_command', { command: 'echo x >> out.txt; sleep 1' })),
    );
    const both = await Promise.all([place.run('--prompt one'), place.run('--prompt two')]);
    assert.deepEqual(
      both.map(({ code, stderr }) => [code, stderr]),
      [
        [0, ''],
        [0, ''],
      ],
    );
    assert.deepEqual(await place.lines(), ['x', 'x']);
  });

  it('D1: --resume goes on with a run that had failed, instead of doing everything again', async () => {
    await using place = await HeadlessPlace.make(
      inOrder(
        calls(call('run_command', { command: 'echo once >> out.txt' })),
        fail(400, 'invalid_request_error', 'Something else is wrong with this request.'),
        say('All done.'),
      ),
    );
    const failed = await place.run('--prompt work');
    assert.equal(failed.code, 1);
    const resumed = await place.run('--resume --prompt work');
    assert.deepEqual([resumed.code, resumed.stdout], [0, 'All done.\n'], resumed.stderr);
    assert.deepEqual(await place.lines(), ['once']);
    const again = await place.run('--resume --prompt work');
    assert.deepEqual([again.code, again.stdout], [0, 'All done.\n'], 'it is done already');
    assert.equal(place.server.requests.length, 3);
  });
});

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}
