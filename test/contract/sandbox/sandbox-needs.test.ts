import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BelayError } from '../../../src/domain/failure.ts';
import { sandboxProgram } from '../../../src/hosts/node/sandbox/sandbox-needs.ts';
import type { SandboxRules } from '../../../src/hosts/node/sandbox/sandbox-rules.ts';
import { SandboxRig } from './sandbox-rig.ts';

/** What Linux needs, beside `srt` itself. */
const NEEDS = ['node', 'bwrap', 'socat', 'rg'];

/** Writes down its arguments and runs what is behind `--`, in no sandbox. */
const STAND_IN = `#!/bin/sh
printf '%s\\n' "$@" > "$(dirname "$0")/arguments"
cp "$2" "$(dirname "$0")/rules.json"
shift 3
exec "$@"
`;

const REFUSES = `#!/bin/sh
echo 'bwrap: setting up uid map: Permission denied' >&2
exit 1
`;

describe('A5: what starts the sandbox, shown with a stand-in for srt that confines nothing', function () {
  if (process.platform !== 'linux') return;
  this.timeout(30_000);
  let rig: SandboxRig;
  let programs: string;

  beforeEach(async () => {
    rig = await SandboxRig.open([]);
    programs = path.join(rig.base, 'programs');
    await mkdir(programs);
    rig.programs.push(programs);
  });

  afterEach(() => rig.close());

  async function install(name: string, text = '#!/bin/sh\n', folder = programs): Promise<void> {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, name), text);
    await chmod(path.join(folder, name), 0o755);
  }

  const installAll = async (srt = STAND_IN): Promise<void> => {
    await install('srt', srt);
    for (const name of NEEDS) await install(name);
  };

  const failure = async (promise: Promise<unknown>): Promise<string> => {
    const thrown: unknown = await promise.then(
      () => assert.fail('it ran'),
      (error: unknown) => error,
    );
    assert.ok(thrown instanceof BelayError, String(thrown));
    return thrown.message;
  };

  it('runs the words of the command through it, with rules of ours', async () => {
    await installAll();
    rig.allowedHosts = ['api.example.com', '*.com', '*', 'x.example:8080', '*.example.org'];
    const done = await rig.run(`echo "a  b" 'it''s' $((1 + 1)); exit 5`);
    assert.equal(done.output, 'a  b its 2\n');
    assert.equal(done.exitCode, 5);
    const words = (await readFile(path.join(programs, 'arguments'), 'utf8')).split('\n');
    assert.deepEqual([words[0], words[2], words[3]], ['--settings', '--', '/usr/bin/env']);
    assert.ok(words[1]?.startsWith(path.join(rig.store, 'sandbox')));
    const text = await readFile(path.join(programs, 'rules.json'), 'utf8');
    const rules = JSON.parse(text) as SandboxRules;
    assert.deepEqual(rules.network.allowedDomains, [
      'api.example.com:443',
      'api.example.com:80',
      'x.example:8080',
      '*.example.org:443',
      '*.example.org:80',
    ]);
    const [first, temp, ...others] = rules.filesystem.allowWrite;
    assert.deepEqual([first, others], [rig.workspace, []]);
    assert.equal(path.dirname(path.dirname(temp ?? '')), rig.temp);
    assert.ok(rules.filesystem.denyRead.includes(rig.temp));
    for (const hidden of [path.join(rig.home, '.ssh'), rig.store]) {
      assert.ok(rules.filesystem.denyRead.includes(hidden), hidden);
      assert.ok(rules.filesystem.denyWrite.includes(hidden), hidden);
    }
  });

  it('runs nothing and names all that is missing, with how to install it or switch it off', async () => {
    rig.searchPath = programs;
    await install('node');
    const message = await failure(rig.run('echo x > made'));
    assert.match(message, /srt \(npm install -g @anthropic-ai\/sandbox-runtime\)/u);
    assert.match(message, /bwrap \(.*apt-get install bubblewrap.*socat \(.*rg \(/u);
    assert.doesNotMatch(message, /node \(/u);
    assert.match(message, /belay\.terminal\.sandbox to "off"/u);
    assert.equal(existsSync(path.join(rig.workspace, 'made')), false);
  });

  it('runs nothing where the sandbox does not start, says why, and tries again the next time', async () => {
    await installAll(REFUSES);
    const message = await failure(rig.run('echo x > made'));
    assert.match(message, /setting up uid map: Permission denied/u);
    assert.match(message, /belay\.terminal\.sandbox to "off"/u);
    assert.equal(existsSync(path.join(rig.workspace, 'made')), false);
    await install('srt', STAND_IN);
    assert.equal((await rig.run('echo x > made')).exitCode, 0);
  });

  it('fails in the background in the same way', async () => {
    rig.searchPath = programs;
    const starting = rig.shell.start({
      command: 'echo x > made',
      cwd: rig.workspace,
      signal: new AbortController().signal,
      onOutput: () => undefined,
    });
    assert.match(await failure(starting), /srt \(npm install/u);
  });

  it('takes no program from a folder that commands in the sandbox can write to', async () => {
    const own = path.join(rig.workspace, 'bin');
    await install('srt', STAND_IN, own);
    for (const name of NEEDS) await install(name);
    rig.searchPath = [own, path.join(rig.temp), 'relative', programs].join(path.delimiter);
    assert.match(await failure(rig.run('true')), /srt \(npm install/u);
    await install('srt');
    await installAll();
    rig.searchPath = [own, programs, '/usr/bin', '/bin'].join(path.delimiter);
    // The command itself has its search path as it was.
    assert.match((await rig.run('echo "$PATH"')).output, new RegExp(`^${own}:`, 'u'));
    assert.ok(existsSync(path.join(programs, 'arguments')));
    assert.equal(existsSync(path.join(own, 'arguments')), false);
  });

  it('says to the model that the sandbox may be the reason of a failure, and only then', async () => {
    await installAll();
    const refused = await rig.run('echo "touch: /x: Read-only file system"; exit 1');
    assert.match(refused.notes?.join(' ') ?? '', /in the sandbox.*reaches no host.*unsandboxed/u);
    assert.equal((await rig.run('echo wrong; exit 1')).notes, undefined);
    assert.equal((await rig.run('echo "Permission denied"')).notes, undefined);
  });

  it('runs without it where it is off, or where a person allowed that', async () => {
    await installAll();
    assert.equal((await rig.run('true', { unsandboxed: true })).exitCode, 0);
    rig.enabled = false;
    assert.equal((await rig.run('true')).exitCode, 0);
    assert.equal(existsSync(path.join(programs, 'arguments')), false);
  });

  it('names the system that has no sandbox', () => {
    assert.throws(() => sandboxProgram(programs, 'win32'), /no sandbox for commands on Windows/u);
  });
});
