import assert from 'node:assert/strict';
import { WorkspaceRig } from '../../contract/tool/workspace-rig.ts';
import { textOf } from '../tool-call/rig.ts';

const step = (text: string, status: 'open' | 'active' | 'done' = 'open') => ({ text, status });

describe('the list of steps', () => {
  let workspace: WorkspaceRig;
  const session = (): string => workspace.rig.session;

  beforeEach(async () => {
    workspace = await WorkspaceRig.open();
  });
  afterEach(() => workspace.close());

  it('is kept with its session and told to whoever shows it', async () => {
    const items = [step('Find the cause', 'done'), step('Mend it', 'active'), step('Test')];
    const outcome = await workspace.call('todo', { items });
    assert.equal(textOf(outcome), '[x] Find the cause\n[>] Mend it\n[ ] Test');
    assert.deepEqual(outcome.result.display, { kind: 'todo', done: 1, total: 3 });
    assert.deepEqual(await workspace.todos.read(session()), items);
    assert.deepEqual(await workspace.todos.read('another'), []);
    assert.deepEqual(
      workspace.rig.events.filter(({ type }) => type === 'session.todo'),
      [{ type: 'session.todo', items }],
    );
  });

  it('what the person changed is not overwritten unseen: the agent gets it once, then writes', async () => {
    await workspace.call('todo', { items: [step('One'), step('Two')] });
    const theirs = [step('One', 'done'), step('Two and a half')];
    await workspace.todos.writeByPerson(session(), theirs);

    const refused = await workspace.call('todo', { items: [step('One', 'active'), step('Two')] });
    assert.match(
      textOf(refused),
      /the person has changed the list[^]*\[x\] One\n\[ \] Two and a half/u,
    );
    assert.deepEqual(await workspace.todos.read(session()), theirs);

    const ours = [step('One', 'done'), step('Two and a half', 'active')];
    await workspace.call('todo', { items: ours });
    assert.deepEqual(await workspace.todos.read(session()), ours);
  });

  it('shows hidden characters, and an import with nonsense is an empty list', async () => {
    await workspace.call('todo', { items: [step('rm\u202e -rf')] });
    assert.doesNotMatch((await workspace.todos.read(session()))[0]?.text ?? '', /\u202e/u);
    await workspace.rig.store.values.set('todo', { items: [{ text: 5 }, 'x', null] }, session());
    assert.deepEqual(await workspace.todos.read(session()), []);
  });
});
