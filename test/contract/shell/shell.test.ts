import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAbortError } from '../../../src/domain/lifetime/abort.ts';
import type { ShellRequest, ShellResult } from '../../../src/core/ports/commands/shell.ts';
import { BelayError } from '../../../src/domain/failure.ts';
import {
  groupIsAlive,
  processBirth,
  stopAbandoned,
} from '../../../src/hosts/node/processes/process-group.ts';
import { isDead, processRow } from '../../../src/hosts/node/processes/process-table.ts';
import { NodeShell } from '../../../src/hosts/node/processes/shell.ts';

const LONG = 60_000;

/** Dead and not yet collected by anybody is not running. */
function runs(pid: number): boolean {
  const row = processRow(pid);
  return row !== undefined && !isDead(row);
}

describe('contract of Shell: the shell of Node', function () {
  if (process.platform === 'win32') return;
  this.timeout(30_000);

  let shell: NodeShell;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'belay shell “quoted” -'));
    shell = new NodeShell();
  });

  after(async () => {
    shell.dispose();
    await rm(folder, { recursive: true });
  });

  const run = (command: string, request: Partial<ShellRequest> = {}): Promise<ShellResult> =>
    shell.run({
      command,
      cwd: folder,
      timeoutMs: LONG,
      signal: new AbortController().signal,
      onOutput: () => undefined,
      ...request,
    });

  /** Runs a command and stops it as soon as it has printed something. */
  async function stopWhenItSpeaks(
    command: string,
  ): Promise<{ readonly leader: number; readonly said: string }> {
    const controller = new AbortController();
    let leader = 0;
    let said = '';
    const running = run(command, {
      signal: controller.signal,
      onStarted: async ({ pid }) => {
        leader = pid;
      },
      onOutput: (text) => {
        said += text;
        controller.abort('canceled');
      },
    });
    await assert.rejects(running, isAbortError);
    return { leader, said };
  }

  it('gives output, exit code and no signal', async () => {
    assert.deepEqual(await run('echo hello; exit 3'), {
      exitCode: 3,
      output: 'hello\n',
      total: 6,
      timedOut: false,
      childrenStopped: false,
    });
  });

  it('gives the signal that ended a command, exactly', async () => {
    const result = await run('kill -USR1 $$');
    assert.equal(result.signal, 'SIGUSR1');
    assert.equal(result.exitCode, undefined);
  });

  it('keeps stdout and stderr in the order in which they were written', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => index);
    const { output } = await run(
      'for i in $(seq 0 199); do if [ $((i % 2)) = 0 ]; then echo $i; else echo $i >&2; fi; done',
    );
    assert.deepEqual(output.trim().split('\n').map(Number), lines);
  });

  it('programs can open their standard streams by name', async () => {
    const command =
      'echo one > /dev/stdout; echo two | tee /dev/stderr > /dev/null; cat /dev/stdin; echo end | cat /dev/stdin > /dev/fd/2';
    const { output, exitCode } = await run(command);
    assert.deepEqual({ output, exitCode }, { output: 'one\ntwo\nend\n', exitCode: 0 });
  });

  it('runs in the folder it is given, whatever its name', async () => {
    assert.equal((await run('pwd -P')).output.trim(), await realpath(folder));
  });

  it('D11: passes output on while the command runs', async () => {
    let seen = '';
    // The command ends only when its first line has been seen and answered by a file.
    const result = await run('echo first; while [ ! -e go ]; do sleep 0.02; done; echo second', {
      onOutput: (text) => {
        seen += text;
        if (text.includes('first')) void run('touch go');
      },
    });
    assert.equal(seen, 'first\nsecond\n');
    assert.equal(result.output, seen);
  });

  it('decodes characters that are split between two pieces', async () => {
    const { output } = await run(String.raw`printf 'a\xf0\x9f'; sleep 0.1; printf '\x98\x80b'`);
    assert.equal(output, 'a😀b');
  });

  it('has no input: what reads gets the end at once', async () => {
    const { output, exitCode } = await run('cat; read answer && echo "got $answer"; echo end');
    assert.equal(output, 'end\n');
    assert.equal(exitCode, 0);
  });

  it('keeps the beginning and the end of a flood of 100 MB, and counts all of it', async () => {
    const result = await run(
      'echo begin; head -c 100000000 /dev/zero | tr "\\0" x; echo; echo end',
    );
    assert.equal(result.total, 100_000_000 + 'begin\n'.length + '\nend\n'.length);
    assert.ok(result.output.startsWith('begin\nxxx'));
    assert.ok(result.output.endsWith('xxx\nend\n'));
    assert.ok(result.output.length < 1_200_000, `${result.output.length} characters in memory`);
    assert.match(result.output, /characters left out/u);
  });

  it('survives binary output', async () => {
    const result = await run('head -c 100000 /dev/urandom; exit 4');
    assert.equal(result.exitCode, 4);
    assert.ok(result.total > 0);
    assert.ok(result.output.isWellFormed());
  });

  it('stops at the deadline and says so', async () => {
    const result = await run('echo begun; sleep 600', { timeoutMs: 2000 });
    assert.equal(result.timedOut, true);
    assert.equal(result.exitCode, undefined);
    assert.equal(result.signal, 'SIGTERM');
    assert.equal(result.output, 'begun\n');
  });

  it('lets a command that is told to stop clean up, and reports its own exit code', async () => {
    const result = await run(
      'trap "echo cleaned; exit 7" TERM; echo begun; while :; do sleep 0.05; done',
      { timeoutMs: 2000 },
    );
    assert.equal(result.exitCode, 7);
    assert.match(result.output, /^begun\n(?:Terminated\n)?cleaned\n$/u);
    assert.equal(result.timedOut, true);
  });

  it('kills a command that ignores SIGTERM, and everything it started', async () => {
    const { leader } = await stopWhenItSpeaks(
      'trap "" TERM; (trap "" TERM; while :; do sleep 0.05; done) & echo speaks; while :; do sleep 0.05; done',
    );
    assert.equal(await groupIsAlive(leader), false);
  });

  it('rejects with an AbortError after the group is gone', async () => {
    const { leader, said } = await stopWhenItSpeaks('echo speaks; sleep 600 & sleep 600');
    assert.equal(said, 'speaks\n');
    assert.equal(await groupIsAlive(leader), false);
  });

  it('does not begin when the signal has already fired', async () => {
    await assert.rejects(run('touch begun', { signal: AbortSignal.abort() }), isAbortError);
    await assert.rejects(readFile(path.join(folder, 'begun')));
  });

  it('ends when the command ends, although a child in the background holds its output', async () => {
    let leader = 0;
    const result = await run('sleep 600 & echo done', {
      onStarted: async ({ pid }) => {
        leader = pid;
      },
    });
    assert.equal(result.output, 'done\n');
    assert.equal(result.exitCode, 0);
    assert.equal(result.childrenStopped, true);
    assert.equal(await groupIsAlive(leader), false);
  });

  it('ends when the command ends, although a child that left the group holds its output', async () => {
    const result = await run(
      'setsid sh -c "echo $$ > outside; sleep 2" & while [ ! -e outside ]; do sleep 0.02; done; echo done',
    );
    assert.equal(result.output, 'done\n');
    assert.equal(result.exitCode, 0);
  });

  it('stops what a command left in other groups of its session', async function () {
    if (process.platform !== 'linux') this.skip();
    const result = await run('set -m; sleep 600 & echo $! > other; echo done');
    const other = Number(await readFile(path.join(folder, 'other'), 'utf8'));
    assert.equal(result.childrenStopped, true);
    assert.equal(runs(other), false);
  });

  it('stops what detached itself when the command ends, and tells it', async function () {
    if (process.platform !== 'linux') this.skip();
    const result = await run(
      'setsid nohup sleep 600 > /dev/null 2>&1 & while [ "$(cat /proc/$!/comm)" != sleep ]; do sleep 0.02; done; echo done',
    );
    const [found] = result.detached ?? [];
    assert.equal(found?.name, 'sleep');
    assert.equal(result.childrenStopped, false);
    assert.equal(runs(found.pid), false);
  });

  it('stops what detached itself when the command is stopped', async function () {
    if (process.platform !== 'linux') this.skip();
    await stopWhenItSpeaks(
      'setsid sh -c "echo \\$\\$ > away; exec sleep 600" > /dev/null 2>&1 & while [ ! -s away ]; do sleep 0.02; done; echo up; sleep 600',
    );
    const away = Number(await readFile(path.join(folder, 'away'), 'utf8'));
    assert.equal(runs(away), false);
  });

  it('stops what a detached process begins when it is asked to end', async function () {
    if (process.platform !== 'linux') this.skip();
    const result = await run(
      `setsid sh -c 'trap "setsid sleep 600 & echo \\$! > late; exit" TERM; echo $$ > early; while :; do sleep 0.05; done' > /dev/null 2>&1 & while [ ! -s early ]; do sleep 0.02; done`,
    );
    const [early, late] = await Promise.all(
      ['early', 'late'].map(async (name) =>
        Number(await readFile(path.join(folder, name), 'utf8')),
      ),
    );
    assert.ok(early !== undefined && late !== undefined);
    assert.deepEqual([runs(early), runs(late)], [false, false]);
    assert.ok(result.detached?.some(({ pid }) => pid === early));
  });

  it('a command that forks without end is stopped with all its children', async function () {
    if (process.platform !== 'linux') this.skip();
    let leader = 0;
    const result = await run(
      'f() { for i in 1 2 3 4 5 6 7 8 9 10 11 12; do (trap "" TERM; while :; do sleep 0.1; done) & done; }; f; f; f; wait',
      {
        timeoutMs: 1000,
        onStarted: async ({ pid }) => {
          leader = pid;
        },
      },
    );
    assert.equal(result.timedOut, true);
    assert.equal(await groupIsAlive(leader), false);
  });

  it('reads all output of a command that ends at once', async () => {
    const { output } = await run('head -c 3000000 /dev/zero | tr "\\0" y');
    assert.equal(output.match(/y/gu)?.length, 1024 * 1024);
  });

  it('C9: tells the process group before the command can do anything, and waits until it is recorded', async () => {
    const order: string[] = [];
    await run('echo ran > ran', {
      onStarted: async ({ pid, birth }) => {
        assert.equal(birth, await processBirth(pid));
        await new Promise((resolve) => setTimeout(resolve, 150));
        order.push(await readFile(path.join(folder, 'ran'), 'utf8').catch(() => 'not yet'));
      },
    });
    assert.deepEqual(order, ['not yet']);
    assert.equal(await readFile(path.join(folder, 'ran'), 'utf8'), 'ran\n');
  });

  it('C9: never runs a command whose record could not be written', async () => {
    const failure = new BelayError({ code: 'store', message: 'The disk is full.' });
    let leader = 0;
    const refused = run('touch should-not-be', {
      onStarted: async ({ pid }) => {
        leader = pid;
        throw failure;
      },
    });
    await assert.rejects(refused, (thrown) => thrown === failure);
    assert.equal(await groupIsAlive(leader), false);
    await assert.rejects(readFile(path.join(folder, 'should-not-be')));
  });

  it('gives commands a small environment, none of our secrets, and no pager', async () => {
    process.env['BELAY_TEST_API_KEY'] = 'sk-secret-of-the-host';
    try {
      const { output } = await run('env');
      assert.doesNotMatch(output, /sk-secret-of-the-host/u);
      assert.match(output, /^PATH=/mu);
      assert.match(output, /^HOME=/mu);
      assert.match(output, /^PAGER=cat$/mu);
    } finally {
      delete process.env['BELAY_TEST_API_KEY'];
    }
  });

  it('says what is wrong with a folder that is not there and a command that is too long', async () => {
    await assert.rejects(
      run('true', { cwd: path.join(folder, 'nowhere') }),
      (thrown) =>
        thrown instanceof BelayError &&
        thrown.code === 'not_found' &&
        /nowhere does not exist/u.test(thrown.message),
    );
    await assert.rejects(
      run(`: ${'x'.repeat(200_000)}`),
      (thrown) => thrown instanceof BelayError && /too long/u.test(thrown.message),
    );
  });

  it('runs many commands at once', async () => {
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => run(`echo ${index}`)),
    );
    assert.deepEqual(
      results.map(({ output }) => Number(output)),
      Array.from({ length: 40 }, (_, index) => index),
    );
  });

  it('leaves no process and no open handle behind', async () => {
    let leader = 0;
    await run('true', {
      onStarted: async ({ pid }) => {
        leader = pid;
      },
    });
    assert.equal(await groupIsAlive(leader), false);
    assert.equal(await processBirth(leader), undefined);
  });

  describe('when our process dies', () => {
    const host = fileURLToPath(new URL('shell-host.ts', import.meta.url));

    /** Starts a process that runs a command, and gives the command's process group. */
    async function hostRunning(command: string): Promise<{
      readonly kill: () => Promise<void>;
      readonly group: { pid: number; birth: string };
    }> {
      const child = spawn(process.execPath, [host, folder, command], {
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      });
      const line = await new Promise<string>((resolve, reject) => {
        let text = '';
        child.stdout.on('data', (chunk: Buffer) => {
          text += chunk.toString();
          if (text.includes('\n')) resolve(text);
        });
        child.once('exit', () => reject(new Error(`the host ended: ${text}`)));
      });
      child.removeAllListeners('exit');
      const exited = new Promise((resolve) => child.once('exit', resolve));
      return {
        group: JSON.parse(line) as { pid: number; birth: string },
        kill: async () => {
          process.kill(-(child.pid ?? 0), 'SIGKILL');
          await exited;
        },
      };
    }

    async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
      for (let tries = 0; tries < 300; tries += 1) {
        if (await condition()) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.fail('it did not come true within 6 s');
    }

    it('durability 6: SIGKILL of our group takes the command with it, also one that ignores signals', async () => {
      const { kill, group } = await hostRunning(
        'trap "" TERM HUP INT; while :; do sleep 0.05; done',
      );
      assert.equal(await groupIsAlive(group.pid), true);
      await kill();
      await waitUntil(async () => !(await groupIsAlive(group.pid)));
    });

    it('durability 6: what had left the session of a command whose host was killed is found and stopped', async function () {
      if (process.platform !== 'linux') this.skip();
      const file = path.join(folder, 'left');
      const { kill, group } = await hostRunning(
        `setsid nohup sh -c 'echo $$ > left; exec sleep 600' > /dev/null 2>&1 & sleep 600`,
      );
      const left = async (): Promise<number> =>
        Number(await readFile(file, 'utf8').catch(() => ''));
      await waitUntil(async () => (await left()) !== 0);
      await kill();
      await waitUntil(async () => !(await groupIsAlive(group.pid)));
      const pid = await left();
      assert.equal(runs(pid), true);
      assert.equal(await stopAbandoned({ ...group, birth: `${group.birth}0` }), false);
      assert.equal(runs(pid), true);
      assert.equal(await stopAbandoned(group), true);
      assert.equal(runs(pid), false);
    });

    it('durability 6: a group that was left behind is found by its birth and stopped; a stranger with its number is not', async () => {
      const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
      const pid = child.pid ?? 0;
      const birth = (await processBirth(pid)) ?? '';
      try {
        assert.equal(await stopAbandoned({ pid, birth: `${birth}0` }), false);
        assert.equal(await groupIsAlive(pid), true);
        assert.equal(await stopAbandoned({ pid, birth }), true);
        assert.equal(await groupIsAlive(pid), false);
        assert.equal(await stopAbandoned({ pid, birth }), false);
      } finally {
        child.kill('SIGKILL');
      }
    });
  });
});
