import assert from 'node:assert/strict';
import { textContent } from '../../../src/core/review/model/file-review.ts';
import { SAVE_AFTER } from '../../../src/core/review/service/later-saves.ts';
import { MemoryWorkspace } from '../../support/review/memory-workspace.ts';

const BEFORE = 'one\ntwo\nthree\n';
const AFTER = 'one\n2\nthree\n';

describe('a file of which something is kept aside', () => {
  let ws: MemoryWorkspace;
  beforeEach(() => {
    ws = new MemoryWorkspace({ '/a': BEFORE });
  });
  const typed = (text: string): void => {
    const end = { line: (ws.files.text('/a') ?? '').split('\n').length, character: 0 };
    ws.files.put('/a', text);
    const changes = [{ start: { line: 0, character: 0 }, end, text }];
    ws.reviews.files.documentChanged('/a', textContent(text), { kind: 'typed', changes });
  };

  it('what the person typed in it is stored once, and says nothing of what the agent writes afterwards', async () => {
    await ws.write('write', '/a', 'one\ntwo\n3\n');
    await ws.outside({ '/a': BEFORE });
    typed(AFTER);
    await ws.reviews.files.fileChanged('/a');
    await ws.outside({ '/a': BEFORE });
    await ws.write('write', '/a', AFTER);
    await ws.outside({ '/a': BEFORE });
    await ws.reviews.files.fileChanged('/a');
    await ws.restart();
    ws.files.put('/a', AFTER);
    await ws.restart();
    await ws.reviews.flush();
    assert.equal(ws.pending.length, 1);
  });

  it('nothing of it waits to be stored when the window is closed', async () => {
    await ws.write('write', '/a', AFTER);
    await ws.outside({ '/a': BEFORE });
    await ws.reviews.flush();
    typed(AFTER);
    const stored = await ws.values.list('review-parked');
    ws.reviews.dispose();
    await ws.clock.advance(SAVE_AFTER);
    assert.deepEqual(await ws.values.list('review-parked'), stored);
  });

  it('what was typed in it is on disk when all is flushed', async () => {
    await ws.write('write', '/a', AFTER);
    await ws.outside({ '/a': BEFORE });
    await ws.reviews.flush();
    const swap = ws.values.swap.bind(ws.values);
    Object.assign(ws.values, {
      swap: async (...given: Parameters<typeof swap>) => {
        const turns = given[1].key.startsWith('review-parked-typed:') ? 50 : 0;
        for (let turn = 0; turn < turns; turn += 1)
          await new Promise((resolve) => setImmediate(resolve));
        return swap(...given);
      },
    });
    typed(AFTER);
    await ws.reviews.flush();
    assert.equal((await ws.values.list('review-parked-typed:')).length, 1);
  });

  it('lines that the person typed, and something else took out and brought, are the agent’s', async () => {
    await ws.write('write', '/a', AFTER);
    await ws.outside({ '/a': BEFORE });
    typed(AFTER);
    await ws.reviews.files.fileChanged('/a');
    await ws.outside({ '/a': BEFORE });
    assert.deepEqual(ws.pending, []);
    await ws.outside({ '/a': `${AFTER}four\n` });
    assert.equal(ws.pending.length, 1);
  });

  it('is kept no longer when all of it is back', async () => {
    await ws.write('write', '/a', AFTER);
    await ws.outside({ '/a': BEFORE });
    await ws.outside({ '/a': AFTER });
    assert.deepEqual(ws.pending, ['/a: -two +2']);
    await ws.reviews.flush();
    assert.deepEqual(await ws.values.list('review-parked'), []);
  });
});

describe('a file that the agent renamed, and something else named back', () => {
  for (const how of ['at once', 'one after the other'])
    it(`is found among others of which something is pending, ${how}`, async () => {
      const ws = new MemoryWorkspace({ '/a': 'a\n', '/b': 'b\n', '/c': BEFORE });
      await ws.delete('write', '/a');
      await ws.write('write', '/b', 'b\nmore\n');
      await ws.rename('write', '/c', '/d');
      await ws.write('write', '/d', AFTER);
      if (how === 'at once') {
        ws.files.put('/c', AFTER);
        await ws.outside({ '/d': undefined });
      } else {
        await ws.outside({ '/d': undefined });
        await ws.outside({ '/c': AFTER });
      }
      assert.ok(ws.pending.includes('/c: -two +2'), ws.pending.join('\n'));
    });
});
