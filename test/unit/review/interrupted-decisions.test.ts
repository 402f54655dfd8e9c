import assert from 'node:assert/strict';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
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
    ws.reviews.decisions.reject({ kind: 'written', path });

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

  it('when a proposal has its new name and its lines already: it is done', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.rename('propose', '/a', '/b');
    await ws.write('propose', '/b', 'one\nnew\n');
    await endsAt(ws, { change: 'write', path: '/b', when: 'after' }, () =>
      ws.reviews.decisions.accept({ kind: 'proposed', path: '/b' }),
    );
    assert.deepEqual([ws.files.text('/a'), ws.files.text('/b')], [undefined, 'one\nnew\n']);
    await ws.crash();
    assert.deepEqual([ws.pending, ws.reviews.decisions.offers], [[], []]);
  });

  it('and where there is a file by either name by now: neither is changed', async () => {
    const ws = await picture();
    await endsAt(ws, before('/a'), reject(ws, '/b'));
    ws.files.put('/b', NEW);
    await ws.crash();
    assert.deepEqual([ws.files.text('/a'), ws.files.text('/b')], [NEW, NEW]);
    assert.deepEqual(ws.pending, ['written /a → /b: ']);
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
      ws.reviews.decisions.offers.map(({ kind, offer }) => [kind, offer.kind, offer.review.path]),
      [['written', 'unrecognizable', '/a']],
    );
    assert.match(told.join('\n'), /^warn .*\/a could.*\nerror .*\/a could.* No such device\.$/u);
    const changed: string[] = [];
    ws.reviews.onChange(({ kind, path }) => changed.push(`${kind} ${path}`));
    await ws.reviews.decisions.forgetOffer({ kind: 'written', path: '/a' });
    assert.deepEqual(changed, ['written /a']);
    assert.deepEqual(ws.reviews.decisions.offers, []);
    await ws.restart();
    assert.deepEqual([ws.pending, ws.reviews.decisions.offers], [[], []]);
  });

  it('about several files: the person leaves the rest pending, and is not asked again', async () => {
    for (const when of ['before', 'after'] as const) {
      const ws = new MemoryWorkspace({ '/a': 'one\n', '/b': 'one\n' });
      for (const path of ['/a', '/b']) await ws.write('write', path, 'one\ntwo\n');
      const all = ['/a', '/b'].map((path) => ({ kind: 'written' as const, path }));
      await endsAt(ws, { ...before('/b'), when }, () => ws.reviews.decisions.decide('reject', all));
      await ws.crash();
      const isLeft = when === 'before';
      const left = [{ kind: 'written', path: '/b', choice: 'all' }];
      assert.deepEqual(
        ws.reviews.decisions.interrupted,
        isLeft ? { decision: 'reject', left, of: 2 } : undefined,
      );
      const kept = async () => (await ws.values.list('review-decision:')).length;
      assert.equal(await kept(), isLeft ? 1 : 0);
      const resolved = await ws.reviews.decisions.resolveInterrupted(false);
      assert.deepEqual(resolved, { done: 0, left: 0, elsewhere: 0, failed: [] });
      const pending = isLeft ? ['written /b: +two'] : [];
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
    const all = ['/a', '/b'].map((path) => ({ kind: 'written' as const, path }));
    files.write = async (...given) => {
      delete files.write;
      await ws.write('write', '/b', 'two\none\nlater\nend\n');
      await ws.files.write(...given);
    };
    const decided = await ws.reviews.decisions.decide('reject', all);
    assert.deepEqual(decided, { done: 2, left: 0, elsewhere: 0, failed: [] });
    assert.deepEqual(
      [ws.files.text('/b'), ws.pending],
      ['one\nlater\nend\n', ['written /b: +later']],
    );
  });

  it('finds what a file is by then, and refuses what the person has not seen', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n', '/b': 'one\n' });
    await ws.write('write', '/a', 'one\ntwo\n');
    await ws.delete('propose', '/b');
    // Nobody was told of these yet.
    ws.files.put('/a', 'zero\none\ntwo\n');
    ws.files.put('/b', 'mine\n');
    await ws.reviews.decisions.reject({ kind: 'written', path: '/a' });
    assert.equal(ws.files.text('/a'), 'zero\none\n');
    const accept = () => ws.reviews.decisions.accept({ kind: 'proposed', path: '/b' });
    await assert.rejects(accept(), /since this was shown/u);
    assert.equal(ws.files.text('/b'), 'mine\n');
    await accept();
    assert.equal(ws.files.text('/b'), undefined);
    await ws.delete('propose', '/a');
    ws.files.put('/a', 'mine\n');
    await ws.reviews.decisions.reject({ kind: 'proposed', path: '/a' });
    assert.deepEqual([ws.files.text('/a'), ws.pending], ['mine\n', []]);
  });

  it('is told to the model, once; a store without room for that holds no decision up', async () => {
    const errors: string[] = [];
    const ws = new MemoryWorkspace({ '/a': 'one\nend\n' });
    ws.log = { ...silentLog, error: (message) => void errors.push(message) };
    await ws.crash();
    const news = () => ws.reviews.records.takeNews('s').map(({ text }) => text.split('\n')[0]);
    const decide = async (
      decision: 'accept' | 'reject',
      kind: 'written' | 'proposed',
      path: string,
    ) => {
      const [first] = hunksOf(ws.reviews.find(kind, path) ?? assert.fail());
      await ws.reviews.decisions[decision]({ kind, path, choice: [first?.id ?? ''] });
    };
    const [both, rest] = ['zero\none\nnew\nend\n', 'one\nnew\nend\n'];
    await ws.write('propose', '/a', both);
    await ws.rename('propose', '/a', '/b');
    await decide('reject', 'proposed', '/b');
    const rejected = ['The person undid 1 of your 2 changes of /b:'];
    assert.deepEqual([news(), news()], [rejected, []]);
    assert.equal(ws.reviews.records.hasTold('s', '/b', both, rest), true);
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/b' });
    assert.match(news().join(), /^The person kept your changes of \/b, before \/a\. It is in/u);
    const set = ws.values.set.bind(ws.values);
    ws.values.set = async (...given) => {
      if (given[0].startsWith('review-news')) throw new Error('The disk is full.');
      return set(...given);
    };
    await ws.write('write', '/b', both);
    await ws.reviews.decisions.reject({ kind: 'written', path: '/b' });
    assert.deepEqual([ws.files.text('/b'), ws.pending], [rest, []]);
    assert.match(errors.join(), /about \/b could not be noted/u);
  });

  it('gives a file its old name back together with what is proposed for it', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.rename('write', '/a', '/b');
    await ws.write('propose', '/b', 'one\nnew\n');
    await ws.reviews.decisions.reject({ kind: 'written', path: '/b' });
    assert.deepEqual(ws.pending, ['proposed /a: +new']);
  });
});
