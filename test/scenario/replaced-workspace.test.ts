import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { RunEnd } from '../../src/domain/run.ts';
import type { Tool } from '../../src/core/tool-call/tool-call.ts';
import { TestEngine, type TestEngineOptions } from '../support/engine/test-engine.ts';
import { call, calls, say } from '../support/model-server/turn.ts';

const writeFile = call('write_file', { path: 'a.txt', content: 'agent' });
const runCommand = call('run_command', { command: 'echo agent > b.txt' });

/** What another project has at the path of the workspace. */
const OTHER = { 'other.txt': 'other' };

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    fs.readdirSync(folder).map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]),
  );

function makeOther(folder: string): void {
  fs.mkdirSync(folder);
  for (const [name, text] of Object.entries(OTHER)) fs.writeFileSync(path.join(folder, name), text);
}

/** A run with one call, after which something happens to the workspace, and then some more calls. */
async function play(
  happens: (workspace: string) => void,
  then: ReturnType<typeof call>[],
  options: Omit<Partial<TestEngineOptions>, 'script'> = {},
): Promise<{ test: TestEngine; end: RunEnd | undefined }> {
  let asked = 0;
  const test: TestEngine = await TestEngine.open({
    files: { 'own.txt': 'own' },
    ...options,
    script: () => {
      asked += 1;
      if (asked === 1) return calls(call('run_command', { command: 'echo first > first.txt' }));
      if (asked > 2) return say('Done.');
      happens(test.workspace);
      return calls(...then);
    },
  });
  const { end } = await test.run('Work.');
  return { test, end };
}

function assertStopped({ test, end }: Awaited<ReturnType<typeof play>>): void {
  assert.equal(
    end?.reason,
    'failure',
    JSON.stringify(test.ofType('tool.finished').map(({ result }) => result)),
  );
  assert.match(
    end.failure?.message ?? '',
    /^The workspace folder .* was moved, deleted or replaced while the run was working\. Nothing was written there\./u,
  );
  assert.equal(test.server.requests.length, 2, 'the model is not asked to go on');
}

describe('a workspace folder that is not the same any more while a run works', function () {
  this.timeout(60_000);

  it('stops the run when the folder was deleted, and does not create it again', async () => {
    const played = await play(
      (folder) => fs.rmSync(folder, { recursive: true }),
      [writeFile, runCommand],
    );
    await using test = played.test;
    assertStopped(played);
    assert.ok(!fs.existsSync(test.workspace));
  });

  for (const [what, one] of Object.entries({ write: writeFile, command: runCommand }))
    it(`stops the run before a ${what} when the folder was moved and another project is in its place`, async () => {
      const played = await play(
        (folder) => {
          fs.renameSync(folder, `${folder}-moved`);
          makeOther(folder);
        },
        [one],
      );
      await using test = played.test;
      assertStopped(played);
      assert.deepEqual(filesIn(test.workspace), OTHER);
      assert.deepEqual(filesIn(`${test.workspace}-moved`), {
        'own.txt': 'own',
        'first.txt': 'first\n',
      });
    });

  it('stops the run when the folder was deleted and at once created anew', async () => {
    const played = await play(
      (folder) => {
        fs.rmSync(folder, { recursive: true });
        makeOther(folder);
      },
      [writeFile],
    );
    await using test = played.test;
    assertStopped(played);
    assert.deepEqual(filesIn(test.workspace), OTHER);
  });

  it('stops the run before a tool of a server that says nothing of paths', async () => {
    let ran = false;
    const foreign: Tool = {
      name: 'foreign',
      description: 'Does something.',
      inputSchema: { type: 'object', properties: {} },
      sideEffects: true,
      level: 'owner',
      module: 'foreign',
      permission: 'execute',
      check: (input) => ({ input }),
      run: async () => {
        ran = true;
        return Promise.resolve({ content: [] });
      },
    };
    const played = await play(
      (folder) => fs.renameSync(folder, `${folder}-moved`),
      [call('foreign', {})],
      { tools: [foreign] },
    );
    await using _test = played.test;
    assertStopped(played);
    assert.equal(ran, false);
  });

  it('stops the run when the folder is a link that was pointed elsewhere', async () => {
    const base = await mkdtemp(path.join(os.tmpdir(), 'belay-link-'));
    const [link, first, second] = ['link', 'first', 'second'].map((name) =>
      path.join(base, name),
    ) as [string, string, string];
    fs.mkdirSync(first);
    makeOther(second);
    fs.symlinkSync(first, link);
    const played = await play(
      () => {
        fs.unlinkSync(link);
        fs.symlinkSync(second, link);
      },
      [writeFile],
      { host: { roots: () => [link] } },
    );
    await using _test = played.test;
    assertStopped(played);
    assert.deepEqual([filesIn(second), filesIn(first)], [OTHER, { 'first.txt': 'first\n' }]);
    fs.rmSync(base, { recursive: true });
  });

  it('stops the run when the folder is replaced while the user decides about a command', async () => {
    await using test = await TestEngine.open({
      settings: { 'permissions.mode': 'ask' },
      script: () => calls(runCommand),
    });
    test.human.decide = async () => {
      fs.renameSync(test.workspace, `${test.workspace}-moved`);
      makeOther(test.workspace);
      return Promise.resolve({ allowed: true });
    };
    const { end } = await test.run('Work.');
    assert.match(end?.failure?.message ?? '', /was moved, deleted or replaced/u);
    assert.deepEqual([filesIn(test.workspace), test.server.requests.length], [OTHER, 1]);
  });

  it('goes on in one folder of several when another one was deleted', async () => {
    const base = await mkdtemp(path.join(os.tmpdir(), 'belay-roots-'));
    const [kept, gone] = ['kept', 'gone'].map((name) => path.join(base, name)) as [string, string];
    for (const folder of [kept, gone]) fs.mkdirSync(folder);
    const played = await play(
      () => fs.rmSync(gone, { recursive: true }),
      [call('write_file', { path: path.join(kept, 'a.txt'), content: 'agent' })],
      { host: { roots: () => [kept, gone] } },
    );
    await using _test = played.test;
    assert.equal(played.end?.reason, 'done', JSON.stringify(played.end));
    assert.equal(filesIn(kept)['a.txt'], 'agent');
    fs.rmSync(base, { recursive: true });
  });
});
