import assert from 'node:assert/strict';
import { refusedBy, type Subjects } from './contract-host.ts';
import { session } from './support.ts';

/** `Blobs`, `Values` and `Ids`. */
export function contentContract(subjects: Subjects): void {
  it('E3: reads any part of a big result, exactly, and tells its size', async () => {
    const { host, store } = subjects();
    await store.recorder.commit([{ kind: 'session', session: session('s') }]);
    const text = `${'a😀\0'.repeat(50_000)}\ud83d`;
    await store.blobs.putResult('s', 'o1', text);
    const again = await host.reopen();
    const pages = [
      [0, 10],
      [65_534, 5],
      [65_536, 70_000],
      [text.length - 2, 100],
      [0, text.length],
      [text.length + 5, 10],
      [7, 0],
    ] as const;
    for (const [offset, length] of pages) {
      const page = await again.blobs.result('s', 'o1', offset, length);
      assert.equal(page?.total, text.length);
      assert.ok(page.text === text.slice(offset, offset + length), `${offset} + ${length}`);
    }
    assert.equal(await again.blobs.result('s', 'other', 0, 1), undefined);
    await again.blobs.putResult('s', 'o1', '');
    assert.deepEqual(await again.blobs.result('s', 'o1', 0, 1), { text: '', total: 0 });
  });

  it('A6: keeps attachments', async () => {
    const { host, store } = subjects();
    await store.recorder.commit([{ kind: 'session', session: session('s') }]);
    const pasted = { id: 'a1', name: 'x.png', mediaType: 'image/png', size: 3, data: 'AAAA' };
    const picked = { id: 'a2', name: 'y.md', mediaType: 'text/plain', size: 9, path: '/w/y.md' };
    await store.recorder.commit([
      { kind: 'attachment', sessionId: 's', attachment: pasted },
      { kind: 'attachment', sessionId: 's', attachment: picked },
    ]);
    const again = await host.reopen();
    assert.deepEqual(await again.blobs.attachment('s', 'a1'), pasted);
    assert.deepEqual(await again.blobs.attachment('s', 'a2'), picked);
    assert.equal(await again.blobs.attachment('t', 'a2'), undefined);
  });

  it('keeps values, of the workspace and of sessions, alone or with other records', async () => {
    const { host, store } = subjects();
    await store.values.set('panel.draft', { text: 'Hel', at: [1] });
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'value', sessionId: 's', key: 'journal', value: 'x' },
      { kind: 'value', key: 'panel.width', value: 300 },
      { kind: 'value', key: 'gone', value: 1 },
    ]);
    await store.values.set('gone', null);
    const again = await host.reopen();
    assert.deepEqual(await again.values.get('panel.draft'), { text: 'Hel', at: [1] });
    assert.equal(await again.values.get('gone'), undefined);
    assert.equal(await again.values.get('journal'), undefined);
    assert.equal(await again.values.get('journal', 's'), 'x');
    assert.deepEqual(await again.values.list('panel.'), [
      { key: 'panel.draft', value: { text: 'Hel', at: [1] } },
      { key: 'panel.width', value: 300 },
    ]);
    await assert.rejects(again.values.set('big', 'x'.repeat(68_000_000)), refusedBy('store'));
  });

  it('changes values together, and only where nobody else did meanwhile', async () => {
    const { host, store } = subjects();
    const { values } = store;
    const swap = (mark: number, was: number | undefined): Promise<boolean> =>
      values.swap(
        [
          { key: 'text', value: `text ${mark}` },
          { key: 'mark', value: mark },
          { key: 'old', value: null },
        ],
        { key: 'mark', value: was },
      );
    await values.set('old', true);
    assert.equal(await swap(1, 7), false);
    assert.equal(await values.get('old'), true);
    // Two at once, as of two windows that saw the same: one of them.
    assert.deepEqual(await Promise.all([swap(1, undefined), swap(2, undefined)]), [true, false]);
    assert.equal(await values.get('text'), 'text 1');
    assert.equal(await values.get('old'), undefined);
    const large = [
      { key: 'mark', value: 3 },
      { key: 'text', value: 'x'.repeat(68_000_000) },
    ];
    await assert.rejects(values.swap(large, { key: 'mark', value: 1 }), refusedBy('store'));
    assert.equal(await values.get('mark'), 1);
    const again = await host.reopen();
    assert.equal(await again.values.swap([], { key: 'mark', value: 1 }), true);
  });

  it('ids never repeat, across restarts either', async () => {
    const { host, store } = subjects();
    const kinds = ['session', 'run', 'message', 'call'] as const;
    const ids = kinds.flatMap((kind) => [store.ids.next(kind), store.ids.next(kind)]);
    const again = await host.reopen();
    ids.push(...kinds.map((kind) => again.ids.next(kind)));
    assert.equal(new Set(ids).size, ids.length);
    assert.match(ids[0] ?? '', /^s\d+-\d+$/);
  });
}
