import assert from 'node:assert/strict';
import { textContent } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { MemoryWorkspace } from '../../support/review/memory-workspace.ts';

describe('files with pending changes that are moved in rare orders', () => {
  it('what the person wrote into a file stays marked as theirs when the agent moves it to a name that is decided about', async () => {
    for (const isProposed of [true, false]) {
      const ws = new MemoryWorkspace({ '/a': 'one\ntwo\n', '/b': '' });
      await ws.write('write', '/b', 'new\n');
      await ws.outside({ '/b': undefined });
      await ws.write(isProposed ? 'propose' : 'write', '/a', 'zero\none\ntwo\n');
      const edited = { kind: 'text', lines: ['zero', 'mine', 'one', 'two', ''] } as const;
      if (isProposed) ws.reviews.files.proposalEdited('/a', edited);
      else await ws.types('/a', 1, 'mine');
      await ws.rename('write', '/a', '/b');
      assert.deepEqual(
        ws.pending.map((one) => one.replaceAll(/ [-+](?=[ ;]|$)/gu, '')),
        isProposed
          ? ['written /a: -one -two', 'written /b: +zero +mine +one +two (edited)']
          : ['written /a: -mine -one -two', 'written /b: +zero +mine +one +two (edited)'],
      );
    }
  });

  it('a file that the agent moved and deleted is not back when another text has its old name', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.rename('write', '/a', '/b');
    await ws.types('/b', 0, 'mine');
    await ws.delete('write', '/b');
    const pending = ['written /a → /b: -mine -one -'];
    assert.deepEqual(ws.pending, pending);
    await ws.outside({ '/a': 'one\n' });
    assert.deepEqual(ws.pending, pending, 'the typed line is not back');
    await assert.rejects(
      ws.reviews.decisions.reject({ kind: 'written', path: '/b' }),
      /stays pending/u,
    );
    await ws.outside({ '/a': undefined });
    await ws.reviews.decisions.reject({ kind: 'written', path: '/b' });
    assert.equal(ws.files.text('/a'), 'mine\none\n');
  });

  it('a file that is moved with a yes to where the agent deleted one is not that one, however alike', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\ntwo\nthree\n', '/b': '' });
    await ws.delete('write', '/a');
    await ws.write('accepted', '/b', 'one\ntwo\nother\n');
    await ws.rename('accepted', '/b', '/a');
    await ws.reviews.files.fileChanged('/a');
    assert.deepEqual(ws.pending, ['written /a: -three (outside)']);
  });

  it('what something else takes back, and writes over, of two changes leaves each line once', async () => {
    const ws = new MemoryWorkspace({ '/a': 'two\n' });
    await ws.write('write', '/a', 'same\ntwo');
    await ws.outside({ '/a': '\none\ntwo\n' });
    assert.deepEqual(ws.pending, []);
  });

  it('what the person wrote into a proposal stays marked when the agent proposes another name for it that was freed', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one', '/c': 'three' });
    await ws.write('propose', '/c', 'new');
    await ws.rename('propose', '/a', '/b');
    ws.reviews.files.proposalEdited('/c', { kind: 'text', lines: ['mine', 'new'] });
    await ws.rename('propose', '/c', '/a');
    assert.equal(ws.pending[0], 'proposed /a: -one +mine +new (edited)');
  });

  it('a renamed file that the person deletes is not another one that has its old name', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\ntwo\nthree\nfour\n' });
    await ws.rename('write', '/a', '/b');
    await ws.write('write', '/b', 'one\ntwo\nthree\nagent\n');
    await ws.outside({ '/a': 'one\ntwo\nthree\nmine\n' });
    await ws.outside({ '/b': undefined });
    await ws.reviews.files.fileChanged('/b');
    assert.deepEqual(ws.pending, ['written /a → /b: -four +agent gone']);
    assert.equal(ws.files.text('/a'), 'one\ntwo\nthree\nmine\n');
  });

  it('a file that the person moves to where one of the agent was deleted is theirs, however alike', async () => {
    for (const then of ['', 'restart', 'crash']) {
      const ws = new MemoryWorkspace({ '/a': 'const value = compute(44, 1);\n' });
      await ws.write('write', '/b', 'const value = compute(44, 2);\n');
      await ws.outside({ '/b': undefined });
      const text = ws.files.text('/a');
      ws.files.put('/a', undefined);
      ws.files.put('/b', text);
      ws.reviews.files.fileRenamed('/a', '/b');
      if (then === 'restart') await ws.restart();
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      if (then === 'crash') await ws.crash();
      await ws.reviews.files.fileChanged('/b');
      assert.deepEqual(ws.pending, []);
      assert.equal(ws.files.text('/b'), text);
    }
  });

  it('of what was stashed twice in one millisecond the last counts, also after a restart', async () => {
    for (const name of ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']) {
      const ws = new MemoryWorkspace({ '/a': 'one\ntwo\nthree' });
      await ws.write('write', '/a', `one\n${name}\nnew\ntwo\nthree`);
      for (const text of ['one\ntwo\nmine\nthree', `one\n${name}\nnew\ntwo\nmine\nthree`])
        await ws.outside({ '/a': text });
      await ws.write('write', '/a', 'new\ntwo\nmine\nthree');
      const pending = ['written /a: -one +new'];
      assert.deepEqual(ws.pending, pending);
      await ws.outside({ '/a': 'one\ntwo\nmine\nthree' });
      await ws.restart();
      for (const text of ['one\ntwo\nmore\nmine\nthree', 'new\ntwo\nmore\nmine\nthree'])
        await ws.outside({ '/a': text });
      assert.deepEqual(ws.pending, pending, name);
    }
  });

  it('lines that were taken away are pending again where the line before them is like their last one', async () => {
    for (const how of ['outside', 'unseen'] as const) {
      const ws = new MemoryWorkspace({ '/a': 'one\ntwo\n\nthree\nfour\n' });
      await ws.write('write', '/a', 'one\ntwo\n');
      const pending = ['written /a: -three -four -'];
      assert.deepEqual(ws.pending, pending);
      for (const text of [
        'one\ntwo\n\nthree\nfour\n',
        'one\nmine\ntwo\n\nthree\nfour\n',
        'one\nmine\ntwo\n',
      ]) {
        await ws.outside({ '/a': text });
        if (how === 'unseen') await ws.restart();
      }
      await ws.reviews.flush();
      assert.deepEqual(ws.pending, pending, how);
    }
  });

  it('a file that the person moves while it is looked at whether it is what it was is pending at its new name only', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.write('write', '/a', 'one\nnew\n');
    for (const text of ['one\n', 'mine\none\n', 'mine\none\nnew\n'])
      await ws.outside({ '/a': text });
    await ws.crash();
    ws.files.put('/b', ws.files.text('/a'));
    ws.files.put('/a', undefined);
    ws.reviews.files.fileRenamed('/a', '/b');
    await ws.reviews.flush();
    assert.deepEqual(ws.pending, ['written /b: +new']);
  });

  it('of a file that the agent moved and deleted nothing comes back after a rejection and a restart', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.rename('write', '/a', '/b');
    await ws.delete('write', '/b');
    await ws.reviews.decisions.reject({ kind: 'written', path: '/b' });
    await ws.restart();
    await ws.reviews.flush();
    assert.deepEqual([ws.files.text('/a'), ws.pending], ['one\n', []]);
  });

  it('a file that is to have the name of one that is to be moved away is there when that is accepted part by part', async () => {
    const ws = new MemoryWorkspace({ '/a': '\ufeff', '/b': 'one\n' });
    await ws.rename('propose', '/a', '/c');
    await ws.rename('propose', '/b', '/a');
    const lines = hunksOf(ws.reviews.find('proposed', '/a')!).filter(
      ({ kind }) => kind === 'change',
    );
    const choice = lines.map(({ id }) => id);
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/a', choice });
    assert.equal(ws.files.text('/a'), '\ufeffone\n', 'its form is pending still');
    const selected = ws.reviews.pending.map(({ kind, review: { path } }) => ({ kind, path }));
    assert.deepEqual(
      selected.map(({ path }) => path),
      ['/a', '/b', '/c'],
    );
    await ws.reviews.decisions.decide('accept', selected);
    const texts = ['/a', '/b', '/c'].map((path) => ws.files.text(path));
    assert.deepEqual([texts, ws.pending], [['one\n', undefined, '\ufeff'], []]);
  });

  it('what is pending in a file goes along when a proposed name of it is accepted', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.write('write', '/a', 'one\nnew\n');
    await ws.rename('propose', '/a', '/b');
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/b' });
    assert.deepEqual([ws.files.text('/a'), ws.files.text('/b')], [undefined, 'one\nnew\n']);
    assert.deepEqual(ws.pending, ['written /b: +new']);
    await ws.restart();
    await ws.reviews.decisions.reject({ kind: 'written', path: '/b' });
    assert.equal(ws.files.text('/b'), 'one\n');
  });

  it('a yes to a move says nothing about a deleted file elsewhere that is back', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\ntwo\nthree\n', '/b': 'b\n' });
    await ws.delete('write', '/a');
    ws.files.put('/a', 'one\ntwo\nother\n');
    await ws.rename('accepted', '/b', '/c');
    await ws.reviews.files.fileChanged('/a');
    assert.deepEqual(ws.pending, [], 'it is that file, changed');
  });

  it('a proposed name at which there is a copy of the file by now is proposed still after a restart', async () => {
    for (const [a, b] of [
      ['one\n', 'one\n'],
      [undefined, 'other\n'],
    ]) {
      const ws = new MemoryWorkspace({ '/a': 'one\n' });
      await ws.rename('propose', '/a', '/b');
      ws.files.put('/a', a);
      ws.files.put('/b', b);
      await ws.restart();
      assert.match(ws.pending.join(), /^proposed \/a → \/b: /u);
    }
  });

  it('what could not be stored of a move is, before a decision: nothing comes back by a crash', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.write('propose', '/a', 'one\nnew\n');
    const swap = ws.values.swap.bind(ws.values);
    ws.values.swap = async () => {
      throw new Error('The disk is full.');
    };
    ws.files.put('/b', ws.files.text('/a'));
    ws.files.put('/a', undefined);
    ws.reviews.files.fileRenamed('/a', '/b');
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    assert.equal(ws.clock.next, 300, 'it is tried again');
    ws.values.swap = swap;
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/b' });
    await ws.crash();
    assert.deepEqual([ws.files.text('/b'), ws.pending], ['one\nnew\n', []]);
  });

  it('a renaming that a crash prevented is stored under the old name alone', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.write('write', '/a', 'one\nnew\n');
    const content = textContent('one\nnew\n');
    const { callId, ...by } = { ...ws.origin('write'), by: 'agent' as const, why: '', at: 1 };
    await ws.reviews.agent.renames('written', '/a', { path: '/b', content }, { ...by, callId });
    await ws.crash();
    assert.deepEqual(ws.pending, ['written /a: +new']);
    const names = (await ws.values.list('review:')).map(({ key }) => key.replace(/#.*/u, ''));
    assert.deepEqual([...new Set(names)], ['review:/a']);
  });
});
