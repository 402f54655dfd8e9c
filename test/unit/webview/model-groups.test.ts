import assert from 'node:assert/strict';
import type { ModelRow } from '../../../src/protocol/snapshot.ts';
import { groupsOf } from '../../../webview/views/models/model-groups.ts';

const row = (id: string, more: Partial<ModelRow> = {}): ModelRow => ({
  id,
  name: id,
  provider: 'p',
  providerName: 'Provider',
  contextWindow: 1000,
  thinking: false,
  vision: false,
  ready: true,
  local: false,
  favorite: false,
  recent: null,
  source: { kind: 'set', name: 'Provider' },
  price: '',
  ...more,
});

const shown = (rows: readonly ModelRow[], words = ''): readonly (readonly [string, string])[] =>
  groupsOf(rows, words).groups.map(({ name, rows: own }) => [
    name,
    own.map(({ id }) => id).join(' '),
  ]);

describe('the list of models', () => {
  it('has favorites first, then recent ones, then each provider with all of its own', () => {
    const rows = [
      row('a', { recent: 1 }),
      row('b', { favorite: true, recent: 2 }),
      row('c', { recent: 0 }),
      row('d', { provider: 'q', providerName: 'Other' }),
    ];
    assert.deepEqual(shown(rows), [
      ['Favorites', 'b'],
      ['Recent', 'c a'],
      ['Provider', 'a b c'],
      ['Other', 'd'],
    ]);
  });

  it('is searched by all words, in names, ids and providers', () => {
    const rows = [
      row('x/claude-5', { name: 'Claude 5', providerName: 'Gateway' }),
      row('gpt', { name: 'GPT' }),
    ];
    assert.deepEqual(shown(rows, ' GATE claude '), [['Gateway', 'x/claude-5']]);
    assert.deepEqual(shown(rows, 'gate gpt'), []);
  });

  it('draws some of each of hundreds, says how many are left, and finds them all', () => {
    const rows = [
      ...Array.from({ length: 400 }, (_, index) => row(`m-${index}`)),
      row('local', { provider: 'q', providerName: 'Local' }),
    ];
    const { groups, hidden } = groupsOf(rows, '');
    assert.deepEqual(
      groups.map(({ rows: own }) => own.length),
      [25, 1],
    );
    assert.equal(hidden, 375);
    assert.deepEqual(shown(rows, 'm-399'), [['Provider', 'm-399']]);
  });
});
