import assert from 'node:assert/strict';
import type { SearchOverlay } from '../../../src/core/ports/files/search-overlay.ts';
import type { Search } from '../../../src/core/ports/files/search.ts';
import { ReviewedSearch } from '../../../src/core/review/files/reviewed-search.ts';
import { MemoryWorkspace } from '../../support/review/memory-workspace.ts';

describe('searches while changes are proposed', () => {
  it('find what is proposed, and not what it replaces', async () => {
    const ws = new MemoryWorkspace({ '/a': 'a\n', '/b': 'b\n', '/c': 'c\n', '/w': 'w\n' });
    await ws.write('propose', '/a', 'A\n');
    await ws.rename('propose', '/b', '/d');
    await ws.delete('propose', '/c');
    await ws.write('write', '/w', 'W\n');
    await ws.agent.write('/i', new Uint8Array([0x89, 0]), { origin: ws.origin('propose') });
    const asked: (readonly [string, SearchOverlay | undefined, unknown])[] = [];
    const searched = (what: string) => (request: { overlay?: SearchOverlay }, signal: unknown) => {
      asked.push([what, request.overlay, signal]);
      return Promise.resolve(what);
    };
    const plain = { text: searched('text'), counts: searched('counts'), files: searched('files') };
    const search = new ReviewedSearch(plain as unknown as Search, ws.reviews);
    const { signal } = new AbortController();
    for (const what of ['text', 'counts', 'files'] as const)
      assert.equal(await search[what]({} as never, signal), what);
    const overlay = new Map([
      ['/b', undefined],
      ['/a', 'A\n'],
      ['/c', undefined],
      ['/d', 'b\n'],
      ['/i', ''],
    ]);
    assert.deepEqual(
      asked,
      ['text', 'counts', 'files'].map((what) => [what, overlay, signal]),
    );
  });
});
