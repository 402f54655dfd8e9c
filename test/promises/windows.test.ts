import assert from 'node:assert/strict';
import { say } from '../support/model-server/turn.ts';
import { edits, reads } from './model.ts';
import { openUser } from './user.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const model = [reads('a.txt'), edits('a.txt', ['two', 'TWO'], ['six', 'SIX']), say('Done.')];
const files = { 'a.txt': LINES };

describe('two windows on one workspace', function () {
  this.timeout(60_000);

  it('list a change that the other makes while both are open', async () => {
    await using user = await openUser({ files, model });
    const other = await user.openWindow([say('not asked')]);
    await user.send('Shout.');
    await other.seesPending({ 'a.txt': 2 });
    await other.close();
  });

  it('take over the decision of the other, and decide nothing twice', async () => {
    await using user = await openUser({ files, model });
    await user.send('Shout.');
    await user.seesPending({ 'a.txt': 2 });
    const other = await user.openWindow([say('not asked')]);
    await other.seesPending({ 'a.txt': 2 });
    await user.undoHunk('a.txt', 1);
    await other.seesPending({ 'a.txt': 1 });
    await user.keepAll();
    await other.seesPending({});
    assert.equal(await user.text('a.txt'), LINES.replace('six', 'SIX'));
    await other.close();
  });
});
