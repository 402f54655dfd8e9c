import assert from 'node:assert/strict';
import path from 'node:path';
import { eventually } from './eventually.ts';
import { PendingKit } from './pending-kit.ts';

describe('pending changes in the source control view', () => {
  let kit: PendingKit;

  beforeEach(async () => {
    kit = await PendingKit.open();
  });

  afterEach(() => kit.close());

  const rows = (): Readonly<Record<string, readonly string[]>> =>
    Object.fromEntries(
      kit.window.sourceControl.groups.map(({ id, resourceStates }) => [
        id,
        resourceStates.map(({ resourceUri }) => path.basename(resourceUri.fsPath)),
      ]),
    );

  it('what a command changed and nobody can review is a list of its own, until it is dismissed', async () => {
    assert.deepEqual(rows(), {}, 'the view is not there without need');
    const call = { sessionId: 's', messageId: 'm', callId: 'c', tool: 'npm run generate' };
    kit.reviews.records.unlisted.add({ ...call, paths: ['/w/a.bin', '/w/b.bin'], total: 7 });
    assert.deepEqual(rows()['unlisted'], ['a.bin', 'b.bin']);
    const group = kit.window.sourceControl.groups.at(-1);
    assert.match(group?.label ?? '', /and 5 more files/u);
    assert.match(group?.resourceStates[0]?.decorations?.tooltip ?? '', /npm run generate/u);
    const file = await kit.file('a.txt', 'one\n');
    await kit.edit(file, 'two\n');
    await eventually('it is listed', () => rows()['edits']?.length === 1);
    assert.equal(kit.window.sourceControl.count, 0, 'git counts the file already');
    kit.reviews.records.unlisted.dismiss();
    assert.deepEqual(rows()['unlisted'], []);
    assert.deepEqual(rows()['edits'], ['a.txt']);
  });
});
