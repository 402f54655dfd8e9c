import assert from 'node:assert/strict';
import { renderToString } from 'preact-render-to-string';
import type { ModelRow } from '../../../src/protocol/snapshot.ts';
import { ModelOption } from '../../../webview/views/models/model-option.tsx';

const MODEL: ModelRow = {
  id: 'claude-sonnet-5',
  name: 'Claude Sonnet 5',
  provider: 'anthropic',
  providerName: 'Anthropic',
  contextWindow: 200_000,
  thinking: true,
  source: { name: '', kind: 'own' },
  vision: true,
  ready: true,
  local: false,
  favorite: false,
  recent: null,
  price: '$3 in · $15 out per million tokens',
};

describe('a model of the list', () => {
  const factsOf = (more: Partial<ModelRow>): string | undefined =>
    /class="description">(?<facts>[^<]*)</u.exec(
      renderToString(
        <ModelOption
          id="m"
          row={{ ...MODEL, ...more }}
          isActive={false}
          isChosen={false}
          onPick={() => undefined}
          onFavor={() => undefined}
        />,
      ),
    )?.groups?.['facts'];

  it('tells price and window in short, whatever the language', () => {
    assert.equal(factsOf({}), '$3/$15 · 200k');
    assert.equal(factsOf({ price: '$0.1 ein · $0.4 aus je Million Tokens' }), '$0.1/$0.4 · 200k');
    assert.equal(factsOf({ price: 'kostenlos', local: true }), 'local · free · 200k');
    assert.equal(factsOf({ price: '' }), '200k');
    assert.equal(factsOf({ ready: false }), 'needs a key · 200k');
  });
});
