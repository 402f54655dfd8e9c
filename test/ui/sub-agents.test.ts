import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { hasResults, taskOf } from '../support/model-server/delegated.ts';
import { type Script, call, calls, say } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { useSharedWindow } from './window.ts';

describe('sub-agents in the panel (B13)', () => {
  let belay: BelayPage;

  useSharedWindow((page) => {
    belay = page;
  });

  it('three at once have a line each; one reports, one fails, one is opened and stopped alone', async () => {
    const words = ['good', 'bad', 'slow'];
    belay.use((request) => {
      const word = taskOf(request);
      if (word === 'good') return say('Found it in main.ts.');
      if (word === 'bad')
        return { error: { status: 400, type: 'invalid_request_error', message: 'Not so.' } };
      if (word === 'slow')
        return hasResults(request)
          ? say('never', { delayMs: 120_000 })
          : calls(call('find_files', { pattern: '*.md' }));
      return hasResults(request)
        ? say('All three have ended.')
        : calls(
            ...words.map((one) =>
              call('agent', { title: `Part ${one}`, task: `TASK ${one}` }, `agent_${one}`),
            ),
          );
    });
    await belay.ask('Look at three parts');
    const panel = await belay.panel();
    await belay.shows('1 sub-agent running');
    await belay.shows(/failed, 0 tokens/u);
    const doors = panel.getByRole('button', { name: 'Open what the sub-agent does' });
    assert.equal(await doors.count(), words.length);
    const stop = panel.getByRole('button', { name: 'Stop this sub-agent' });
    assert.equal(await stop.count(), 1, 'the others have ended');
    await doors.last().click();
    await belay.shows('The work of a sub-agent. It reports to the session above it.');
    await belay.shows(/\*\.md/u);
    assert.equal(await (await belay.input()).count(), 0, 'nobody writes to it');
    await panel.getByRole('button', { name: 'Back to the session above' }).click();
    await stop.click();
    await belay.shows('All three have ended.');
    const told = JSON.stringify(belay.turns.findLast((request) => taskOf(request) === ''));
    assert.match(told, /Found it in main\.ts\.[^]*Not so[^]*person stopped this sub-agent/u);
  });

  it('what one changes in its worktree arrives as pending changes, hunk by hunk', async () => {
    const git = (...args: string[]): void =>
      void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        cwd: belay.folder,
      });
    git('init', '--quiet');
    git('add', '-A');
    git('commit', '--quiet', '-m', 'first');
    try {
      const readme = path.join(belay.folder, 'README.md');
      const before = await readFile(readme, 'utf8');
      const script: Script = (request) => {
        if (taskOf(request) === '')
          return hasResults(request)
            ? say('It is done.')
            : calls(call('write_agent', { title: 'Write', task: 'TASK write' }, 'agent_write'));
        if (hasResults(request)) return say('Wrote two files.');
        return calls(
          call('write_file', { path: 'made.txt', content: 'one\ntwo\n' }),
          call('write_file', { path: 'also.txt', content: 'three\n' }),
        );
      };
      belay.use(script);
      await belay.mode('Ask');
      await belay.ask('Have it written');
      const card = await belay.approval();
      assert.equal(await readFile(readme, 'utf8'), before);
      await card.getByRole('checkbox', { name: /also\.txt/u }).uncheck();
      await belay.sayYes(card);
      await belay.shows('It is done.');
      assert.equal(await readFile(path.join(belay.folder, 'made.txt'), 'utf8'), 'one\ntwo\n');
      await assert.rejects(readFile(path.join(belay.folder, 'also.txt')), 'it is left out');
    } finally {
      await rm(path.join(belay.folder, '.git'), { recursive: true, force: true });
    }
  });
});
