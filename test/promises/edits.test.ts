import assert from 'node:assert/strict';
import { calls, say } from '../support/model-server/turn.ts';
import { editing, edits, managing, reads, writing } from './model.ts';
import { openUser } from './user.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';
const CHANGED = LINES.replace('two', 'TWO').replace('seven', 'SEVEN');
const twoHunks = [
  reads('a.txt'),
  edits('a.txt', ['two', 'TWO'], ['seven', 'SEVEN']),
  say('Done.'),
] as const;

describe('edits of the agent in mode Edit', function () {
  this.timeout(60_000);

  it('are in the file at once and listed as pending, hunk by hunk', async () => {
    await using user = await openUser({ files: { 'a.txt': LINES }, model: twoHunks });
    await user.send('Shout.');
    assert.equal(await user.text('a.txt'), CHANGED);
    const hunks = await user.hunks('a.txt', 2);
    assert.deepEqual(
      hunks.map(({ line, added, removed }) => [line, added, removed]),
      [
        [2, 1, 1],
        [7, 1, 1],
      ],
    );
  });

  it('stay when I keep a hunk, and the other hunks stay pending', async () => {
    await using user = await openUser({ files: { 'a.txt': LINES }, model: twoHunks });
    await user.send('Shout.');
    await user.seesPending({ 'a.txt': 2 });
    await user.keepHunk('a.txt', 1);
    await user.seesPending({ 'a.txt': 1 });
    assert.equal(await user.text('a.txt'), CHANGED);
    await user.undoAll();
    assert.equal(await user.text('a.txt'), LINES.replace('two', 'TWO'));
  });

  it('go away when I undo a hunk, and nothing else in the file changes', async () => {
    await using user = await openUser({ files: { 'a.txt': LINES }, model: twoHunks });
    await user.send('Shout.');
    await user.seesPending({ 'a.txt': 2 });
    await user.undoHunk('a.txt', 2);
    await user.seesPending({ 'a.txt': 1 });
    assert.equal(await user.text('a.txt'), LINES.replace('two', 'TWO'));
  });

  it('all go away when I undo the file, byte for byte, line ends and byte order mark included', async () => {
    const before = `\uFEFF${LINES.replaceAll('\n', '\r\n')}`;
    await using user = await openUser({ files: { 'a.txt': before }, model: twoHunks });
    await user.send('Shout.');
    await user.seesPending({ 'a.txt': 2 });
    assert.notEqual(await user.text('a.txt'), before);
    await user.undoFile('a.txt');
    await user.seesPending({});
    assert.equal(await user.text('a.txt'), before);
  });

  it('all stay when I keep the file, and other files stay pending', async () => {
    const model = [
      reads('a.txt', 'b.txt'),
      calls(editing('a.txt', ['two', 'TWO']), editing('b.txt', ['two', 'TWO'])),
      say('Done.'),
    ];
    const files = { 'a.txt': LINES, 'b.txt': LINES };
    await using user = await openUser({ files, model });
    await user.send('Shout.');
    await user.seesPending({ 'a.txt': 1, 'b.txt': 1 });
    await user.keepFile('a.txt');
    await user.seesPending({ 'b.txt': 1 });
    assert.equal(await user.text('a.txt'), LINES.replace('two', 'TWO'));
  });

  const everything = [
    reads('a.txt', 'old.txt', 'gone.txt'),
    calls(
      editing('a.txt', ['two', 'TWO']),
      writing('new/b.txt', 'new\n'),
      managing({ kind: 'rename', path: 'old.txt', to: 'moved.txt' }),
      managing({ kind: 'delete', path: 'gone.txt' }),
    ),
    say('Done.'),
  ];
  const before = { 'a.txt': LINES, 'old.txt': 'old\n', 'gone.txt': 'gone\n' };
  const pending = { 'a.txt': 1, 'new/b.txt': 1, 'moved.txt': 1, 'gone.txt': 1 };

  it('of every kind go away with Undo All: changed, created, moved and deleted files', async () => {
    await using user = await openUser({ files: before, model: everything });
    await user.send('Tidy up.');
    await user.seesPending(pending);
    await user.undoAll();
    await user.seesPending({});
    for (const [name, text] of Object.entries(before)) assert.equal(await user.text(name), text);
    assert.equal(await user.exists('new/b.txt'), false);
    assert.equal(await user.exists('moved.txt'), false);
  });

  it('of several files are undone without a question, and Redo brings them back, also after a restart', async () => {
    await using user = await openUser({ files: before, model: everything });
    await user.send('Tidy up.');
    await user.seesPending(pending);
    const names = [...Object.keys(before), 'new/b.txt', 'moved.txt'];
    const texts = async (): Promise<readonly (string | undefined)[]> =>
      Promise.all(
        names.map(async (name) => ((await user.exists(name)) ? user.text(name) : undefined)),
      );
    const made = await texts();
    const { id } = await user.undoAll();
    await user.seesPending({});
    await using again = await user.restart([]);
    await again.takeBack(id);
    await again.seesPending(pending);
    assert.deepEqual(await texts(), made);
  });

  it('of every kind stay with Keep All, and nothing is pending', async () => {
    await using user = await openUser({ files: before, model: everything });
    await user.send('Tidy up.');
    await user.seesPending(pending);
    await user.keepAll();
    await user.seesPending({});
    assert.equal(await user.text('moved.txt'), 'old\n');
    assert.equal(await user.text('new/b.txt'), 'new\n');
    assert.equal(await user.exists('gone.txt'), false);
  });

  it('of one turn go away with Undo of that request, those of earlier turns stay', async () => {
    const [one, two] = [edits('a.txt', ['two', 'TWO']), edits('a.txt', ['six', 'SIX'])];
    const model = [reads('a.txt'), one, say('1'), two, say('2')];
    await using user = await openUser({ files: { 'a.txt': LINES }, model });
    await user.send('First.');
    await user.send('Second.');
    await user.seesPending({ 'a.txt': 2 });
    await user.undoTurn();
    assert.equal(await user.text('a.txt'), LINES.replace('two', 'TWO'));
  });

  it('of the same lines again are one hunk, whose Undo gives the text before the first', async () => {
    const [one, two] = [edits('a.txt', ['two', 'TWO']), edits('a.txt', ['TWO', 'Zwei'])];
    const model = [reads('a.txt'), one, two, say('Done.')];
    await using user = await openUser({ files: { 'a.txt': LINES }, model });
    await user.send('Shout.');
    await user.seesPending({ 'a.txt': 1 });
    await user.undoHunk('a.txt', 1);
    assert.equal(await user.text('a.txt'), LINES);
  });

  it('leave what I type elsewhere in the file alone, whatever I decide', async () => {
    await using user = await openUser({ files: { 'a.txt': LINES }, model: twoHunks });
    await user.send('Shout.');
    await user.save('a.txt', `mine\n${CHANGED.replace('four', 'four, says the user')}`);
    await user.seesPending({ 'a.txt': 2 });
    await user.undoAll();
    const mine = `mine\n${LINES.replace('four', 'four, says the user')}`;
    assert.equal(await user.text('a.txt'), mine);
  });

  it('that fail leave nothing pending and nothing changed', async () => {
    const model = [reads('a.txt'), edits('a.txt', ['not there', 'TWO']), say('Sorry.')];
    await using user = await openUser({ files: { 'a.txt': LINES }, model });
    await user.send('Shout.');
    await user.seesPending({});
    assert.equal(await user.text('a.txt'), LINES);
    assert.match(user.modelWasSent(), /not there/u);
  });

  it('are still pending after a restart, and are undone as before', async () => {
    const first = await openUser({ files: { 'a.txt': LINES }, model: twoHunks });
    await first.send('Shout.');
    await first.seesPending({ 'a.txt': 2 });
    await using user = await first.restart([say('not asked')]);
    await user.seesPending({ 'a.txt': 2 });
    await user.undoFile('a.txt');
    assert.equal(await user.text('a.txt'), LINES);
  });

  it('that I undid are reported to the agent once, with my next message', async () => {
    const model = [...twoHunks, say('I see.'), say('Nothing new.')];
    await using user = await openUser({ files: { 'a.txt': LINES }, model });
    await user.send('Shout.');
    await user.seesPending({ 'a.txt': 2 });
    await user.undoHunk('a.txt', 2);
    await user.send('And now?');
    assert.match(user.modelWasSent(), /undid[^"]*a\.txt[^"]*-SEVEN\\n\+seven/u);
    await user.send('Anything else?');
    assert.equal(user.modelWasSent().split('-SEVEN').length, 2, 'once');
  });

  it('that I changed by hand are reported to the agent', async () => {
    const model = [...twoHunks, say('I see.')];
    await using user = await openUser({ files: { 'a.txt': LINES }, model });
    await user.send('Shout.');
    await user.save('a.txt', CHANGED.replace('SEVEN', 'Sieben'));
    await user.send('And now?');
    assert.match(user.modelWasSent(), /changed[^"]*a\.txt[^"]*\+Sieben/u);
  });
});
