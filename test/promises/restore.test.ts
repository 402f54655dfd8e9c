import assert from 'node:assert/strict';
import { calls, say } from '../support/model-server/turn.ts';
import { edits, reads, runs, writing } from './model.ts';
import { openUser, type User } from './user.ts';
import { eventually } from './waiting.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const FIRST = LINES.replace('two', 'TWO');
const BOTH = FIRST.replace('five', 'FIVE');
const story = [
  reads('a.txt'),
  edits('a.txt', ['two', 'TWO']),
  say('First done.'),
  edits('a.txt', ['five', 'FIVE']),
  calls(writing('new.txt', 'new\n')),
  say('Second done.'),
];

/** A user who sent "First." and "Second.", each of which changed a file. */
async function afterTwoTurns(...more: readonly ReturnType<typeof say>[]): Promise<User> {
  const model = [...story, ...more, say('Go on.')];
  const user = await openUser({ files: { 'a.txt': LINES }, model, checkpoints: true });
  await user.send('First.');
  await user.send('Second.');
  assert.equal(await user.text('a.txt'), BOTH);
  return user;
}

describe('going back to before a message', function () {
  this.timeout(60_000);

  it('restores the files, and leaves the conversation', async () => {
    await using user = await afterTwoTurns();
    await user.restore('Second.', 'files');
    assert.equal(await user.text('a.txt'), FIRST);
    assert.equal(await user.exists('new.txt'), false);
    await user.sees(/Second done\./u);
  });

  it('restores the conversation, gives my message back to be edited, and leaves the files', async () => {
    await using user = await afterTwoTurns();
    await user.restore('Second.', 'conversation');
    assert.equal(user.input, 'Second.');
    assert.doesNotMatch(user.conversation(), /Second done/u);
    assert.equal(await user.text('a.txt'), BOTH);
    await user.send('Otherwise.');
    assert.doesNotMatch(user.modelWasSent(), /Second done/u);
  });

  it('restores files and conversation together, also to before the first message', async () => {
    await using user = await afterTwoTurns();
    await user.restore('First.', 'both');
    assert.equal(await user.text('a.txt'), LINES);
    assert.equal(user.input, 'First.');
    assert.doesNotMatch(user.conversation(), /done\./u);
  });

  it('is taken back by Redo Restore, also after a restart', async () => {
    const first = await afterTwoTurns();
    await first.restore('Second.', 'both');
    await using user = await first.restart([say('not asked')]);
    await user.redo();
    assert.equal(await user.text('a.txt'), BOTH);
    assert.equal(await user.text('new.txt'), 'new\n');
    await user.sees(/Second done\./u);
  });

  it('leaves nothing pending in the files that it restored, also after Redo and a restart', async () => {
    const first = await afterTwoTurns();
    await first.seesPending({ 'a.txt': 2, 'new.txt': 1 });
    await first.restore('Second.', 'both');
    assert.equal(await first.text('a.txt'), FIRST);
    await first.seesPending({});
    await first.redo();
    assert.equal(await first.text('a.txt'), BOTH);
    await first.seesPending({});
    await using user = await first.restart([say('not asked')]);
    await user.seesPending({});
  });

  it('of the conversation alone leaves changes pending, labeled from a removed message', async () => {
    await using user = await afterTwoTurns();
    await user.seesPending({ 'a.txt': 2, 'new.txt': 1 });
    await user.restore('Second.', 'conversation');
    await user.seesPending({ 'a.txt': 2, 'new.txt': 1 });
    const labels = ['First.', 'from a removed message'];
    const isLabeled = (): boolean => user.pendingRequests().join() === labels.join();
    await eventually('the changes have their labels', isLabeled);
  });

  it('says before how many undecided changes count as kept', async () => {
    await using user = await afterTwoTurns();
    await user.restore('Second.', 'files');
    assert.equal(user.undecided, 1);
  });

  it('leaves changes pending in files that it does not restore', async () => {
    await using user = await afterTwoTurns();
    await user.save('new.txt', 'mine\n');
    await user.restore('Second.', 'files');
    assert.deepEqual(user.preview, { 'a.txt': 'restored', 'new.txt': 'conflict' });
    await user.seesPending({ 'new.txt': 1 });
  });

  it('keeps what I changed myself since then', async () => {
    await using user = await afterTwoTurns();
    await user.save('a.txt', `mine\n${BOTH}`);
    await user.save('mine.txt', 'mine\n');
    await user.restore('Second.', 'files');
    assert.equal(await user.text('a.txt'), `mine\n${FIRST}`);
    assert.equal(await user.text('mine.txt'), 'mine\n');
  });

  it('leaves a file whose same lines I changed, and says that it is in conflict', async () => {
    await using user = await afterTwoTurns();
    const mine = BOTH.replace('FIVE', 'five and a half');
    await user.save('a.txt', mine);
    await user.restore('Second.', 'files');
    assert.deepEqual(user.preview, { 'a.txt': 'conflict', 'new.txt': 'restored' });
    assert.equal(await user.text('a.txt'), mine);
  });

  it('leaves files that changed while a command ran, unless I choose them', async () => {
    const model = [runs('printf made > made.txt'), say('Made.')];
    await using user = await openUser({ model, checkpoints: true });
    await user.send('Make it.');
    await user.restore('Make it.', 'files');
    assert.deepEqual(user.preview, { 'made.txt': 'commands' });
    assert.equal(await user.exists('made.txt'), true);
    await user.restore('Make it.', 'files', ['made.txt']);
    assert.equal(await user.exists('made.txt'), false);
  });

  it('in a fork leaves the original session and its files as they are', async () => {
    await using user = await afterTwoTurns();
    const original = user.conversation();
    await user.fork('Second.');
    assert.notEqual(user.conversation(), original);
    assert.doesNotMatch(user.conversation(), /Second done/u);
    await user.sees(/First done\./u);
    assert.equal(await user.text('a.txt'), BOTH);
    await user.openSession('First.');
    assert.equal(user.conversation(), original);
  });

  it('leaves the repository alone: no branch, no index and no commit changes', async () => {
    const git = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/index': 'as it is\n' };
    const model = [...story, say('Go on.')];
    const files = { 'a.txt': LINES, ...git };
    await using user = await openUser({ files, model, checkpoints: true });
    await user.send('First.');
    await user.send('Second.');
    await user.restore('First.', 'both');
    for (const [name, text] of Object.entries(git)) assert.equal(await user.text(name), text);
  });
});
