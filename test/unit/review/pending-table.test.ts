import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../src/domain/data/json.ts';
import {
  type Content,
  type FileReview,
  newReview,
  textContent,
  textOf,
} from '../../../src/core/review/model/file-review.ts';
import { PendingTable } from '../../../src/core/review/storage/pending-table.ts';
import { reviewFrom, storedReview } from '../../../src/core/review/storage/stored-review.ts';
import { MapValues } from '../../support/map-values.ts';
import { agentEdited, by } from '../../support/review/attribution.ts';

const PATH = '/w/a';
const edited = (after: string): FileReview =>
  agentEdited(newReview(PATH, textContent('1\n2')), textContent(after), by);

describe('the table of pending changes', () => {
  let values: MapValues;
  let first: PendingTable;
  let second: PendingTable;
  const document = (row: FileReview | undefined): string | undefined =>
    row === undefined ? undefined : textOf(row.document);

  beforeEach(() => {
    values = new MapValues();
    first = new PendingTable(values, '1');
    second = new PendingTable(values, '2');
  });

  it('takes a row only from who knows its newest state, and tells who changed it', async () => {
    assert.equal(await first.save(PATH, edited('x')), true);
    assert.deepEqual(await first.changedElsewhere(), []);
    assert.equal(await second.save(PATH, edited('y')), false);
    assert.deepEqual(await second.changedElsewhere(), [PATH]);
    assert.equal(document(await second.read(PATH)), 'x');
    assert.deepEqual(await second.changedElsewhere(), []);
    assert.equal(await second.save(PATH, edited('y')), true);
    assert.equal(await first.save(PATH, undefined), false);
    assert.equal(document(await first.read(PATH)), 'y');
    assert.equal(await first.save(PATH, undefined), true);
    assert.deepEqual(await values.list(''), []);
    assert.deepEqual(await second.changedElsewhere(), [PATH]);
  });

  it('leaves a row in a form of another version as it is', async () => {
    await values.set(`pending:${PATH}`, { version: 99 });
    await values.set(`pending-revision:${PATH}`, { version: 99 });
    assert.deepEqual(await first.load(), { rows: [], unreadable: [PATH] });
    assert.equal(await first.save(PATH, edited('x')), false);
    assert.equal((await values.list('')).length, 2);
  });
});

describe('a stored row', () => {
  const binary: Content = { kind: 'binary', hash: 'h', bytes: 3 };
  const read = (more: JsonObject, row = edited('1\nx')): FileReview | undefined =>
    reviewFrom(JSON.parse(JSON.stringify({ ...storedReview(row), ...more })) as Json);

  it('is read as it was written', () => {
    const row: FileReview = {
      ...newReview(PATH, textContent('1')),
      document: binary,
      wholeFileBy: [by, { ...by, callId: '2' }],
      marks: [
        { from: 0, to: 0, by },
        { from: 1, to: 2, by: 'user' },
      ],
      kept: { hash: 'k', bytes: 1, mode: 0o755 },
      renamedFrom: '/w/old',
      knownToSession: 's',
      looked: ['1'],
    };
    assert.deepEqual(read({}, row), row);
  });

  it('is none without its texts, and is read without what is strange in who made what', () => {
    const changes = (...all: Json[]): JsonObject => ({ changes: all });
    for (const more of [
      { path: 7 },
      { baseline: { kind: 'text' } },
      { baseline: { kind: 'other', text: 'x' } },
      { document: changes(['0', 1, []]) },
      { document: changes([0, 1, ['x', 7]]) },
      { told: changes(null) },
    ])
      assert.equal(read(more), undefined, JSON.stringify(more));
    const strange = { marks: [[0, 1, 7], null, [1, 2, 'user']], whole: [7], looked: ['1', 2] };
    const row = read(strange);
    assert.deepEqual([row?.marks, row?.wholeFileBy], [[{ from: 1, to: 2, by: 'user' }], []]);
    assert.deepEqual(row?.looked, ['1']);
  });
});
