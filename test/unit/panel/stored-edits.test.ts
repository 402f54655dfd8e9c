import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import { storedEdits } from '../../../src/panel/cards/stored-edits.ts';
import { editDiff } from '../../../src/tools/editing/edit-diff.ts';

const edit = async (before: string, after: string, more: JsonObject = {}): Promise<JsonObject> => ({
  kind: 'edit',
  path: 'a.txt',
  diff: (await editDiff(before, after)).text,
  diffCut: false,
  ...more,
});
const numbers = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join('');

describe('the edits that a card keeps', () => {
  it('give back both sides, with the places between them counted', async () => {
    const before = numbers(1, 30);
    const after = before.replace('5\n', 'five\n').replace('25\n', 'twenty\nfive\n');
    const [one] = storedEdits(await edit(before, after));
    assert.equal(one?.path, 'a.txt');
    const gap = '⋯ 1 line ⋯\n2\n3\n4\n';
    const rest = '6\n7\n8\n⋯ 13 lines ⋯\n22\n23\n24\n';
    assert.equal(one.before, `${gap}5\n${rest}25\n26\n27\n28`);
    assert.equal(one.after, `${gap}five\n${rest}twenty\nfive\n26\n27\n28`);
  });

  it('of a file that was made or emptied', async () => {
    assert.deepEqual(storedEdits(await edit('', 'a\nb\n')), [
      { path: 'a.txt', before: '', after: 'a\nb' },
    ]);
    assert.deepEqual(storedEdits(await edit('a\n', '')), [
      { path: 'a.txt', before: 'a', after: '' },
    ]);
  });

  it('of a patch are one for each file; what was cut says so', async () => {
    const [a, b] = await Promise.all([editDiff('1\n', 'one\n'), editDiff('--2\n', '++two\n')]);
    const diff = `src/a.ts\n${a.text}\n\nsrc/b.ts\n${b.text}`;
    const edits = storedEdits({ kind: 'patch', diff, diffCut: true });
    assert.deepEqual(
      edits.map(({ path }) => path),
      ['src/a.ts', 'src/b.ts'],
    );
    assert.equal(edits[0]?.after, 'one');
    assert.match(edits[1]?.after ?? '', /^\+\+two\n⋯ the rest/u);
    assert.match(edits[1]?.before ?? '', /^--2\n/u);
  });

  it('are none where nothing is kept, or where it is something else', () => {
    for (const display of [undefined, {}, { kind: 'edit', diff: '' }, { kind: 'edit', diff: 3 }])
      assert.deepEqual(storedEdits(display), []);
    assert.deepEqual(storedEdits({ kind: 'command', diff: '@@ -1,1 +1,1 @@' }), []);
  });
});
