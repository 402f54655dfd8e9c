import assert from 'node:assert/strict';
import { ABSENT, textContent } from '../../../src/core/review/model/file-review.ts';
import { Reviews } from '../../../src/core/review/service/reviews.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { by } from '../../support/review/attribution.ts';
import { MemoryWorkspace } from '../../support/review/memory-workspace.ts';

describe('what another window stores', () => {
  let ws: MemoryWorkspace;
  let other: Reviews;
  beforeEach(() => {
    ws = new MemoryWorkspace({ '/a': 'one\n' });
    const { values, files, kept } = ws;
    const clock = new FakeClock();
    const own = {
      get: values.get.bind(values),
      set: values.set.bind(values),
      list: values.list.bind(values),
      swap: values.swap.bind(values),
    };
    other = new Reviews({ values: own, files, clock, kept, writer: 'other', log: silentLog });
  });
  afterEach(() => {
    ws.reviews.dispose();
    other.dispose();
  });

  const contents = (before: string, after: string) => ({
    before: before === '' ? ABSENT : textContent(before),
    after: textContent(after),
  });
  /** The other window's agent is about to write, and does it when it is told to. */
  const stores = async (path: string, before: string, after: string): Promise<() => void> => {
    await other.agent.edits(path, contents(before, after), by);
    return () => ws.files.put(path, after);
  };
  const written = { path: '/a' } as const;

  it('is decided there: here that is counted, told and not stored once more', async () => {
    for (const path of ['/a', '/b']) await ws.write('write', path, 'one\ntwo\n');
    await other.refresh();
    await ws.types('/a', 0, 'mine');
    const told: string[] = [];
    ws.reviews.onChange((path) => told.push(path));
    await other.decisions.accept(written);
    const both = ['/a', '/b'].map((path) => ({ ...written, path }));
    const decided = await ws.reviews.decisions.decide('accept', both);
    assert.deepEqual(decided, { done: 1, left: 0, elsewhere: 1, failed: [] });
    assert.ok(told.includes('/a'));
    assert.deepEqual([ws.pending, ws.clock.pending], [[], 0]);
    await ws.write('write', '/a', 'mine\none\ntwo\nthree\n');
    assert.equal((await ws.reviews.decisions.decide('accept', [written])).done, 1);
  });

  it('is not rejected here when it was accepted there', async () => {
    await ws.write('write', '/a', 'one\ntwo\n');
    await other.refresh();
    await other.decisions.accept(written);
    await assert.rejects(ws.reviews.decisions.reject(written), { code: 'not_found' });
    assert.equal(ws.files.text('/a'), 'one\ntwo\n');
  });

  it('is nothing to a window that is closed: it stores nothing, and tells nobody', async () => {
    await ws.write('write', '/a', 'one\ntwo\n');
    await ws.types('/a', 0, 'mine');
    const told: string[] = [];
    ws.reviews.onChange((path) => told.push(path));
    ws.reviews.dispose();
    assert.equal(ws.clock.pending, 0);
    await ws.types('/a', 0, 'more');
    assert.deepEqual(told, []);
  });

  it('first, of an edit of the agent: that is made anew, up to five times', async () => {
    const swap = ws.values.swap.bind(ws.values);
    for (const times of [4, 5]) {
      const path = `/${times}`;
      let count = 0;
      ws.values.swap = async (...given) => {
        if (count < times) {
          count += 1;
          await stores(path, '', `other ${count}`);
        }
        return swap(...given);
      };
      const edit = ws.reviews.agent.edits(path, contents('', 'agent'), by);
      if (times === 4) await edit;
      else await assert.rejects(edit, { code: 'busy' });
      ws.values.swap = swap;
      assert.equal(count, times);
      ws.files.put(path, `other ${count}`);
      await ws.reviews.files.fileChanged(path);
      if (times === 5) assert.equal(ws.pending.at(-1), '/5: +other 5');
    }
  });

  it('before its file is written is not pending yet, and left to that window for ten seconds', async () => {
    const write = await stores('/a', 'one\n', 'one\nagent\n');
    await ws.reviews.refresh();
    assert.deepEqual(ws.pending, []);
    write();
    await ws.reviews.files.fileChanged('/a');
    assert.deepEqual([ws.pending, ws.clock.pending], [['/a: +agent'], 0]);
    ws.files.put('/b', 'one\n');
    await stores('/b', 'one\n', 'never written\n');
    await ws.reviews.refresh();
    const stored = async () => (await ws.values.list('review:/b')).length;
    await ws.clock.advance(9999);
    assert.equal(await stored(), 1);
    await ws.clock.advance(1);
    assert.equal(await stored(), 0);
  });

  it('of a new file is that window’s, also before there is a file, and when it cannot be read', async () => {
    const lines: string[] = [];
    ws.log = { ...silentLog, warn: (line) => void lines.push(line) };
    await ws.crash();
    const write = await stores('/n', '', 'new\n');
    await ws.reviews.refresh();
    assert.deepEqual([ws.pending, lines], [['/n: +new +'], []]);
    write();
    const read = ws.files.read.bind(ws.files);
    ws.files.read = async () => {
      throw new Error('No such device.');
    };
    await stores('/n', 'new\n', 'new\nmore\n');
    await ws.reviews.refresh();
    ws.files.read = read;
    assert.deepEqual(ws.pending, ['/n: +new +more +']);
    assert.equal(lines.length, 1);
  });

  it('is as it was stored again after an edit, or a decision, that failed here', async () => {
    const write = await stores('/a', 'one\n', 'one\nagent\n');
    await ws.reviews.refresh();
    const swap = ws.values.swap.bind(ws.values);
    ws.values.swap = async () => {
      throw new Error('The disk is full.');
    };
    await assert.rejects(ws.write('write', '/a', 'zero\none\n'), /full/u);
    ws.values.swap = swap;
    write();
    await ws.reviews.files.fileChanged('/a');
    assert.deepEqual(ws.pending, ['/a: +agent']);
    const more = await stores('/a', 'one\nagent\n', 'zero\none\nagent\n');
    await ws.reviews.refresh();
    assert.deepEqual(ws.pending, ['/a: +agent']);
    ws.files.readOnly.add('/a');
    await assert.rejects(ws.reviews.decisions.reject(written), { code: 'permission' });
    ws.files.readOnly.delete('/a');
    more();
    await ws.reviews.files.fileChanged('/a');
    assert.deepEqual(ws.pending, ['/a: +zero; +agent']);
  });

  for (const decision of ['accept', 'reject'] as const)
    it(`is not pending again by what is told of its file while it is decided here: ${decision}`, async () => {
      (await stores('/a', 'one\n', 'one\nagent\n'))();
      await ws.reviews.refresh();
      const tell = (text: string): void =>
        ws.reviews.files.documentChanged('/a', textContent(text), { kind: 'outside' });
      const write = ws.files.write.bind(ws.files);
      ws.files.write = async (...given) => {
        await write(...given);
        tell('one\nagent\n');
      };
      const swap = ws.values.swap.bind(ws.values);
      ws.values.swap = async (...given) => {
        if (decision === 'accept') tell('one\nagent\n');
        return swap(...given);
      };
      await ws.reviews.decisions[decision](written);
      ws.values.swap = swap;
      assert.deepEqual(ws.pending, []);
      assert.equal(ws.files.text('/a'), decision === 'accept' ? 'one\nagent\n' : 'one\n');
      await ws.clock.advance(20_000);
      await ws.restart();
      assert.deepEqual(ws.pending, []);
    });

  it('is stored with what is typed into it here, a moment later', async () => {
    (await stores('/a', 'one\n', 'one\nfirst\nsecond\n'))();
    await ws.reviews.refresh();
    const text = 'one\nfirst!\nsecond\n';
    ws.files.put('/a', text);
    const end = { line: 1, character: 5 };
    const changes = [{ start: end, end, text: '!' }];
    ws.reviews.files.documentChanged('/a', textContent(text), { kind: 'typed', changes });
    await ws.reviews.files.fileChanged('/a');
    assert.equal(ws.clock.next, 300);
    await ws.clock.advance(300);
    await ws.crash();
    assert.deepEqual(ws.pending, ['/a: +first! +second (edited)']);
  });
});
