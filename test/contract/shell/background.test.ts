import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAbortError } from '../../../src/domain/lifetime/abort.ts';
import type { BackgroundProcess } from '../../../src/core/ports/commands/background-shell.ts';
import { groupIsAlive } from '../../../src/hosts/node/processes/process-group.ts';
import { isDead, processRow } from '../../../src/hosts/node/processes/process-table.ts';
import { NodeShell } from '../../../src/hosts/node/processes/shell.ts';

describe('contract of BackgroundShell: the shell of Node', function () {
  if (process.platform === 'win32') return;
  this.timeout(30_000);

  let shell: NodeShell;
  let folder: string;
  let said: string;
  let leader: number;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'belay background ')));
    shell = new NodeShell();
  });

  afterEach(async () => {
    shell.dispose();
    await rm(folder, { recursive: true });
  });

  const start = async (command: string, by = shell): Promise<BackgroundProcess> => {
    said = '';
    return by.start({
      command,
      cwd: folder,
      signal: new AbortController().signal,
      onOutput: (text) => {
        said += text;
      },
      onStarted: async ({ pid }) => {
        leader = pid;
      },
    });
  };

  async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 400; tries += 1) {
      if (await condition()) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.fail(`it did not come true within 8 s; it said ${JSON.stringify(said)}`);
  }

  it('goes on, is written to, and tells its exit code exactly', async () => {
    const running = await start(
      'while read line; do echo "got $line"; [ "$line" = end ] && exit 7; done',
    );
    await running.write('one\n');
    await until(() => said === 'got one\n');
    assert.equal(await groupIsAlive(leader), true);
    await running.write('end\n');
    assert.deepEqual(await running.ended, { exitCode: 7 });
    assert.equal(said, 'got one\ngot end\n');
    assert.equal(await groupIsAlive(leader), false);
    await assert.rejects(running.write('more\n'), { code: 'invalid' });
  });

  it('can open its input and its output by name', async () => {
    const running = await start('read line < /dev/stdin; echo "got $line" > /dev/stdout');
    await running.write('one\n');
    assert.deepEqual(await running.ended, { exitCode: 0 });
    assert.equal(said, 'got one\n');
  });

  it('does not read what the person set up for their own shells', async () => {
    await writeFile(path.join(folder, '.bashrc'), 'echo of the person; sleep 500\n');
    const { PATH = '' } = process.env;
    const other = new NodeShell(() => ({ PATH, HOME: folder }));
    const { ended } = await start('echo up', other);
    assert.deepEqual(await ended, { exitCode: 0 });
    assert.equal(said, 'up\n');
    other.dispose();
  });

  it('tells the signal that ended it exactly, and not an exit code that looks like one', async () => {
    assert.deepEqual(await (await start('kill -USR2 $$')).ended, { signal: 'SIGUSR2' });
    assert.deepEqual(await (await start('exit 140')).ended, { exitCode: 140 });
  });

  it('the end of the input and an interrupt reach it', async () => {
    const reading = await start('cat; echo over');
    reading.closeInput();
    assert.deepEqual(await reading.ended, { exitCode: 0 });
    assert.equal(said, 'over\n');
    const trapping = await start(
      'trap "echo int; exit 3" INT; echo up; while :; do sleep 0.05; done',
    );
    await until(() => said.includes('up'));
    trapping.interrupt();
    assert.deepEqual(await trapping.ended, { exitCode: 3 });
  });

  it('is stopped with all it started, also what ignores SIGTERM or left the session', async function () {
    if (process.platform !== 'linux') this.skip();
    const running = await start(
      'trap "" TERM; setsid sh -c "echo \\$\\$ > outside; while :; do sleep 0.05; done" & (set -m; sleep 500 & echo $! > other); while [ ! -s outside ]; do sleep 0.02; done; echo up; while :; do sleep 0.05; done',
    );
    await until(() => said.includes('up'));
    const outside = Number(await readFile(path.join(folder, 'outside'), 'utf8'));
    const other = Number(await readFile(path.join(folder, 'other'), 'utf8'));
    assert.notEqual(outside, 0);
    await running.stop();
    assert.equal(await groupIsAlive(leader), false);
    for (const pid of [outside, other]) {
      const row = processRow(pid);
      assert.ok(row === undefined || isDead(row), `${pid} runs on`);
    }
    assert.deepEqual(await running.ended, {
      signal: 'SIGKILL',
      detached: [{ pid: outside, name: 'sh' }],
    });
  });

  it('goes on while something of it does, after its shell has ended', async () => {
    const running = await start('(sleep 1; echo late) & echo early');
    assert.deepEqual(await running.ended, { exitCode: 0 });
    assert.equal(said, 'early\nlate\n');
  });

  it('knows that it is blocked reading its input or a terminal, and that it works', async function () {
    if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) this.skip();
    const asking = await start('printf "Name? "; read name; while :; do :; done');
    await until(() => said === 'Name? ');
    await until(() => asking.waitsForInput());
    await asking.write('x\n');
    await until(async () => !(await asking.waitsForInput()));
    await asking.stop();
    // A consumer that waits for its producer does not wait for a person.
    const piped = await start('sleep 500 | cat');
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(await piped.waitsForInput(), false);
    await piped.stop();
    assert.equal(await piped.waitsForInput(), false);
  });

  it('is not started when the signal has fired, or when its record cannot be written', async () => {
    const request = { command: 'touch begun', cwd: folder, onOutput: () => undefined };
    await assert.rejects(shell.start({ ...request, signal: AbortSignal.abort() }), isAbortError);
    let group = 0;
    await assert.rejects(
      shell.start({
        ...request,
        signal: new AbortController().signal,
        onStarted: async ({ pid }) => {
          group = pid;
          throw new Error('The disk is full.');
        },
      }),
      /disk is full/u,
    );
    assert.equal(await groupIsAlive(group), false);
    await assert.rejects(readFile(path.join(folder, 'begun')));
  });

  it('a flood waits for who takes it', async () => {
    let pieces = 0;
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const running = await shell.start({
      command: 'yes',
      cwd: folder,
      signal: new AbortController().signal,
      onOutput: () => {
        pieces += 1;
        return gate;
      },
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.ok(pieces <= 2, `${pieces} pieces came although nobody took the first`);
    open();
    await until(() => pieces > 100);
    await running.stop();
  });

  it('knows itself, and that a process with another birth is not there', async () => {
    const self = await shell.self();
    assert.equal(await shell.isAlive(self), true);
    assert.equal(await shell.isAlive({ ...self, birth: 'x' }), false);
  });
});
