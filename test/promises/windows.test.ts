import assert from 'node:assert/strict';
import { OtherWindow } from '../support/engine/other-window.ts';
import { say } from '../support/model-server/turn.ts';
import { edits, reads } from './model.ts';
import { openUser } from './user.ts';
import { eventually } from './waiting.ts';

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

  it('show the changes and decide only in one, until the other takes over', async () => {
    await using user = await openUser({ files, model });
    await user.send('Shout.');
    await user.seesPending({ 'a.txt': 2 });
    const settings = { 'permissions.mode': 'edit' };
    const at = { folder: user.folder };
    await using other = await OtherWindow.open({
      at,
      modelUrl: 'http://127.0.0.1:9',
      settings,
      reviewed: true,
      decides: true,
    });
    await other.ask('takeOver');
    await eventually('the other one decides', () => user.decidesElsewhere);
    await user.seesPending({ 'a.txt': 2 });
    await assert.rejects(user.undoAll(), /Another window decides about the pending changes/u);
    assert.equal(await user.text('a.txt'), LINES.replace('two', 'TWO').replace('six', 'SIX'));
    await user.takeOver();
    await user.undoAll();
    assert.equal(await user.text('a.txt'), LINES);
    assert.equal(user.decidesElsewhere, false);
  });

  it('decide in the one that is left when the other is killed', async () => {
    await using user = await openUser({ files, model });
    await user.send('Shout.');
    const at = { folder: user.folder };
    const other = await OtherWindow.open({
      at,
      modelUrl: 'http://127.0.0.1:9',
      reviewed: true,
      decides: true,
    });
    await other.ask('takeOver');
    await eventually('the other one decides', () => user.decidesElsewhere);
    await other.kill();
    await user.undoAll();
    assert.equal(await user.text('a.txt'), LINES);
  });
});
