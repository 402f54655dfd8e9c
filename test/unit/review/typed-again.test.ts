import assert from 'node:assert/strict';
import { textContent } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { SAVE_AFTER } from '../../../src/core/review/service/later-saves.ts';
import { MemoryWorkspace } from '../../support/review/memory-workspace.ts';

const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const AFTER = 'one\n2\nthree\nfour\n5\nsix\n';
const CUT = 'one\nthree\nfour\nfive\nsix\n';
const CUT_MORE = 'one\nthree\nfour\n5\nsix\n';

/** What the agent makes of the file, and what the person types when that is gone. */
const MADE_AND_TYPED = [
  [CUT, CUT],
  [CUT_MORE, CUT],
  [CUT_MORE, CUT_MORE],
  [AFTER, AFTER],
  [AFTER, 'one\n2\nthree\nfour\nfive\nsix\n'],
] as const;

describe('what the person types, where the agent had written the same', () => {
  let ws: MemoryWorkspace;
  beforeEach(() => {
    ws = new MemoryWorkspace({ '/a': BEFORE });
  });
  const changes = (text: string, kind: 'typed' | 'undone'): void => {
    const end = { line: (ws.files.text('/a') ?? '').split('\n').length, character: 0 };
    ws.files.put('/a', text);
    const all = [{ start: { line: 0, character: 0 }, end, text }];
    const how = kind === 'typed' ? { kind, changes: all } : { kind };
    ws.reviews.files.documentChanged('/a', textContent(text), how);
  };
  const restarts = async (): Promise<void> => {
    await ws.restart();
    await ws.reviews.flush();
  };
  /** The agent's change, taken out of the file again. */
  const gone = async (text: string, how: 'rejected' | 'checked out'): Promise<void> => {
    await ws.write('write', '/a', text);
    if (how === 'rejected') await ws.reviews.decisions.reject({ path: '/a' });
    else await ws.outside({ '/a': BEFORE });
    assert.deepEqual([ws.pending, ws.files.text('/a')], [[], BEFORE]);
  };

  for (const how of ['checked out', 'rejected'] as const)
    it(`and it was ${how}, is theirs when it is saved, and for the next window`, async () => {
      for (const [made, typed] of MADE_AND_TYPED)
        for (const ends of ['saved', 'closed', 'a crash', 'saved by the next window'] as const) {
          const says = `${JSON.stringify([made, typed])}, ${ends}`;
          await gone(made, how);
          if (ends === 'saved by the next window') await restarts();
          changes(typed, 'typed');
          if (ends.startsWith('saved')) await ws.reviews.files.fileChanged('/a');
          else if (ends === 'closed') await restarts();
          else {
            await ws.clock.advance(SAVE_AFTER);
            await ws.crash();
            await ws.reviews.flush();
          }
          assert.deepEqual(ws.pending, [], says);
          // The rest of it comes back without them: that is the agent's.
          await ws.outside({ '/a': made });
          assert.equal(ws.pending.length > 0, made !== typed, says);
          if (made !== typed) await ws.reviews.decisions.accept({ path: '/a' });
          await ws.outside({ '/a': BEFORE });
          assert.deepEqual(ws.pending, [], says);
        }
    });

  it('and took it out again, is the agent’s when something else brings it', async () => {
    await gone(AFTER, 'checked out');
    await restarts();
    changes(AFTER, 'typed');
    changes(BEFORE, 'undone');
    await ws.reviews.files.fileChanged('/a');
    await ws.outside({ '/a': AFTER });
    assert.deepEqual(ws.pending, ['/a: -two +2; -five +5']);
  });

  it('is not what was there before a checkout that came a moment later', async () => {
    await ws.write('write', '/a', CUT);
    await ws.outside({ '/a': BEFORE });
    await ws.write('write', '/a', AFTER);
    changes(`${AFTER}mine\n`, 'typed');
    await ws.outside({ '/a': `${BEFORE}mine\n` });
    await restarts();
    ws.files.put('/a', `${AFTER}mine\n`);
    await restarts();
    assert.deepEqual(ws.pending, ['/a: -two +2; -five +5']);
  });

  it('and what is accepted of it, beside other lines by then, stays accepted when something else parts it', async () => {
    for (const first of ['rejected', 'checked out'] as const) {
      ws = new MemoryWorkspace({ '/a': BEFORE });
      await ws.write('write', '/a', `A1\nA2\n${BEFORE}B\n`);
      if (first === 'checked out') {
        await ws.outside({ '/a': BEFORE });
        await ws.outside({ '/a': `A1\nA2\n${BEFORE}` });
      } else {
        const [, behind] = hunksOf(ws.reviews.find('/a') ?? assert.fail());
        const choice = [behind?.id ?? ''];
        await ws.reviews.decisions.reject({ path: '/a', choice });
      }
      await ws.write('write', '/a', `A1\nD\nA2\n${BEFORE}`);
      await ws.reviews.decisions.accept({ path: '/a' });
      await restarts();
      await ws.outside({ '/a': `A1\nother\nD\nA2\n${BEFORE}` });
      await restarts();
      assert.deepEqual(ws.pending, [], first);
    }
  });
});
