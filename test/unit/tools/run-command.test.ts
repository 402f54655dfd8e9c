import assert from 'node:assert/strict';
import { isDead, processRow } from '../../../src/hosts/node/processes/process-table.ts';
import { mkdir } from 'node:fs/promises';
import { WorkspaceRig } from '../../contract/tool/workspace-rig.ts';
import { OutputStream } from '../../../src/tools/commands/output-stream.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { LIMIT, textOf, until } from '../tool-call/rig.ts';

describe('run_command', function () {
  this.timeout(30_000);

  let workspace: WorkspaceRig;

  before(async () => {
    workspace = await WorkspaceRig.open({ 'a.txt': 'content\n' });
    await mkdir(workspace.at('sub'));
  });

  after(async () => {
    await workspace.close();
  });

  beforeEach(() => {
    workspace.mode = 'auto';
    workspace.rig.events.length = 0;
    workspace.rig.questions.length = 0;
  });

  it('gives output and exit code; a command that fails is a failed call', async () => {
    assert.equal(
      await workspace.text('run_command', { command: 'cat a.txt' }),
      'content\n[exit code 0]',
    );
    assert.equal(
      await workspace.failure('run_command', { command: 'echo no >&2; exit 3' }),
      'no\n[exit code 3]',
    );
    assert.equal(
      await workspace.text('run_command', { command: 'true' }),
      '[no output]\n[exit code 0]',
    );
  });

  it('understands how other products call the arguments', async () => {
    const input = { cmd: 'pwd -P', workdir: 'sub', description: 'where am I', timeout: '5' };
    assert.equal(
      await workspace.text('run_command', input),
      `${workspace.at('sub')}\n[exit code 0]`,
    );
  });

  it('a failing command is not tried again and is no failure of the tool', async () => {
    const outcome = await workspace.call('run_command', { command: 'exit 1' });
    assert.equal(outcome.result.state, 'failed');
    assert.equal(outcome.failure, undefined);
    assert.equal(workspace.rig.eventTypes().includes('agent.tool.retry'), false);
  });

  it('shows command, folder, exit code and the end of the output on the card', async () => {
    const { result } = await workspace.call('run_command', {
      command: 'pwd >/dev/null; seq 1 3000; exit 2',
      cwd: 'sub',
    });
    const { tail, ...display } = result.display as { readonly tail: string };
    assert.deepEqual(display, {
      kind: 'command',
      command: 'pwd >/dev/null; seq 1 3000; exit 2',
      cwd: 'sub',
      exitCode: 2,
      timedOut: false,
      total: 13_893,
    });
    assert.ok(tail.endsWith('\n2999\n3000\n') && tail.length === 4000);
  });

  it('tells the signal that ended it', async () => {
    const { result } = await workspace.call('run_command', { command: 'echo x; kill -9 $$' });
    assert.equal(textOf({ result }), 'x\n[ended by SIGKILL]');
    assert.equal(result.display?.['signal'], 'SIGKILL');
  });

  it('stops at the limit that was asked for, and says what to do', async () => {
    const text = await workspace.failure('run_command', {
      command: 'echo waiting for you; sleep 600',
      timeout: 2,
    });
    assert.match(
      text,
      /^waiting for you\n\[stopped after 2 s, its time limit: give a longer timeout/u,
    );
  });

  it('says that it stopped what was left running', async () => {
    assert.match(
      await workspace.text('run_command', { command: 'sleep 600 & echo started' }),
      /Processes that it had left running were stopped\./u,
    );
  });

  it('runs in the folder it is told, below the workspace by default', async () => {
    assert.equal(
      await workspace.text('run_command', { command: 'pwd -P', cwd: 'sub' }),
      `${workspace.at('sub')}\n[exit code 0]`,
    );
    assert.match(
      await workspace.failure('run_command', { command: 'pwd', cwd: 'a.txt' }),
      /a\.txt is a file, not a folder/u,
    );
  });

  it('E3: a flood is cut in the middle, and all that is kept can be paged through', async () => {
    const outcome = await workspace.call('run_command', { command: 'seq 1 5000; exit 1' });
    const text = textOf(outcome);
    assert.ok(
      text.startsWith('1\n2\n') && text.endsWith('\n5000\n[exit code 1]'),
      'the beginning or the end is missing',
    );
    assert.ok(text.length < LIMIT + 400);
    const { cut } = outcome.result;
    assert.ok(cut);
    let offset = 0;
    let whole = '';
    while (offset < cut.total) {
      const page = await workspace.text('read_result', {
        result_id: cut.resultId,
        offset,
        length: 600,
      });
      const [, piece = ''] = /^\[Characters .*?\]\n(.*)\n\[.*\]$/su.exec(page) ?? [];
      whole += piece;
      offset += piece.length;
    }
    assert.equal(
      whole,
      `${Array.from({ length: 5000 }, (_, index) => index + 1).join('\n')}\n[exit code 1]`,
    );
  });

  it('E3, D11: of 300 MB the beginning and the end are shown, all can be paged through, and memory stays', async () => {
    const before = process.memoryUsage().heapUsed;
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().heapUsed - before);
    }, 50);
    const command =
      'echo begin; head -c 150000000 /dev/zero | tr "\\0" x; echo; echo middle; head -c 150000000 /dev/zero | tr "\\0" y; echo; echo end';
    const outcome = await workspace.call('run_command', { command });
    clearInterval(watch);
    const text = textOf(outcome);
    assert.ok(text.startsWith('begin\nxxx'));
    assert.ok(text.endsWith('yyy\nend\n[exit code 0]'));
    const { cut } = outcome.result;
    assert.equal(cut?.total, 300_000_019);
    assert.ok(text.includes(`"result_id": "${cut.resultId}"`), text.slice(-1000));
    const page = await workspace.text('read_result', {
      result_id: cut.resultId,
      offset: 150_000_000,
      length: 100,
    });
    assert.match(
      page,
      /^\[Characters 150000000 to 150000100 of 300000019 of .*\]\nxxxxxx\nmiddle\ny/u,
    );
    assert.ok(most < 150 * 1024 * 1024, `${Math.round(most / 1024 / 1024)} MB more`);
  });

  it('says what a command asked that could get no answer, and how to go on', async () => {
    const asked = await workspace.failure('run_command', {
      command: 'printf "Overwrite? [y/N] "; read answer || exit 1',
    });
    assert.match(
      asked,
      /\[exit code 1\] It asked "Overwrite\? \[y\/N\]" and got no answer.*--yes.*background: true/u,
    );
    assert.match(
      await workspace.failure('run_command', {
        command: 'echo "sudo: a terminal is required" >&2; exit 1',
      }),
      /It wanted input and got no answer/u,
    );
    assert.match(
      await workspace.failure('run_command', {
        command: 'printf "Password: "; sleep 600',
        timeout: 2,
      }),
      /\[stopped after 2 s.*background: true.*\] It asked "Password:"/u,
    );
    assert.doesNotMatch(
      await workspace.text('run_command', { command: 'printf "All good?"' }),
      /It asked/u,
    );
  });

  it('names what had detached itself and was stopped', async function () {
    if (process.platform !== 'linux') this.skip();
    const text = await workspace.text('run_command', {
      command:
        'setsid sleep 600 >/dev/null 2>&1 & while [ "$(cat /proc/$!/comm)" != sleep ]; do sleep 0.02; done',
    });
    const [, pid] = /had detached themselves were stopped, too: sleep \((\d+)\)/u.exec(text) ?? [];
    assert.ok(pid, text);
    const row = processRow(Number(pid));
    assert.ok(row === undefined || isDead(row));
  });

  it('does not show binary output as text', async () => {
    const { result } = await workspace.call('run_command', {
      command: 'head -c 5000 /dev/urandom',
    });
    assert.match(
      textOf({ result }),
      /^\[binary output, \d+ characters, not shown\]\n\[exit code 0\]$/u,
    );
  });

  it('security 7: colours and hidden characters do not reach the model or the card', async () => {
    const { result } = await workspace.call('run_command', {
      command: String.raw`printf '\033[31mred\033[0m \342\200\256x\n10%%\r20%%\n'`,
    });
    assert.equal(textOf({ result }), 'red <U+202E>x\n20%\n[exit code 0]');
    assert.equal(result.display?.['tail'], 'red <U+202E>x\n20%\n');
  });

  it('leaves out what a progress bar wrote over, in linear time', async () => {
    const command = String.raw`printf 'get 1%%\rget 50%%\rget 100%%\nplain\r\nlast\r\r\n'; head -c 300000 /dev/zero | tr '\0' x; printf 'y\rz'`;
    assert.equal(
      await workspace.text('run_command', { command }),
      'get 100%\nplain\nlast\nz\n[exit code 0]',
    );
  });

  it('D4: a command that is stopped says what it had printed', async () => {
    const { rig } = workspace;
    const running = workspace.call(
      'run_command',
      { command: 'echo half; sleep 600' },
      { signal: rig.abort.signal },
    );
    await until(() => rig.clock.pending >= 2); // the live output waits to be passed on
    rig.abort.abort('canceled');
    const outcome = await running;
    assert.equal(outcome.result.state, 'canceled');
    assert.match(
      textOf(outcome),
      /^Canceled by the user\. The command was stopped and may have done part of its work\. Its output so far ended with:\nhalf\n/u,
    );
    assert.equal(rig.clock.pending, 0);
    Object.assign(rig, { abort: new AbortController() });
  });

  it('shows the user the whole line, and the folder unless it is the root', async () => {
    workspace.mode = 'ask';
    workspace.rig.answers.push({ allowed: false });
    await workspace.call('run_command', { command: `echo a${' '.repeat(200)}; rm -rf x\u200b` });
    const [question] = workspace.rig.questions;
    assert.equal(question?.title, 'Run a command');
    assert.equal(question.detail, 'echo a ⟨200 blanks⟩ ; rm -rf x<U+200B>');
    assert.equal(question.where, undefined);
    workspace.rig.answers.push({ allowed: false });
    await workspace.call('run_command', { command: 'true', cwd: '/' });
    assert.equal(workspace.rig.questions.at(-1)?.where, 'In /.');
  });

  it('C9: records the process group before the command can do anything', async () => {
    const outcome = await workspace.call('run_command', { command: 'true' });
    const row = await workspace.rig.row(outcome.result.callId);
    assert.ok((row?.process?.pid ?? 0) > 1);
    assert.notEqual(row?.process?.birth, '');
  });

  it('D11: passes output on while it runs', async () => {
    await workspace.call('run_command', { command: 'echo live' });
    const output = workspace.rig.events.flatMap((event) =>
      event.type === 'tool.output' ? [event.text] : [],
    );
    assert.deepEqual(output, ['live\n']);
  });
});

describe('live output', () => {
  it('D11: goes in few pieces, each bounded, and says what was left out', async () => {
    const clock = new FakeClock();
    const sent: string[] = [];
    const stream = new OutputStream(
      clock,
      (event) => event.type === 'tool.output' && sent.push(event.text),
      'call-1',
    );
    stream.add('a');
    stream.add('b');
    assert.deepEqual(sent, []);
    await clock.advance(100);
    assert.deepEqual(sent, ['ab']);
    for (let index = 0; index < 1000; index += 1) stream.add('x'.repeat(1000));
    await clock.advance(100);
    assert.equal(sent.length, 2);
    assert.equal(sent[1], `[… ${1_000_000 - 8192} characters …]\n${'x'.repeat(8192)}`);
    stream.add('\u001b[31mred\u001b[');
    await clock.advance(100);
    stream.add('0m done\u202e\r');
    await clock.advance(100);
    assert.deepEqual(sent.slice(2), ['red', ' done<U+202E>']);
    stream.add('\nrest');
    stream.dispose();
    assert.equal(sent[4], '\nrest');
    assert.equal(clock.pending, 0);
  });
});
