import { countPending } from '../../../src/core/review/model/selected-changes.ts';
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { textContent } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { Reviews } from '../../../src/core/review/service/reviews.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { MapValues } from '../../support/map-values.ts';
import { MemoryFiles } from '../../support/memory-files.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { by } from '../../support/review/attribution.ts';

const BEFORE = 'one\ntwo\n';
const AFTER = 'one\nof the agent\ntwo\n';
/** With what the person typed and did not save. */
const TYPED = 'one\nof the agent\ntwo\nmine\n';

/** An editor whose text is not saved: what is written stays in it. */
class Editor extends MemoryFiles {
  readonly saved = new MemoryFiles();

  /** The agent writes, the person saves. */
  save(path: string): void {
    this.saved.put(path, this.text(path));
  }

  /** Closed without saving. */
  revert(path: string): void {
    this.put(path, this.saved.text(path));
  }
}

/** A store that takes its time. */
class SlowValues extends MapValues {
  override async swap(...given: Parameters<MapValues['swap']>): Promise<boolean> {
    for (let turns = 0; turns < 5; turns += 1) await turn();
    return super.swap(...given);
  }
}

describe('a rejection in an editor with unsaved text', () => {
  const path = '/w/a';
  let editor: Editor;
  let reviews: Reviews;
  let values: MapValues;

  const open = (): Reviews =>
    new Reviews({
      values,
      files: editor,
      saved: editor.saved,
      clock: new FakeClock(),
      log: silentLog,
    });
  const kinds = (): readonly string[] =>
    reviews.pending.flatMap((review) => hunksOf(review).map(({ kind }) => kind));

  beforeEach(async () => {
    [editor, values] = [new Editor(), new SlowValues()];
    editor.put(path, BEFORE);
    editor.save(path);
    reviews = open();
    const edit = { before: textContent(BEFORE), after: textContent(AFTER) };
    await reviews.agent.edits(path, edit, by);
    editor.put(path, AFTER);
    editor.save(path);
    editor.put(path, TYPED);
    const end = { line: 3, character: 0 };
    const changes = [{ start: end, end, text: 'mine\n' }];
    reviews.files.documentChanged(path, textContent(TYPED), { kind: 'typed', changes });
    await reviews.decisions.reject({ path });
  });

  it('is pending, and counted, until it is saved', async () => {
    assert.equal((await values.list('review:')).length, 1, 'it is stored when that is done');
    assert.equal(editor.text(path), 'one\ntwo\nmine\n');
    assert.equal(editor.saved.text(path), AFTER);
    assert.deepEqual([kinds(), countPending(reviews.pending).hunks], [['unsaved'], 1]);
    await assert.rejects(reviews.decisions.reject({ path }), /Save it, then it is done/u);
    const { done, failed } = await reviews.decisions.decide('accept', [{ path }]);
    assert.deepEqual([done, failed.length], [0, 1]);
    editor.save(path);
    await reviews.files.fileChanged(path);
    assert.deepEqual([kinds(), countPending(reviews.pending).hunks], [[], 0]);
    await reviews.flush();
    assert.deepEqual(await values.list('review:'), []);
  });

  for (const end of ['closed without saving', 'the window was closed', 'a crash'] as const)
    it(`is not done when the text was never saved: ${end}`, async () => {
      editor.revert(path);
      if (end === 'closed without saving') await reviews.files.fileChanged(path);
      else {
        if (end === 'the window was closed') await reviews.flush();
        reviews.dispose();
        reviews = open();
        await reviews.load();
        await reviews.flush();
      }
      assert.deepEqual(kinds(), ['change']);
      await reviews.decisions.reject({ path });
      assert.equal(editor.text(path), BEFORE);
    });

  it('of a file that is away is not done when it comes back', async () => {
    editor.revert(path);
    await reviews.files.fileChanged(path);
    editor.put(path, undefined);
    await reviews.files.fileChanged(path);
    await reviews.decisions.reject({ path });
    assert.deepEqual(kinds(), []);
    editor.put(path, AFTER);
    await reviews.files.fileChanged(path);
    assert.deepEqual(kinds(), ['change']);
    await reviews.decisions.accept({ path });
    editor.put(path, undefined);
    await reviews.files.fileChanged(path);
    editor.put(path, AFTER);
    await reviews.files.fileChanged(path);
    assert.deepEqual(kinds(), []);
  });
});
