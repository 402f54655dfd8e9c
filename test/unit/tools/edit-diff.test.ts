import assert from 'node:assert/strict';
import { applyPatch } from 'diff';
import * as fc from 'fast-check';
import { WorkspaceRig } from '../../contract/tool/workspace-rig.ts';
import { editDiff, LONGEST_DIFF } from '../../../src/tools/editing/edit-diff.ts';

describe('card of an edit', () => {
  it('bounds its diff, not its counts', async () => {
    const workspace = await WorkspaceRig.open();
    try {
      const { result } = await workspace.call('write_file', {
        path: 'big.txt',
        content: 'line\n'.repeat(50_000),
      });
      assert.deepEqual([result.display?.['added'], result.display?.['diffCut']], [50_000, true]);
      assert.ok(JSON.stringify(result.display).length <= 27_000);
    } finally {
      await workspace.close();
    }
  });
});

describe('diff of an edit', function () {
  this.timeout(60_000);

  it('applied to the old text, it gives the new one', async () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd', '');
    const text = fc
      .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
      .map(([lines, end]) => lines.join('\n') + (end ? '\n' : ''));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const diff = await editDiff(before, after);
        fc.pre(before !== after);
        assert.equal(applyPatch(before, `--- a\n+++ b\n${diff.text}\n`), after);
        assert.equal(
          diff.added,
          diff.text.split('\n').filter((part) => part.startsWith('+')).length,
        );
        assert.equal(
          diff.removed,
          diff.text.split('\n').filter((part) => part.startsWith('-')).length,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('counts all of what is only added, and shows as much of it as a card does', async () => {
    const diff = await editDiff('a\nb\n', `a\n${'line\n'.repeat(50_000)}b\n`);
    assert.deepEqual([diff.added, diff.removed, diff.firstLine], [50_000, 0, 2]);
    assert.ok(diff.text.length > LONGEST_DIFF && diff.text.length < LONGEST_DIFF * 2);
  });

  it('names the first line that changed', async () => {
    assert.equal((await editDiff('a\nb\nc\nd\ne\nf\n', 'a\nb\nc\nd\nE\nf\n')).firstLine, 5);
    assert.equal((await editDiff('', 'x\n')).firstLine, 1);
    assert.equal((await editDiff('a\nb\n', 'a\n')).firstLine, 1);
    assert.equal((await editDiff('same', 'same')).firstLine, undefined);
  });

  it('compares texts that differ nearly everywhere, too', async () => {
    const numbers = Array.from({ length: 40_000 }, (_, index) => index);
    const before = `top\n${numbers.map((number) => `line ${number}\n`).join('')}end\n`;
    const after = `top\n${numbers.map((number) => `line ${(number * 7919) % 40_009}\n`).join('')}end\n`;
    const diff = await editDiff(before, after);
    assert.equal(diff.added, diff.removed);
    assert.ok(diff.added > 39_000 && diff.added < 40_000);
    assert.equal(diff.firstLine, 3);
  });
});
