import assert from 'node:assert/strict';
import type { MemoryFiles } from '../../support/memory-files.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { MemoryWorkspace } from '../../support/review/memory-workspace.ts';

/** A change of a file in whose middle the window ends: before it is made, or when it has just been. */
interface End {
  readonly change: 'write' | 'rename';
  readonly path: string;
  readonly when: 'before' | 'after';
}

/** What a decision would do after the end of the window is never done. */
async function endsAt(
  ws: MemoryWorkspace,
  { change, path, when }: End,
  decide: () => Promise<unknown>,
): Promise<void> {
  const reached = Promise.withResolvers<void>();
  const files = ws.files as unknown as Record<string, (...given: unknown[]) => Promise<void>>;
  const make = files[change]?.bind(files);
  files[change] = async (...given) => {
    const isIt = given[0] === path;
    if (!isIt || when === 'after') await make?.(...given);
    if (!isIt) return;
    reached.resolve();
    await new Promise(() => undefined);
  };
  void decide();
  await reached.promise;
  delete files[change];
}

const before = (path: string): End => ({ change: 'write', path, when: 'before' });

describe('a decision in whose middle the window ended', () => {
  const [OLD, NEW] = ['\0old', '\0new'];
  /** A picture with another name and other bytes, both of the agent. */
  const picture = async (): Promise<MemoryWorkspace> => {
    const ws = new MemoryWorkspace({ '/a': OLD });
    await ws.rename('write', '/a', '/b');
    await ws.write('write', '/b', NEW);
    return ws;
  };
  const reject = (ws: MemoryWorkspace, path: string) => (): Promise<void> =>
    ws.reviews.decisions.reject({ path });

  it('between the old name of a file and its old bytes: they are put back', async () => {
    const ws = await picture();
    await endsAt(ws, before('/a'), reject(ws, '/b'));
    assert.deepEqual([ws.files.text('/a'), ws.files.text('/b')], [NEW, undefined]);
    await ws.crash();
    assert.deepEqual([ws.files.text('/a'), ws.pending], [OLD, []]);
  });

  it('before or after its old name, when its lines are taken back already: it is done', async () => {
    for (const when of ['before', 'after'] as const) {
      const ws = new MemoryWorkspace({ '/a': 'one\n' });
      await ws.rename('write', '/a', '/b');
      await ws.write('write', '/b', 'one\nnew\n');
      await endsAt(ws, { change: 'rename', path: '/b', when }, reject(ws, '/b'));
      assert.equal(ws.files.text(when === 'before' ? '/b' : '/a'), 'one\n');
      await ws.crash();
      assert.deepEqual([ws.files.text('/a'), ws.files.text('/b')], ['one\n', undefined]);
      assert.deepEqual(ws.pending, []);
    }
  });

  it('and where there is a file by either name by now: neither is changed', async () => {
    const ws = await picture();
    await endsAt(ws, before('/a'), reject(ws, '/b'));
    ws.files.put('/b', NEW);
    await ws.crash();
    assert.deepEqual([ws.files.text('/a'), ws.files.text('/b')], [NEW, NEW]);
    assert.deepEqual(ws.pending, ['/a → /b: ']);
  });

  it('of a file that cannot be read then: it is offered, and said to be', async () => {
    const told: string[] = [];
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    ws.log = {
      ...silentLog,
      warn: (message) => void told.push(`warn ${message}`),
      error: (message, thrown) => void told.push(`error ${message} ${String(thrown)}`),
    };
    await ws.write('write', '/a', 'one\ntwo\n');
    await endsAt(ws, before('/a'), reject(ws, '/a'));
    const files: Partial<MemoryFiles> = ws.files;
    files.read = async () => {
      throw new Error('No such device.');
    };
    await ws.crash();
    delete files.read;
    assert.deepEqual(ws.pending, []);
    assert.deepEqual(
      ws.reviews.decisions.offers.map((offer) => [offer.kind, offer.review.path]),
      [['unrecognizable', '/a']],
    );
    assert.match(told.join('\n'), /^warn .*\/a could.*\nerror .*\/a could.* No such device\.$/u);
    const changed: string[] = [];
    ws.reviews.onChange((path) => changed.push(path));
    await ws.reviews.decisions.forgetOffer('/a');
    assert.deepEqual(changed, ['/a']);
    assert.deepEqual(ws.reviews.decisions.offers, []);
    await ws.restart();
    assert.deepEqual([ws.pending, ws.reviews.decisions.offers], [[], []]);
  });

  it('about several files: the person leaves the rest pending, and is not asked again', async () => {
    for (const when of ['before', 'after'] as const) {
      const ws = new MemoryWorkspace({ '/a': 'one\n', '/b': 'one\n' });
      for (const path of ['/a', '/b']) await ws.write('write', path, 'one\ntwo\n');
      const all = ['/a', '/b'].map((path) => ({ path }));
      await endsAt(ws, { ...before('/b'), when }, () => ws.reviews.decisions.decide('reject', all));
      await ws.crash();
      const isLeft = when === 'before';
      const left = [{ path: '/b', choice: 'all' }];
      assert.deepEqual(
        ws.reviews.decisions.interrupted,
        isLeft ? { decision: 'reject', left, of: 2 } : undefined,
      );
      const kept = async () => (await ws.values.list('review-decision:')).length;
      assert.equal(await kept(), isLeft ? 1 : 0);
      const resolved = await ws.reviews.decisions.resolveInterrupted(false);
      assert.deepEqual(resolved, { done: 0, left: 0, elsewhere: 0, failed: [] });
      const pending = isLeft ? ['/b: +two'] : [];
      assert.deepEqual([ws.pending, ws.reviews.decisions.interrupted], [pending, undefined]);
      assert.equal(await kept(), 0);
    }
  });
});

describe('a decision about several files', () => {
  it('is not about what the agent writes into one of them meanwhile', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n', '/b': 'one\nend\n' });
    await ws.write('write', '/a', 'one\ntwo\n');
    await ws.write('write', '/b', 'two\none\nend\n');
    const files: Partial<MemoryFiles> = ws.files;
    const all = ['/a', '/b'].map((path) => ({ path }));
    files.write = async (...given) => {
      delete files.write;
      await ws.write('write', '/b', 'two\none\nlater\nend\n');
      await ws.files.write(...given);
    };
    const decided = await ws.reviews.decisions.decide('reject', all);
    assert.deepEqual(decided, { done: 2, left: 0, elsewhere: 0, failed: [] });
    assert.deepEqual([ws.files.text('/b'), ws.pending], ['one\nlater\nend\n', ['/b: +later']]);
  });
});
