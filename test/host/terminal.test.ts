import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { isAbortError } from '../../src/domain/lifetime/abort.ts';
import type { ShellRequest, ShellResult } from '../../src/core/ports/commands/shell.ts';
import { cleanText } from '../../src/domain/text/honest-text.ts';
import { commandEnvironment } from '../../src/hosts/node/processes/command-environment.ts';
import { MARKER, newMarker, startOf } from '../../src/hosts/node/processes/command-family.ts';
import { CommandLimits } from '../../src/hosts/node/processes/command-limits.ts';
import {
  groupIsAlive,
  processBirth,
  stopDetached,
  stopGroup,
  stopLeftBehind,
} from '../../src/hosts/node/processes/process-group.ts';
import { processRow } from '../../src/hosts/node/processes/process-table.ts';
import { NodeShell } from '../../src/hosts/node/processes/shell.ts';
import { IntegratedShell } from '../../src/hosts/vscode/terminal/integrated-shell.ts';
import { eventually } from './eventually.ts';

describe('commands in a terminal of VS Code', function () {
  this.timeout(60_000);

  let folder: string;
  let plain: NodeShell;
  let shell: IntegratedShell;
  let leader: number;

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'belay terminal ')));
    plain = new NodeShell();
    shell = new IntegratedShell({
      plain,
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      folder: path.join(folder, 'jobs'),
      enabled: () => true,
      sandboxed: () => false,
      system: {
        environment: () => commandEnvironment(process.env),
        processBirth,
        stopGroup,
        stopLeftBehind,
        marker: () => ({ name: MARKER, value: newMarker() }),
        startOf,
        stopDetached,
        limits: (request, stop) => new CommandLimits(request, stop),
        guard: () => ({ dispose: () => {} }),
      },
    });
  });

  after(async () => {
    shell.dispose();
    plain.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const run = async (command: string, more: Partial<ShellRequest> = {}): Promise<ShellResult> => {
    const result = await shell.run({
      command,
      cwd: folder,
      timeoutMs: 30_000,
      signal: new AbortController().signal,
      onOutput: () => undefined,
      onStarted: async ({ pid, birth }) => {
        leader = pid;
        assert.equal(birth, await processBirth(pid));
      },
      ...more,
    });
    return { ...result, output: cleanText(result.output) };
  };

  const ours = (): readonly vscode.Terminal[] =>
    vscode.window.terminals.filter(({ name }) => name === 'Belay');

  const detaching =
    'setsid nohup sh -c "echo \\$\\$ > detached; exec sleep 600" > /dev/null 2>&1 & sleep 0.5';

  it('what a command detached is stopped with it, and is told', async function () {
    if (process.platform !== 'linux') this.skip();
    const result = await run(detaching);
    const pid = Number(await readFile(path.join(folder, 'detached'), 'utf8'));
    assert.equal(
      result.detached?.some((one) => one.pid === pid),
      true,
      JSON.stringify(result),
    );
    await eventually('it is stopped', () => processRow(pid)?.state !== 'S');
  });

  it('what a command detached is stopped when the run is', async function () {
    if (process.platform !== 'linux') this.skip();
    const stop = new AbortController();
    await rm(path.join(folder, 'detached'), { force: true });
    const running = run(`${detaching}; sleep 600`, { signal: stop.signal });
    const pid = await eventually('it has detached', async () => {
      const text = await readFile(path.join(folder, 'detached'), 'utf8').catch(() => '');
      return Number(text) > 0 && Number(text);
    });
    stop.abort();
    await assert.rejects(running, isAbortError);
    await eventually('it is stopped', () => processRow(pid)?.state !== 'S');
  });

  it('gives output and exit code of what the person sees, in a real terminal', async () => {
    const result = await run('echo hello; [ -t 1 ] && echo terminal; exit 3');
    assert.deepEqual(result, {
      exitCode: 3,
      output: 'hello\nterminal\n',
      total: result.total,
      timedOut: false,
      childrenStopped: false,
    });
    assert.equal(ours().length, 1);
  });

  it('tells a signal exactly, and not an exit code that looks like one', async () => {
    const killed = await run('kill -USR1 $$');
    assert.equal(killed.signal, 'SIGUSR1');
    assert.equal(killed.exitCode, undefined);
    assert.equal((await run('exit 138')).exitCode, 138);
    assert.equal(ours().length, 1, 'the terminal is used again');
  });

  it('security 9: the command gets the small environment, nothing of the shell or of ours', async () => {
    process.env['BELAY_TEST_API_KEY'] = 'sk-secret-of-the-host';
    try {
      const { output } = await run('env');
      assert.doesNotMatch(output, /sk-secret|ELECTRON_RUN_AS_NODE|VSCODE_|BELAY_(?!COMMAND=)/u);
      assert.match(output, /^PAGER=cat$/mu);
    } finally {
      delete process.env['BELAY_TEST_API_KEY'];
    }
  });

  it('takes lines, quotes and whatever else as they are, in the folder it is given', async () => {
    const { output, exitCode } = await run(
      'x=\'a "quoted"\nline\'\nprintf \'%s|\' "$x" "$PWD"\nfor i in 1 2; do\n  echo $i\ndone # it\'s',
    );
    assert.equal(output, `a "quoted"\nline|${folder}|1\n2\n`);
    assert.equal(exitCode, 0);
  });

  it('D11: the person can answer what it asks', async () => {
    let seen = '';
    const running = run('printf "Name? "; read name; echo "hello $name"', {
      onOutput: (text) => {
        seen += text;
      },
    });
    await eventually('the question', () => seen.includes('Name? '));
    ours()[0]?.sendText('Ada');
    assert.match((await running).output, /hello Ada/u);
  });

  it('the person can interrupt it, and that is told', async () => {
    let seen = '';
    const running = run('echo up; sleep 600', {
      onOutput: (text) => {
        seen += text;
      },
    });
    await eventually('the start', () => seen.includes('up'));
    ours()[0]?.sendText('\u0003', false);
    const result = await running;
    assert.equal(result.signal, 'SIGINT');
    assert.match(result.notes?.join() ?? '', /interrupted in the terminal/u);
  });

  it('stops at the deadline with all it started, also what ignores SIGTERM', async () => {
    const result = await run(
      'trap "" TERM; (while :; do sleep 0.05; done) & while :; do sleep 0.05; done',
      { timeoutMs: 1500 },
    );
    assert.equal(result.timedOut, true);
    assert.equal(await groupIsAlive(leader), false);
  });

  it('D4: is gone with its group when the run is stopped, and the next command works', async () => {
    const stop = new AbortController();
    const running = run('echo up; sleep 600 & sleep 600', {
      signal: stop.signal,
      onOutput: () => stop.abort('canceled'),
    });
    await assert.rejects(running, isAbortError);
    assert.equal(await groupIsAlive(leader), false);
    assert.equal((await run('echo next')).output, 'next\n');
  });

  it('C9: nothing runs when the record of its group cannot be written', async () => {
    await assert.rejects(
      run('touch should-not-be', {
        onStarted: async ({ pid }) => {
          leader = pid;
          throw new Error('The disk is full.');
        },
      }),
      /disk is full/u,
    );
    assert.equal(await groupIsAlive(leader), false);
    assert.equal((await readdir(folder)).includes('should-not-be'), false);
  });

  it('a terminal that the person closes ends its command, and that is told', async () => {
    let seen = '';
    const running = run('echo up; sleep 600', {
      onOutput: (text) => {
        seen += text;
      },
    });
    await eventually('the start', () => seen.includes('up'));
    for (const terminal of ours()) terminal.dispose();
    const result = await running;
    assert.equal(result.exitCode, undefined);
    assert.match(result.notes?.join() ?? '', /closed its terminal/u);
    assert.equal(await groupIsAlive(leader), false);
  });

  it('falls back to the plain process where shell integration does not come up, and says so', async () => {
    const settings = vscode.workspace.getConfiguration('terminal.integrated.shellIntegration');
    await settings.update('enabled', false, vscode.ConfigurationTarget.Global);
    try {
      const result = await run('echo plain; [ -t 1 ] || echo pipe');
      assert.equal(result.output, 'plain\npipe\n');
      assert.match(result.notes?.join() ?? '', /ran as a plain process/u);
    } finally {
      await settings.update('enabled', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
