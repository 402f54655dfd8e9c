import assert from 'node:assert/strict';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { pendingList } from '../../../src/panel/review/pending-list.ts';
import type { ReviewFileView } from '../../../src/protocol/review-view.ts';
import { PendingWork } from '../../support/pending-work.ts';

function filesIn({ reviews, folder }: PendingWork): readonly ReviewFileView[] {
  const { view } = pendingList(reviews, {
    roots: [folder],
    title: () => '',
    text: () => '',
    evidence: () => undefined,
  });
  return Object.values(view.files);
}

describe('the preview of a pending change', () => {
  it('shows a removed line with the one that replaces it, cut around the difference', async () => {
    const long = `const total = ${'price + '.repeat(100)}tax;`;
    using made = new PendingWork(new SystemClock());
    await made.edit('a.ts', [long, `// with discount\n${long.replace('tax', 'tip')}`]);
    const [removed, added] = filesIn(made)[0]?.hunks[0]?.preview ?? [];
    assert.match(removed?.text ?? '', /^….{150,} \+ tax;$/u);
    assert.match(added?.text ?? '', /^….{150,} \+ tip;$/u);
    assert.equal(added?.line, 2);
  });

  it('has no row for the newline at the end of a file, and says so when it is what changed', async () => {
    using made = new PendingWork(new SystemClock());
    await made.edit('a.txt', [null, 'ok\n']);
    await made.edit('b.txt', ['one\ntwo', 'one\ntwo\n']);
    await made.edit('c.txt', ['one\ntwo\n', 'one\n2']);
    const rows = filesIn(made).map(({ hunks }) =>
      (hunks[0]?.preview ?? []).map(
        ({ kind, text, end }) => `${kind} ${end ? 'no newline' : text}`,
      ),
    );
    assert.deepEqual(rows, [
      ['added ok'],
      ['removed no newline'],
      ['removed two', 'added 2', 'added no newline'],
    ]);
  });
});
