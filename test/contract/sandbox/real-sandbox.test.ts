import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { isAbortError } from '../../../src/domain/lifetime/abort.ts';
import { RememberedApprovals } from '../../../src/core/permissions/rules/remembered-approvals.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';
import { groupIsAlive } from '../../../src/hosts/node/processes/process-group.ts';
import { isDead, processRow } from '../../../src/hosts/node/processes/process-table.ts';
import {
  createSandboxFiles,
  fillLine,
  HIDDEN_TEXT,
  SANDBOX_CASES,
} from '../../security/sandbox-fixture.ts';
import { SandboxRig } from './sandbox-rig.ts';

const BIN = path.resolve(import.meta.dirname, '../../../node_modules/.bin');

/** Why the real sandbox cannot run on this machine; `undefined`: it can. */
function missing(): string | undefined {
  if (process.platform !== 'linux') return `these cases are for Linux, this is ${process.platform}`;
  if (!existsSync(path.join(BIN, 'srt'))) return '@anthropic-ai/sandbox-runtime is not installed';
  const onPath = (name: string): boolean =>
    (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(path.join(folder, name)));
  const absent = ['bwrap', 'socat', 'rg'].filter((name) => !onPath(name));
  if (absent.length > 0) return `${absent.join(', ')} not installed`;
  try {
    const words = ['--ro-bind', '/', '/', '--unshare-user', '--unshare-pid', '--unshare-net'];
    execFileSync('bwrap', [...words, '--proc', '/proc', 'true'], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `the system does not permit bubblewrap: ${String(error).slice(0, 200)}`;
  }
}

/** Dead and not yet collected by anybody is not running. */
function runs(pid: number): boolean {
  const row = processRow(pid);
  return row !== undefined && !isDead(row);
}

describe('A5: commands in the real sandbox (@anthropic-ai/sandbox-runtime with bubblewrap)', function () {
  this.timeout(60_000);
  let rig: SandboxRig;

  before(async function () {
    const why = missing();
    if (why !== undefined) {
      process.stdout.write(`    skipped: ${why}\n`);
      this.skip();
    }
    rig = await SandboxRig.open([BIN, path.dirname(process.execPath)]);
    await writeFile(path.join(rig.home, '.ssh', 'id_test'), 'PRIVATE');
    await writeFile(path.join(rig.store, 'belay.db'), 'SESSIONS');
  });

  after(() => rig?.close());

  it('writes in the workspace and the temp folder, and nowhere else', async () => {
    const outside = path.join(rig.home, 'outside');
    const done = await rig.run(
      `pwd; echo a > inside; echo b > "$TMPDIR/b"; echo c > "${outside}"; mkdir /usr/belay`,
    );
    assert.match(done.output, new RegExp(`^${rig.workspace}\n`, 'u'));
    assert.equal(await readFile(path.join(rig.workspace, 'inside'), 'utf8'), 'a\n');
    assert.equal((await rig.run('cat "$TMPDIR/b"')).output, 'b\n');
    assert.equal(existsSync(outside), false);
    assert.notEqual(done.exitCode, 0);
    assert.match(done.notes?.join(' ') ?? '', /ran in the sandbox.*unsandboxed/u);
  });

  it('keeps credentials and Belay’s own stores from being read', async () => {
    const done = await rig.run(`cat ~/.ssh/id_test "${rig.store}/belay.db"; ls "${rig.store}"`);
    assert.doesNotMatch(done.output, /PRIVATE|SESSIONS|belay\.db$/mu);
  });

  it('reaches no host', async () => {
    const request = `fetch('http://127.0.0.1:9/').then(() => console.log('REACHED'), (e) => console.log('HELD', e.cause?.code ?? e.message))`;
    const done = await rig.run(`node -e "${request}"; curl -s -S http://example.com`);
    assert.match(done.output, /HELD/u);
    assert.match(done.output, /blocked by network allowlist|not found/u);
  });

  it('gives the exit code, the words of the command as they are, and its signal as a shell tells it', async () => {
    const done = await rig.run(`printf '%s|' "a  b" 'c"d' '$HOME' '\\n' “ü”; exit 37`);
    assert.equal(done.output, `a  b|c"d|$HOME|\\n|“ü”|`);
    assert.equal(done.exitCode, 37);
    assert.equal((await rig.run('kill -9 $$')).exitCode, 137);
    assert.equal((await rig.run('kill -TERM $$')).exitCode, 143);
    assert.equal((await rig.run('true')).exitCode, 0);
  });

  it('leaves nothing in the workspace that the command did not make', async () => {
    await rig.run('true');
    assert.deepEqual(await readdir(rig.workspace), ['inside']);
  });

  it('writes its rules for our eyes only, and no command in it changes them', async () => {
    const folder = path.join(rig.store, 'sandbox');
    const [name] = await readdir(folder);
    const file = path.join(folder, name ?? '');
    const before = await readFile(file, 'utf8');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await rig.run(`echo '{}' > "${file}"; rm -f "${file}"; echo x > ~/.srt-settings.json`);
    assert.equal(await readFile(file, 'utf8'), before);
    assert.equal(existsSync(path.join(rig.home, '.srt-settings.json')), false);
  });

  it('ends in time with all that runs in it, after it could clean up', async () => {
    let leader = 0;
    const done = await rig.run(
      `trap 'echo cleaned; exit 3' TERM; echo ready; sleep 600 & while :; do sleep 0.05; done`,
      {
        timeoutMs: 4000,
        onStarted: async ({ pid }) => {
          leader = pid;
        },
      },
    );
    assert.equal(done.timedOut, true);
    assert.match(done.output, /ready\n(?:.*\n)*cleaned/u);
    assert.equal(await groupIsAlive(leader), false);
    assert.deepEqual(done.detached, undefined);
  });

  it('is gone when the run is stopped', async () => {
    const controller = new AbortController();
    let leader = 0;
    const running = rig.run('echo go; sleep 600', {
      signal: controller.signal,
      onStarted: async ({ pid }) => {
        leader = pid;
      },
      onOutput: () => controller.abort(),
    });
    await assert.rejects(running, isAbortError);
    assert.equal(await groupIsAlive(leader), false);
    assert.equal(runs(leader), false);
  });

  it('goes on in the background, is written to, interrupted and stopped', async () => {
    let said = '';
    const spoken = async (text: string): Promise<void> => {
      for (let tries = 0; tries < 400 && !said.includes(text); tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 20));
      assert.ok(said.includes(text), `${JSON.stringify(said)} has no ${text}`);
    };
    let leader = 0;
    const start = async (command: string): ReturnType<typeof rig.shell.start> =>
      rig.shell.start({
        command,
        cwd: rig.workspace,
        signal: new AbortController().signal,
        onOutput: (text) => {
          said += text;
        },
        onStarted: async ({ pid }) => {
          leader = pid;
        },
      });
    const reader = await start(
      `trap 'echo interrupted' INT; echo up; while read -r line || [ $? -gt 128 ]; do echo "got $line"; [ "$line" = end ] && exit 7; done`,
    );
    await spoken('up');
    reader.interrupt();
    await spoken('interrupted');
    await reader.write('end\n');
    assert.deepEqual(await reader.ended, { exitCode: 7 });
    said = '';
    const server = await start(
      `trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done`,
    );
    await spoken('up');
    await server.stop();
    assert.match(said, /bye/u);
    assert.equal(await groupIsAlive(leader), false);
  });

  it('runs outside it what a person has allowed there', async () => {
    const outside = path.join(rig.home, 'allowed');
    assert.equal((await rig.run(`echo x > "${outside}"`, { unsandboxed: true })).exitCode, 0);
    assert.equal(await readFile(outside, 'utf8'), 'x\n');
  });

  it('lets a command that nobody approved read and compute, and write in its temp folder', async () => {
    await mkdir(path.join(rig.home, 'go', 'pkg'), { recursive: true });
    await writeFile(path.join(rig.home, 'go', 'pkg', 'mod.txt'), 'CACHED\n');
    const written = await rig.runReadOnly(
      'cat inside ~/go/pkg/mod.txt; pwd; echo t > "$TMPDIR/t"; echo x > /tmp/x && cat /tmp/x',
    );
    assert.equal(written.output, `a\nCACHED\n${rig.workspace}\nx\n`);
    const read = await rig.runReadOnly('cat "$TMPDIR/t"; echo b > inside');
    assert.match(read.output, /^t\n.*Read-only file system/su);
    assert.match(read.notes?.join(' ') ?? '', /read-only sandbox.*"writes": true/u);
  });

  it('makes a remembered approval lapse when a command in it changes the manifest', async () => {
    await writeFile(path.join(rig.workspace, 'package.json'), '{"scripts":{"test":"true"}}');
    const hash = (text: string): string => text;
    const roots = (): readonly string[] => [rig.workspace];
    const memory = { read: async () => undefined, write: async () => undefined };
    const approvals = new RememberedApprovals({ files: new NodeFileSystem(), hash, roots }, memory);
    const rule = { effect: 'allow', command: 'npm test', in: rig.workspace } as const;
    await approvals.add([rule]);
    assert.deepEqual(await approvals.changes(rule), []);
    await rig.run(`echo '{"scripts":{"test":"false"}}' > package.json`);
    assert.deepEqual(
      (await approvals.changes(rule)).map(({ name }) => name),
      ['package.json'],
    );
  });

  it('runs no unapproved command outside, not even while the sandbox is off', async () => {
    rig.enabled = false;
    const done = await rig.runReadOnly('echo b > inside');
    rig.enabled = true;
    assert.match(done.output, /Read-only file system/u);
  });
});

describe('the attack corpus of the read-only sandbox, in the real one', function () {
  this.timeout(180_000);
  let rig: SandboxRig;

  before(async function () {
    const why = missing();
    if (why !== undefined) this.skip();
    rig = await SandboxRig.open([BIN, path.dirname(process.execPath)]);
  });

  after(() => rig?.close());

  it('prints no hidden text, changes no file, and reaches nothing', async () => {
    const reached: string[] = [];
    const server = createServer((socket) => {
      reached.push('tcp');
      socket.destroy();
    });
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
    const local = createServer(() => reached.push('unix'));
    await new Promise<void>((resolve) =>
      local.listen(path.join(rig.temp, 'listener.sock'), resolve),
    );
    const datagrams = createSocket('udp4', () => reached.push('udp'));
    await new Promise<void>((resolve) => datagrams.bind(port, '127.0.0.1', resolve));
    try {
      const { workspace, home, temp, store } = rig;
      const folders = { workspace, home, temp, store, port };
      await createSandboxFiles(folders);
      const before = await listAll(workspace, home, temp);
      const lines = SANDBOX_CASES.filter(({ judgedOnly }) => judgedOnly !== true).map(
        (one) => `echo "== ${one.id}"; (\n${fillLine(one, folders)}\n) 2>&1`,
      );
      assert.ok(lines.length >= 45);
      const control = `node -e "console.log(require('fs').readFileSync('README.md','utf8'))"`;
      const done = await rig.runReadOnly([...lines, control, 'sleep 2', 'echo END'].join('\n'));
      assert.match(done.output, /CONTROL\s+END\n$/u);
      assert.doesNotMatch(done.output, new RegExp(`${HIDDEN_TEXT}|REACHED`, 'u'), done.output);
      assert.deepEqual(await listAll(workspace, home, temp), before);
      assert.deepEqual(reached, []);
    } finally {
      server.close();
      local.close();
      datagrams.close();
    }
  });
});

/** Every path below folders with its kind, mode, number of names and text, but for what Belay itself keeps. */
async function listAll(...folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of folders)
    for (const name of (await readdir(folder, { recursive: true })).toSorted()) {
      if (name.startsWith('belay-')) continue;
      const file = path.join(folder, name);
      const stat = await lstat(file);
      const text = stat.isFile() ? await readFile(file, 'utf8') : '';
      found.push(`${file} ${stat.mode.toString(8)} ${stat.isFile() ? stat.nlink : ''} ${text}`);
    }
  return found;
}
