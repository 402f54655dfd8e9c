import assert from 'node:assert/strict';
import { calls, say } from '../support/model-server/turn.ts';
import { editing, reads, running } from './model.ts';
import { openUser, type User } from './user.ts';

const LINES = 'one\ntwo\nthree\n';
const COMMAND = 'printf "four\\n" >> b.txt; rm gone.txt; printf made > made.txt';
const files = { 'a.txt': LINES, 'b.txt': LINES, 'gone.txt': 'gone\n' };

/** A user whose agent edited a.txt and ran a command that changed, deleted and made files. */
async function afterCommand(): Promise<User> {
  const work = calls(editing('a.txt', ['two', 'TWO']), running(COMMAND));
  const model = [reads('a.txt'), work, say('Done.')];
  const user = await openUser({ files, model, checkpoints: true });
  await user.send('Work.');
  await user.allow();
  await user.seesPending({ 'a.txt': 1, 'b.txt': 1, 'gone.txt': 1, 'made.txt': 1 });
  return user;
}

describe('changes by commands', function () {
  this.timeout(60_000);

  it('are listed with the command that ran', async () => {
    await using user = await afterCommand();
    assert.equal(user.pendingFile('b.txt').command, COMMAND);
    assert.equal(user.pendingFile('a.txt').command, null);
  });

  it('stay with Undo All, which says how many it left', async () => {
    await using user = await afterCommand();
    const { done, left } = await user.undoAll();
    assert.deepEqual([done, left], [1, 3]);
    assert.equal((await user.undoTurn()).left, 3);
    assert.equal(await user.text('a.txt'), LINES);
    assert.equal(await user.text('b.txt'), `${LINES}four\n`);
    assert.equal(await user.text('made.txt'), 'made');
  });

  it('stay pending with Keep All', async () => {
    await using user = await afterCommand();
    await user.keepAll();
    await user.seesPending({ 'b.txt': 1, 'gone.txt': 1, 'made.txt': 1 });
  });

  it('are undone file by file: changed, deleted and made files', async () => {
    await using user = await afterCommand();
    for (const file of ['b.txt', 'gone.txt', 'made.txt']) await user.undoFile(file);
    await user.seesPending({ 'a.txt': 1 });
    assert.equal(await user.text('b.txt'), LINES);
    assert.equal(await user.text('gone.txt'), 'gone\n');
    assert.equal(await user.exists('made.txt'), false);
  });

  it('leave what I save afterwards in the same file alone when they are undone', async () => {
    await using user = await afterCommand();
    await user.save('b.txt', `mine\n${LINES}four\n`);
    await user.undoFile('b.txt');
    assert.equal(await user.text('b.txt'), `mine\n${LINES}`);
  });
});
