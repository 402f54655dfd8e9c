import assert from 'node:assert/strict';
import path from 'node:path';
import { scmCommands } from '../../src/hosts/vscode/pending/source-control/scm-commands.ts';
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

  it('what changed during commands is a list of its own, until it is dismissed', async () => {
    assert.deepEqual(rows(), {}, 'the view is not there without need');
    const leaf = { kind: 'absent' } as const;
    const made = { kind: 'link', target: 'x' } as const;
    const changes = ['a.bin', 'b.bin'].map((name) => ({ path: name, before: leaf, after: made }));
    const command = { sessionId: 's', messageId: 'm', callId: 'c', line: 'npm run generate' };
    await kit.groups.add(command, [{ root: '/w', changes }]);
    assert.deepEqual(rows()['commands'], ['a.bin', 'b.bin']);
    const group = kit.window.sourceControl.groups.at(-1);
    assert.equal(group?.label, 'Changed during commands');
    assert.match(group.resourceStates[0]?.decorations?.tooltip ?? '', /npm run generate/u);
    const file = await kit.file('a.txt', 'one\n');
    await kit.edit(file, 'two\n');
    await eventually('it is listed', () => rows()['edits']?.length === 1);
    assert.equal(kit.window.sourceControl.count, 0, 'git counts the file already');
    await scmCommands(kit.window)['belay.dismissCommandChanges']();
    assert.deepEqual(rows()['commands'], []);
    assert.deepEqual(rows()['edits'], ['a.txt']);
  });
});
