import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { HeadlessPlace } from '../support/headless/place.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';

const LINES = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');

/** The shell makes what no edit makes: other modes, bytes, names, links. */
const COMMAND = [
  'rm gone.txt',
  'mv "old name.txt" "new \\"name\\".txt"',
  'chmod +x tool.sh',
  String.raw`printf 'a\0b\377' > pixel.bin`,
  'printf "no end" > end.txt',
  'ln -s a.txt link',
  ': > empty.txt',
  'printf x > "späße äöü.txt"',
].join(' && ');

describe('files of the headless host', function () {
  this.timeout(120_000);

  const script = inOrder(
    calls(call('read_file', { path: 'a.txt' }, 'c0')),
    calls(call('edit_file', { path: 'a.txt', old_text: 'line 3\n', new_text: 'LINE 3\n' }, 'c1')),
    calls(call('write_file', { path: 'deep/er/made.txt', content: 'made\n' }, 'c2')),
    calls(call('run_command', { command: COMMAND }, 'c3')),
    calls(call('read_file', { path: 'a.txt' }, 'c4')),
    calls(call('edit_file', { path: 'a.txt', old_text: 'line 30\n', new_text: '' }, 'c5')),
    say('Done.'),
  );

  const fill = async (place: HeadlessPlace): Promise<void> => {
    await place.write('a.txt', LINES);
    await place.write('gone.txt', 'gone\n');
    await place.write('old name.txt', 'renamed\n');
    await place.write('tool.sh', '#!/bin/sh\n');
    await place.write('end.txt', 'end\n');
    await writeFile(path.join(place.workspace, 'pixel.bin'), Buffer.from([0, 1, 2, 3]));
  };

  it('what a run changed is a patch that git applies, and a file that another folder takes in and goes on with', async () => {
    await using place = await HeadlessPlace.make(script);
    await fill(place);
    const before = path.join(place.folder, 'before');
    await cp(place.workspace, before, { recursive: true });
    const [patch, session] = ['out.patch', 'out.jsonl'].map((name) =>
      path.join(place.folder, name),
    );
    const { code, stderr } = await place.run(`--prompt Go --patch ${patch} --export ${session}`);
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
    if (process.platform !== 'win32')
      assert.equal((await stat(session ?? '')).mode & 0o777, 0o600, 'only the user reads it');
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: before, encoding: 'utf8' });
    git('init', '-q');
    git('apply', patch ?? '');
    await rm(path.join(before, '.git'), { recursive: true });
    git('diff', '--no-index', '--exit-code', before, place.workspace);
    git('init', '-q');
    const text = await readFile(patch ?? '', 'utf8');
    assert.match(text, /^old mode 100644\nnew mode 100755$/mu);
    assert.match(text, /^rename from old name\.txt$/mu);
    assert.match(text, /^new file mode 120000$/mu);
    assert.match(text, /^GIT binary patch$/mu);
    git('apply', '--reverse', patch ?? '');
    assert.equal(await readFile(path.join(before, 'old name.txt'), 'utf8'), 'renamed\n');
    assert.deepEqual(await readFile(path.join(before, 'pixel.bin')), Buffer.from([0, 1, 2, 3]));

    await using other = await HeadlessPlace.make(inOrder(say('I remember.')));
    await fill(other);
    const at = { workspace: other.workspace, data: other.data };
    const taken = await other.command(`import --from ${session} --apply --json`, at);
    assert.equal(taken.code, 0, taken.stderr);
    const { sessionId, taken: files } = JSON.parse(taken.stdout) as {
      sessionId: string;
      taken: readonly { path: string; outcome: string }[];
    };
    assert.equal(files.find((one) => one.path === 'a.txt')?.outcome, 'written');
    const copied = async ({ workspace }: HeadlessPlace): Promise<string> =>
      readFile(path.join(workspace, 'a.txt'), 'utf8');
    assert.equal(await copied(other), await copied(place));
    assert.match(
      (await other.command('sessions', { data: other.data })).stdout,
      new RegExp(`^${sessionId}\t`, 'u'),
    );
    const again = await other.run(`--resume ${sessionId} --prompt And?`);
    assert.equal(again.stdout, 'I remember.\n');
    assert.match(
      JSON.stringify(other.server.requests.at(-1)?.body.messages),
      /deep\/er\/made\.txt/u,
    );
  });

  it('a session of an earlier run is exported, and its patch written, afterwards; to standard output too', async () => {
    await using place = await HeadlessPlace.make(script);
    await fill(place);
    assert.equal((await place.run('--prompt Go --review')).code, 0);
    const at = { workspace: place.workspace, data: place.data };
    const patch = await place.command('patch --to -', at);
    assert.match(patch.stdout, /^diff --git a\/a\.txt b\/a\.txt\n/u);
    const session = await place.command('export --to -', at);
    assert.match(session.stdout, /"type":"pending"[^]*"type":"end"/u);
    const none = await place.command('export --session nobody --to -', at);
    assert.deepEqual([none.code, none.stdout], [1, '']);
    assert.match(none.stderr, /There is no session nobody in the data folder\./u);
  });

  it('an exported session says what was said, and nothing in it steers a terminal', async () => {
    const said = 'red \u009b31m and \u202eback';
    await using place = await HeadlessPlace.make(inOrder(say(said)));
    assert.equal((await place.run('--prompt Go --review')).code, 0);
    const at = { workspace: place.workspace, data: place.data };
    const { stdout } = await place.command('export --to -', at);
    assert.doesNotMatch(stdout, /[\u0080-\u009f\u202a-\u202e]/u);
    const lines = stdout.trimEnd().split('\n');
    const texts = lines.map((line) => JSON.stringify(JSON.parse(line)));
    assert.ok(texts.some((text) => text.includes(said)));
  });

  it('a file that is no session, or cannot be written, is one sentence and exit code 1', async () => {
    await using place = await HeadlessPlace.make(inOrder(say('Done.')));
    await place.write('no.jsonl', 'no');
    const at = { workspace: place.workspace, data: place.data };
    const bad = await place.command(`import --from ${place.workspace}/no.jsonl`, at);
    assert.equal(bad.code, 1);
    assert.match(bad.message, /^The file cannot be imported\. Line 1: /u);
    const away = await place.run(`--prompt Go --export ${place.folder}/not/there.jsonl`);
    assert.equal(away.code, 1);
    assert.match(away.message, /there\.jsonl/u);
  });

  it('runs in an empty folder as nobody, without a home and a git configuration, on read-only code', async function () {
    if (process.getuid?.() !== 0) this.skip();
    await using place = await HeadlessPlace.make(
      inOrder(
        calls(call('write_file', { path: 'made.txt', content: 'made\n' }, 'c1')),
        say('Done.'),
      ),
    );
    const nobody = 65_534;
    await mkdir(place.data);
    await chmod(place.folder, 0o755);
    for (const folder of [place.workspace, place.data]) await chmod(folder, 0o777);
    const file = path.join(place.data, 'session.jsonl');
    const { code, stderr } = await place.run(`--prompt Go --export ${file}`, {
      user: nobody,
      environment: { HOME: '', XDG_CONFIG_HOME: '', PATH: '/nonexistent', TMPDIR: place.data },
    });
    assert.equal(code, 0, stderr);
    assert.match(await readFile(file, 'utf8'), /"type":"pending"/u);
    await rm(path.join(place.data), { recursive: true });
  });
});
