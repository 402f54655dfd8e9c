import assert from 'node:assert/strict';
import type { ModelRequest } from '../../../src/core/model-call/model-call.ts';
import type { WireFlags } from '../../../src/domain/models/wire-flags.ts';
import { requestBody } from '../../../src/providers/anthropic/request.ts';
import { WireMessages } from '../../../src/providers/anthropic/wire/wire-message.ts';
import { createCatalog } from '../../../src/providers/catalog/catalog.ts';
import { message, modelRequest, user } from '../../support/model-call.ts';
import { writing } from '../../support/replays.ts';

type Marked = { readonly cache_control?: { readonly type: string } };

const catalog = createCatalog({ offered: ['anthropic'] });

function bodyText(request: Partial<ModelRequest>, flags: Partial<WireFlags> = {}): string {
  const full = modelRequest(request);
  const info = catalog.lookup(full.model);
  const { pieces } = requestBody(full, {
    info,
    flags,
    cacheTtl: '1h',
    purpose: 'stream',
    wireMessages: new WireMessages(),
    ...writing(),
  });
  return Buffer.concat(pieces).toString();
}

describe('requests of the Messages API to servers with differences', () => {
  it('without marks on tools, or without the long cache', () => {
    const read = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } };
    const text = bodyText(
      { system: ['s'], tools: [read], messages: [user('x')] },
      { cacheControlOnTools: false, longCache: false },
    );
    assert.doesNotMatch(text, /"ttl"/);
    const { tools, system } = JSON.parse(text) as { tools: Marked[]; system: Marked[] };
    assert.deepEqual(
      [tools[0]?.cache_control, system[0]?.cache_control?.type],
      [undefined, 'ephemeral'],
    );
  });

  it('thinking with an empty signature goes back where the server signs nothing', () => {
    const replay = { ...writing().owner, data: { signature: '' } };
    const thought = message('assistant', [
      { type: 'reasoning', text: 'hm', replay },
      { type: 'text', text: 'a' },
    ]);
    const messages = [user('x'), thought, user('y')];
    assert.doesNotMatch(bodyText({ messages }), /"hm"/);
    const said = bodyText({ messages }, { emptySignature: true });
    assert.match(said, /\{"type":"thinking","thinking":"hm","signature":""\}/);
  });
});
