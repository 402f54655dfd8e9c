import assert from 'node:assert/strict';
import type { Subjects } from './contract-host.ts';
import { message, session } from './support.ts';

/** `Channels`: the threads by which sessions are reached. */
export function channelContract(subjects: Subjects): void {
  const chat = (thread: string) => ({ platform: 'vscode', channel: 'chat', thread });

  it('A4: a thread finds its session again, two that ask at once the same one; threads do not mix', async () => {
    const { host, store } = subjects();
    const ids = await Promise.all([
      store.channels.open(chat('one'), session('a')),
      store.channels.open(chat('one'), session('b')),
      store.channels.open(chat('two'), session('c')),
      store.channels.open({ ...chat('one'), channel: 'sidebar' }, session('d')),
      store.channels.open({ ...chat('one'), platform: 'headless' }, session('e')),
    ]);
    assert.deepEqual(ids, ['a', 'a', 'c', 'd', 'e']);
    const again = await host.reopen();
    assert.equal(await again.channels.open(chat('one'), session('f')), 'a');
    const known = (await again.transcripts.sessions()).map(({ id }) => id);
    assert.deepEqual(known.toSorted(), ['a', 'c', 'd', 'e'], 'no session was made for nothing');
  });

  it('A4: a thread was active when it was asked for, or when its session got a message', async () => {
    const { store } = subjects();
    await store.channels.open(chat('one'), session('a'));
    const [asked] = await store.channels.of('a');
    assert.deepEqual(asked && { ...asked, lastActiveAt: 0 }, { ...chat('one'), lastActiveAt: 0 });
    const later = Date.UTC(2999, 0);
    await store.recorder.commit([
      { kind: 'message', message: message('a', 1, 'x', { createdAt: later }) },
    ]);
    assert.deepEqual(await store.channels.of('a'), [{ ...chat('one'), lastActiveAt: later }]);
    assert.deepEqual(await store.channels.of('nobody'), []);
  });

  it('A4: the thread of a deleted session begins anew', async () => {
    const { store } = subjects();
    await store.channels.open(chat('one'), session('a'));
    await store.transcripts.deleteSession('a');
    assert.equal(await store.channels.open(chat('one'), session('b')), 'b');
    assert.deepEqual(await store.channels.of('a'), []);
  });
}
