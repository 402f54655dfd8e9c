import assert from 'node:assert/strict';
import { MemoryWorkspace } from '../../support/review/memory-workspace.ts';

const AGENT = 'host=agent.example\nport=8080\nmode=fast\n';
const OWN = 'name=mine\nkey=1234\n';

async function rejectAll({ reviews }: MemoryWorkspace): Promise<void> {
  const selected = reviews.pending.map(({ path }) => ({ path }));
  assert.deepEqual((await reviews.decisions.decide('reject', selected)).failed, []);
  assert.deepEqual(reviews.pending, []);
}

describe('a file of the person that has the name of one of the agent', () => {
  it('made after the agent’s was deleted: nothing is pending, and “reject all” leaves it', async () => {
    for (const gap of ['told', 'untold', 'closed'] as const) {
      const ws = new MemoryWorkspace();
      await ws.write('write', '/config.txt', AGENT);
      if (gap === 'told') await ws.outside({ '/config.txt': undefined });
      if (gap === 'closed') {
        await ws.reviews.flush();
        ws.files.put('/config.txt', OWN);
        await ws.restart();
      } else await ws.outside({ '/config.txt': OWN });
      assert.deepEqual(ws.pending, [], gap);
      await rejectAll(ws);
      assert.equal(ws.files.text('/config.txt'), OWN);
      // The agent's comes back by its content.
      await ws.outside({ '/config.txt': AGENT });
      assert.equal(ws.pending.length, 1);
    }
  });

  it('with a line or a bracket in common: it stays, and so do its other lines', async () => {
    const [agent, own] = ['{\n  "port": 1,\n  "debug": true\n}\n', '{\n  "name": "mine"\n}\n'];
    const ws = new MemoryWorkspace();
    await ws.write('write', '/a.json', agent);
    await ws.outside({ '/a.json': undefined });
    await ws.outside({ '/a.json': own });
    await rejectAll(ws);
    assert.equal(ws.files.text('/a.json'), own);
    await ws.write('write', '/b', 'import fs\nagent a\nagent b\nagent c\n');
    await ws.outside({ '/b': 'import fs\nmine a\nown\nelse\n' });
    await rejectAll(ws);
    assert.equal(ws.files.text('/b'), 'import fs\nmine a\nown\nelse\n');
  });

  it('over lines of the agent in a file that was there: the other text is nobody’s to take away', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\ntwo\nthree\n' });
    await ws.write('write', '/a', 'one\nsecond line\nthree\n');
    await ws.outside({ '/a': 'one\nsomething else entirely\nthree\n' });
    assert.deepEqual(ws.pending, []);
    await ws.write('write', '/b', 'x\n');
    await ws.outside({ '/a': 'one\nsecond line\nthree\n' });
    assert.deepEqual(ws.pending, ['/a: -two +second line', '/b: +x +']);
  });

  it('what a formatter leaves of them is the agent’s', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.write('write', '/a', "one\nconst a = f('x', 1)\n");
    await ws.outside({ '/a': 'one\n  const a = f("x", 1);\n' });
    assert.deepEqual(ws.pending, ['/a: +  const a = f("x", 1); (outside)']);
    await ws.write('write', '/n', 'first\nsecond\nthird\n');
    await ws.outside({ '/n': 'first\nthird\n' });
    assert.deepEqual(ws.pending[1], '/n: +first +third + (outside)');
  });

  it('that is no text: the agent’s bytes are not put over it, nor is it deleted', async () => {
    const ws = new MemoryWorkspace();
    await ws.write('write', '/a', AGENT);
    ws.files.contents.set('/a', Uint8Array.from([0, 159, 146, 150, 0, 1]));
    await ws.reviews.files.fileChanged('/a');
    await rejectAll(ws);
    assert.equal(ws.files.contents.get('/a')?.length, 6);
  });

  it('a file that went back while the window was closed: a line of another program stays', async () => {
    for (const wait of [0, 5000, 20_000]) {
      const ws = new MemoryWorkspace({ '/a': 'one\ntwo\n' });
      await ws.write('write', '/a', 'one\nof the agent\ntwo\n');
      await ws.reviews.flush();
      ws.files.put('/a', 'one\ntwo\n');
      await ws.restart();
      assert.deepEqual(ws.pending, []);
      await ws.clock.advance(wait);
      await ws.outside({ '/a': 'one\nof another program\ntwo\n' });
      assert.deepEqual(ws.pending, [], `after ${wait} ms`);
      await rejectAll(ws);
      assert.equal(ws.files.text('/a'), 'one\nof another program\ntwo\n');
    }
  });

  it('an edit that was accepted is not pending again, whatever the file goes back to and forth', async () => {
    const [before, first, second] = [
      'one\ntwo\n',
      'one\nfirst\ntwo\n',
      'one\nfirst\ntwo\nsecond\n',
    ];
    for (const closed of [false, true]) {
      const ws = new MemoryWorkspace({ '/a': before });
      const become = async (text: string): Promise<void> => {
        if (!closed) return ws.outside({ '/a': text });
        await ws.reviews.flush();
        ws.files.put('/a', text);
        await ws.restart();
        await ws.reviews.flush();
      };
      await ws.write('write', '/a', first);
      await ws.write('write', '/a', second);
      await become(first);
      await ws.reviews.decisions.accept({ path: '/a' });
      for (const text of [before, first]) {
        await become(text);
        assert.deepEqual(ws.pending, []);
      }
      await become(before);
      await become(second);
      assert.deepEqual(ws.pending, ['/a: +second']);
    }
  });

  it('a renaming is on disk at once: a crash a moment later finds the changes at the new name', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.write('write', '/a', 'one\nof the agent\n');
    await ws.files.rename('/a', '/b');
    ws.reviews.files.fileRenamed('/a', '/b');
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    await ws.crash();
    assert.deepEqual(ws.pending, ['/b: +of the agent']);
    assert.deepEqual(ws.reviews.decisions.offers, []);
  });

  it('a deletion that a restore took back is not listed, and nothing is there twice', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\ntwo\nthree\n', '/b': 'x\ny\nz\n' });
    await ws.write('write', '/a', 'one\nthree\nfour\n');
    await ws.delete('write', '/b');
    await ws.outside({ '/a': 'one\nthree\ntwo\nfour\n', '/b': 'x\ny2\nz\n' });
    await rejectAll(ws);
    assert.equal(ws.files.text('/a'), 'one\nthree\ntwo\n');
    assert.equal(ws.files.text('/b'), 'x\ny2\nz\n');
  });
});
