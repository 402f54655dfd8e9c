import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { resultText } from '../../src/core/tool-call/result.ts';
import { NodeGit } from '../../src/hosts/node/git/git.ts';
import type { Mode } from '../../src/domain/permissions/permission-mode.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { Script } from '../support/model-server/turn.ts';

const SAMPLE = fileURLToPath(new URL('../fixtures/sample-workspace', import.meta.url));

/** The sample project's ordinary day: what is asked in it, by a person who says yes each time. */
async function questionsIn(mode: Mode): Promise<readonly string[]> {
  await using test = await TestEngine.open({
    script: inOrder(
      calls(
        call('list_files', {}),
        call('read_file', { path: 'src/pace.ts' }),
        call('search_text', { pattern: 'walkingTime' }),
      ),
      calls(
        call('run_command', { command: 'git status' }),
        call('run_command', { command: 'ls src' }),
      ),
      calls(call('run_command', { command: 'npm test' })),
      calls(
        call('edit_file', {
          path: 'src/pace.ts',
          edits: [
            {
              old_string: 'export function walkingTime',
              new_string: '// Checked.\nexport function walkingTime',
            },
          ],
        }),
      ),
      calls(
        call('run_command', { command: 'git diff --stat && git log --oneline | head -n 5' }),
        call('run_command', { command: 'npm test' }),
      ),
      say('Done.'),
    ),
    settings: { 'permissions.mode': mode },
    host: { git: new NodeGit() },
  });
  cpSync(SAMPLE, test.workspace, { recursive: true });
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
      cwd: test.workspace,
    });
  };
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'sample');
  const { end } = await test.run('Do the day’s work.');
  assert.equal(end?.reason, 'done');
  // The sample's tests fail on purpose; everything else works.
  const failed = test
    .ofType('tool.finished')
    .filter(({ result }) => result.state !== 'done')
    .map(({ result }) => resultText(result));
  assert.ok(
    failed.every((text) => text.includes('exit code 1')),
    failed.join('\n'),
  );
  return test.human.approvals.map(
    ({ title, detail }) => `${title}: ${detail.split('\n')[0] ?? ''}`,
  );
}

describe('security 12: the questions of an ordinary day', function () {
  this.timeout(60_000);

  it('in mode Ask: the tests once, and the edit', async () => {
    const asked = await questionsIn('ask');
    assert.deepEqual(
      asked.map((question) => question.replace(/:.*pace\.ts.*$/u, '')),
      ['Run a command: npm test', 'Edit src/pace.ts'],
    );
  });

  it('in mode Edit: the tests once', async () => {
    assert.deepEqual(await questionsIn('edit'), ['Run a command: npm test']);
  });

  it('the tests are asked about once in a project, and again when a script changes', async () => {
    const script = (): Script => (request) =>
      JSON.stringify(request.messages).includes('tool_use')
        ? say('Done.')
        : calls(call('run_command', { command: 'npm test' }));
    const manifest = (test: string): string => JSON.stringify({ scripts: { test } });
    await using first = await TestEngine.open({
      script: script(),
      settings: { 'permissions.mode': 'ask' },
      files: { 'package.json': manifest('true') },
    });
    await first.run('one');
    await first.run('another session');
    assert.equal(first.human.approvals.length, 1);
    await first.close();
    await using later = await TestEngine.open({
      script: script(),
      settings: { 'permissions.mode': 'ask' },
      after: first,
    });
    await later.run('after a restart');
    assert.equal(later.human.approvals.length, 0);
    const file = path.join(later.workspace, 'package.json');
    await writeFile(path.join(later.workspace, 'index.ts'), 'export {};\n');
    await later.run('another source is no other script');
    assert.equal(later.human.approvals.length, 0);
    await writeFile(file, manifest('true; touch evil'));
    await later.run('another script');
    assert.equal(later.human.approvals.length, 1);
  });
});
