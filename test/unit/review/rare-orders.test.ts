import assert from 'node:assert/strict';
import { textContent, textOf } from '../../../src/core/review/model/file-review.ts';
import { MemoryWorkspace } from '../../support/review/memory-workspace.ts';

describe('files with pending changes, in rare orders of events', () => {
  it('a deletion that is proposed says that the person wrote in the file since', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.delete('propose', '/a');
    await ws.types('/a', 0, 'mine');
    assert.deepEqual(ws.pending, ['proposed /a: -mine -one - (person)']);
    await ws.restart();
    assert.deepEqual(ws.pending, ['proposed /a: -mine -one - (person)']);
    // The agent goes on in another mode: the person's line goes, and that is still to be seen.
    await ws.write('write', '/a', 'new\n');
    assert.deepEqual(ws.pending, ['written /a: -mine -one +new (person)']);
  });

  it('what the person wrote into a proposal stays marked as theirs when the mode is switched', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.write('propose', '/a', 'one\ntwo\n');
    ws.reviews.files.proposalEdited('/a', { kind: 'text', lines: ['one', 'two', 'mine', ''] });
    await ws.write('write', '/a', 'zero\none\ntwo\nmine\n');
    assert.deepEqual(ws.pending, ['written /a: +zero; +two +mine (edited)']);
  });

  it('a file made by the person where the agent deleted one stays, whatever is decided', async () => {
    for (const decision of ['accept', 'reject'] as const) {
      const ws = new MemoryWorkspace({ '/a': 'one\n' });
      await ws.delete('write', '/a');
      await ws.outside({ '/a': 'mine\n' });
      assert.deepEqual(ws.pending, ['written /a: -one (outside)']);
      await ws.reviews.decisions[decision]({ kind: 'written', path: '/a' });
      assert.equal(ws.files.text('/a'), decision === 'accept' ? 'mine\n' : 'one\nmine\n');
    }
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.delete('write', '/a');
    await ws.outside({ '/a': 'one\n' });
    assert.deepEqual(ws.pending, [], 'taken back by somebody else');
  });

  it('a renaming is proposed of the file as it is, whatever was proposed of it before', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.write('propose', '/a', 'two\n');
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/a' });
    await ws.outside({ '/a': 'three\n' });
    await ws.rename('propose', '/a', '/b');
    assert.deepEqual(ws.pending, ['proposed /a → /b: ']);
    assert.equal(textOf(ws.reviews.find('proposed', '/b')!.document), 'three\n');
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/b' });
    assert.equal(ws.files.text('/b'), 'three\n');
  });

  it('a proposal that the file has met is about the file as it is when it is edited further', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\ntwo\n' });
    await ws.write('propose', '/a', 'two\n');
    await ws.outside({ '/a': 'two\n' });
    await ws.outside({ '/a': 'mine\ntwo\n' });
    ws.reviews.files.proposalEdited('/a', { kind: 'text', lines: ['mine', 'two', 'more', ''] });
    assert.deepEqual(ws.pending, ['proposed /a: +more (edited)']);
    await ws.reviews.decisions.reject({ kind: 'proposed', path: '/a' });
    await ws.outside({ '/a': undefined });
    assert.deepEqual(ws.pending, []);
  });

  it('a file that the agent deletes says that something else changed a line of it, also when it is made again', async () => {
    for (const how of ['write', 'propose'] as const) {
      const ws = new MemoryWorkspace({ '/a': 'one\n' });
      await ws.write('write', '/a', 'one\nconst a = f("x",1);\n');
      await ws.outside({ '/a': 'one\nconst a = f("x", 1);\n' });
      await ws.delete('write', '/a');
      assert.deepEqual(ws.pending, ['written /a: -one - (outside)']);
      await ws.write(how, '/a', 'new\n');
      assert.match(ws.pending.join(), /\(outside\)/u);
    }
  });

  it('two changes beneath a proposal that no window saw lose nothing of it, nor of each other', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\nend\n' });
    await ws.write('propose', '/a', 'agent\nend\n');
    for (const text of ['end\n', 'own\nend\n']) {
      ws.files.put('/a', text);
      await ws.restart();
    }
    assert.deepEqual(ws.pending, ['proposed /a: +agent (outside)']);
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/a' });
    assert.equal(ws.files.text('/a'), 'agent\nown\nend\n');
  });

  it('what happens beneath a proposal of an earlier window, one thing after the other, is not one change', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\ntwo\nsame' });
    await ws.write('propose', '/a', 'same');
    ws.files.put('/a', 'mine\nsame\ntwo\nsame');
    await ws.restart();
    assert.deepEqual(ws.pending, ['proposed /a: -two (outside)']);
    // The only "same" that is left is another one than that of the proposal.
    await ws.outside({ '/a': 'mine\nsame\ntwo\nother' });
    assert.deepEqual(ws.pending, ['proposed /a: -two (outside)']);
  });

  it('a file that is again what it was has its proposal again as it was made', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\ntwo\n' });
    await ws.write('propose', '/a', 'agent\ntwo\n');
    await ws.restart();
    await ws.outside({ '/a': 'mine\ntwo\n' });
    assert.deepEqual(ws.pending, ['proposed /a: +agent (outside)']);
    await ws.outside({ '/a': 'one\ntwo\n' });
    assert.deepEqual(ws.pending, ['proposed /a: -one +agent']);
  });

  it('a file that comes and is gone again leaves nothing in the proposal for the one that was there before', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.write('propose', '/a', 'one\nagent\n');
    await ws.outside({ '/a': undefined });
    await ws.restart();
    await ws.outside({ '/a': 'mine\n' });
    await ws.outside({ '/a': undefined });
    assert.deepEqual(ws.pending, ['proposed /a: +one +agent + gone']);
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/a' });
    assert.deepEqual([ws.files.text('/a'), ws.pending], ['one\nagent\n', []]);
  });

  it('a renaming that something else takes back is not pending any more, its changes are', async () => {
    for (const order of [
      { '/b': undefined, '/a': 'one\nnew\n' },
      { '/a': 'one\nnew\n', '/b': undefined },
    ]) {
      const ws = new MemoryWorkspace({ '/a': 'one\n' });
      await ws.rename('write', '/a', '/b');
      await ws.write('write', '/b', 'one\nnew\n');
      await ws.outside(order);
      assert.deepEqual(ws.pending, ['written /a: +new']);
    }
  });

  it('a new file at the old name of one that is gone is not that file, also after a restart', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.rename('write', '/a', '/b');
    await ws.outside({ '/b': undefined });
    await ws.write('write', '/a', 'new\n');
    assert.deepEqual(ws.pending[0], 'written /a: +new +');
    await ws.restart();
    assert.deepEqual(ws.pending[0], 'written /a: +new +');
  });

  it('a yes to a proposed deletion is one to what is pending in the file', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\ntwo\n' });
    await ws.write('write', '/a', 'one\n');
    await ws.delete('propose', '/a');
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/a' });
    assert.deepEqual([ws.pending, ws.files.text('/a')], [[], undefined]);
  });

  it('a rejection that cannot give a file its old name back changes nothing in the file', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.rename('write', '/a', '/b');
    await ws.write('write', '/b', 'one\nnew\n');
    await ws.types('/b', 0, 'mine');
    await ws.outside({ '/a': 'another\n' });
    const before = ws.pending;
    await assert.rejects(ws.reviews.decisions.reject({ kind: 'written', path: '/b' }), /already/u);
    assert.equal(ws.files.text('/b'), 'mine\none\nnew\n');
    assert.deepEqual(ws.pending, before);
  });

  it('a deletion that something else takes back at the old name of the file is not pending any more', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.rename('write', '/a', '/b');
    await ws.delete('write', '/b');
    await ws.outside({ '/a': 'one\n' });
    assert.deepEqual(ws.pending, []);
  });

  it('a file that the person moves to a name where something is pending loses nothing of either', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n', '/b': 'two\n' });
    await ws.delete('write', '/b');
    await ws.write('write', '/a', 'one\nnew\n');
    ws.files.put('/b', ws.files.text('/a'));
    ws.files.put('/a', undefined);
    ws.reviews.files.fileRenamed('/a', '/b');
    assert.deepEqual(ws.pending, ['written /b: -two (outside); +new (outside)']);
    await ws.reviews.decisions.reject({ kind: 'written', path: '/b' });
    assert.equal(ws.files.text('/b'), 'two\none\n');
  });

  it('a file with a proposal that the person moves to a proposed name keeps both proposals', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.write('propose', '/a', 'one\nnew\n');
    await ws.write('propose', '/b', 'made\n');
    ws.files.put('/b', ws.files.text('/a'));
    ws.files.put('/a', undefined);
    ws.reviews.files.fileRenamed('/a', '/b');
    assert.deepEqual(ws.pending, ['proposed /b: +made (person); +new (person)']);
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/b' });
    assert.equal(ws.files.text('/b'), 'made\none\nnew\n');
  });

  it('what was accepted right after the person renamed the file is not proposed again after a crash', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.write('propose', '/a', 'one\nnew\n');
    ws.files.put('/b', ws.files.text('/a'));
    ws.files.put('/a', undefined);
    ws.reviews.files.fileRenamed('/a', '/b');
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/b' });
    await ws.crash();
    assert.equal(ws.files.text('/b'), 'one\nnew\n');
    assert.deepEqual(ws.pending, []);
  });

  it('lines that come back together with others are not pending any more', async () => {
    for (const lines of [
      ['two', 'three'],
      ['three', 'two'],
    ]) {
      const ws = new MemoryWorkspace({ '/a': `one\n${lines.join('\n')}\nfour\n` });
      await ws.write('write', '/a', 'one\nthree\nfour\n');
      await ws.outside({ '/a': 'one\nTHREE\nfour\n' });
      await ws.outside({ '/a': `one\n${lines.join('\n')}\nfour\n` });
      assert.deepEqual(ws.pending, []);
    }
  });

  it('a deletion that is proposed goes with a renaming that something else takes back', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.rename('write', '/a', '/b');
    await ws.delete('propose', '/b');
    await ws.outside({ '/b': undefined, '/a': 'one\n' });
    assert.deepEqual(ws.pending, []);
    const other = new MemoryWorkspace({ '/a': 'one\n' });
    await other.rename('write', '/a', '/b');
    await other.delete('propose', '/b');
    other.files.put('/a', 'one\n');
    await other.outside({ '/b': undefined });
    assert.deepEqual(other.pending, []);
  });

  it('a deletion that is proposed is done when the person deletes the file, also after a restart', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.delete('propose', '/a');
    await ws.restart();
    await ws.outside({ '/a': undefined });
    await ws.outside({ '/a': 'mine\n' });
    assert.deepEqual(ws.pending, [], 'it is about the file that was there');
    await ws.write('write', '/a', 'mine\nnew\n');
    assert.deepEqual(ws.pending, ['written /a: +new']);
    await ws.restart();
    assert.deepEqual(ws.pending, ['written /a: +new']);
  });

  it('a file made with a yes where the agent deleted one, alike or not: what was deleted stays to be decided', async () => {
    for (const text of ['one two three five\n', 'something else\n'])
      for (const how of ['accepted', 'propose'] as const) {
        const ws = new MemoryWorkspace({ '/a': 'one two three four\n' });
        await ws.delete(how === 'accepted' ? 'propose' : 'write', '/a');
        await ws.write(how, '/a', text);
        if (how === 'propose') await ws.reviews.decisions.accept({ kind: 'proposed', path: '/a' });
        assert.equal(ws.files.text('/a'), text);
        assert.deepEqual(ws.pending, ['written /a: -one two three four (outside)']);
      }
    const ws = new MemoryWorkspace({ '/a': 'one\ntwo\n' });
    await ws.delete('write', '/a');
    await ws.write('propose', '/a', 'one\ntwo\n');
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/a' });
    assert.deepEqual(ws.pending, [], 'the same file again');
  });

  it('what undo brings back is pending, also when a crash comes in the next moment', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\n' });
    await ws.write('write', '/a', 'one\nnew\n');
    await ws.write('write', '/a', 'one\n');
    assert.deepEqual(ws.pending, []);
    ws.files.put('/a', 'one\nnew\n');
    const undone = { kind: 'undone' } as const;
    ws.reviews.files.documentChanged('/a', textContent('one\nnew\n'), undone);
    await Promise.resolve();
    await ws.crash();
    assert.deepEqual(ws.pending, ['written /a: +new']);
  });

  it('what undo brings back beside what is pending is the agent’s, also when a crash comes in the next moment', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\ntwo\n' });
    await ws.write('write', '/a', 'one\nnew\ntwo\nmore\n');
    const without = textContent('one\ntwo\nmore\n');
    const typed = { start: { line: 1, character: 0 }, end: { line: 2, character: 0 }, text: '' };
    ws.files.put('/a', 'one\ntwo\nmore\n');
    ws.reviews.files.documentChanged('/a', without, { kind: 'typed', changes: [typed] });
    await ws.reviews.flush();
    assert.deepEqual(ws.pending, ['written /a: +more']);
    ws.files.put('/a', 'one\nnew\ntwo\nmore\n');
    const undone = { kind: 'undone' } as const;
    ws.reviews.files.documentChanged('/a', textContent('one\nnew\ntwo\nmore\n'), undone);
    await Promise.resolve();
    await ws.crash();
    assert.deepEqual(ws.pending, ['written /a: +new; +more']);
  });

  it('what is pending beside a change with a yes stays so, also when a crash comes in the next moment', async () => {
    const ws = new MemoryWorkspace();
    await ws.write('write', '/a', 'first\nsecond\n');
    await ws.write('accepted', '/a', 'other\nsecond\n');
    await ws.crash();
    assert.deepEqual(ws.pending, ['written /a: +other +second + (outside)']);
  });

  it('a line that the agent moved and a rejection put back is the person’s, also after a restart', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\ntwo\nthree\n' });
    await ws.write('write', '/a', 'one\nthree\nnew\ntwo\n');
    await ws.write('write', '/a', 'one\nthree\ntwo\n');
    await ws.reviews.decisions.reject({ kind: 'written', path: '/a' });
    await ws.restart();
    await ws.reviews.flush();
    assert.deepEqual([ws.files.text('/a'), ws.pending], ['one\ntwo\nthree\n', []]);
  });

  it('a name that differs by case alone and is another file’s is taken: nothing is rejected then', async () => {
    const ws = new MemoryWorkspace({ '/A': 'one\ntwo\n' });
    await ws.rename('write', '/A', '/b');
    await ws.write('write', '/b', 'one\n');
    await ws.outside({ '/A': 'mine\n' });
    await ws.rename('write', '/b', '/a');
    assert.deepEqual(ws.pending, ['written /A → /a: -two']);
    await assert.rejects(
      ws.reviews.decisions.reject({ kind: 'written', path: '/a' }),
      /\/a cannot become \/A: something is there already/u,
    );
    assert.deepEqual([ws.files.text('/a'), ws.files.text('/A')], ['one\n', 'mine\n']);
    assert.deepEqual(ws.pending, ['written /A → /a: -two']);
  });

  it('a line that something else brought back and then changed is not taken away again', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\nline\nend\n' });
    await ws.write('write', '/a', 'one\nend\n');
    await ws.outside({ '/a': 'one\nline\nend\n' });
    await ws.outside({ '/a': 'one\nline, changed\nend\n' });
    assert.deepEqual(ws.pending, []);
    await ws.outside({ '/a': 'one\nend\n' });
    assert.deepEqual(ws.pending, ['written /a: -line'], 'a stash that is popped');
  });

  it('what was stashed, popped and then decided does not come back by what something else does', async () => {
    for (const decision of ['accept', 'reject'] as const) {
      const ws = new MemoryWorkspace({ '/a': 'one\ntwo\nend\nlast' });
      await ws.write('write', '/a', 'one\ntwo\nlast');
      for (const text of [
        'one\ntwo\nend\nlast',
        'mine\none\ntwo\nend\nlast',
        'mine\none\ntwo\nlast',
      ])
        await ws.outside({ '/a': text });
      assert.deepEqual(ws.pending, ['written /a: -end']);
      await ws.reviews.decisions.reject({ kind: 'written', path: '/a' });
      if (decision === 'reject') ws.files.put('/a', 'mine\none\ntwo\nother');
      await ws.restart();
      if (decision === 'accept') {
        await ws.write('propose', '/a', 'mine\none\nnew');
        await ws.reviews.decisions.accept({ kind: 'proposed', path: '/a' });
        await ws.reviews.files.fileChanged('/a');
      }
      assert.deepEqual(ws.pending, [], decision);
    }
  });
  it('a line that the agent moved beside its own is the person’s when a rejection puts it back, also after a restart', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\nsame\ntwo\n' });
    await ws.write('write', '/a', 'same\nnew\none\ntwo');
    await ws.reviews.decisions.reject({ kind: 'written', path: '/a' });
    await ws.restart();
    await ws.reviews.flush();
    assert.deepEqual([ws.files.text('/a'), ws.pending], ['one\nsame\ntwo\n', []]);
  });

  it('a line that the person accepted brings back no rejected change that had it, too', async () => {
    for (const text of ['other\nsame', 'same\nother', 'first\nsame\nlast']) {
      const ws = new MemoryWorkspace({ '/a': 'one' });
      await ws.write('write', '/a', 'same\nnew');
      await ws.reviews.decisions.reject({ kind: 'written', path: '/a' });
      await ws.restart();
      await ws.write('propose', '/a', text);
      await ws.reviews.decisions.accept({ kind: 'proposed', path: '/a' });
      await ws.reviews.files.fileChanged('/a');
      assert.deepEqual([ws.files.text('/a'), ws.pending], [text, []]);
      await ws.restart();
      await ws.reviews.flush();
      assert.deepEqual(ws.pending, []);
      // What was rejected of it is there again, that line alone.
      await ws.outside({ '/a': `${text}\nnew` });
      assert.match(ws.pending.join(), /^written \/a: \+new( \(outside\))?$/u);
    }
  });

  it('a change that is popped from a stash is pending as a whole, also where a line of it was accepted elsewhere', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\ntwo\nthree\n' });
    await ws.write('write', '/a', 'one\nnew\nsame\ntwo\nthree\n');
    await ws.outside({ '/a': 'one\ntwo\nthree\n' });
    await ws.write('propose', '/a', 'one\ntwo\nmore\nsame\nthree\n');
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/a' });
    await ws.outside({ '/a': 'one\nnew\nsame\ntwo\nmore\nsame\nthree\n' });
    assert.deepEqual(ws.pending, ['written /a: +new +same']);
  });

  it('a line that a change with a yes moves beside pending ones is there once, whatever is rejected', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\ntwo\nend' });
    await ws.write('write', '/a', 'new\none\ntwo\nend');
    await ws.write('accepted', '/a', 'other\nend\ntwo');
    assert.deepEqual(ws.pending, ['written /a: -one +other (outside)']);
    await ws.reviews.decisions.reject({ kind: 'written', path: '/a' });
    assert.equal(ws.files.text('/a'), 'one\nend\ntwo');
  });

  it('a line that comes with a yes is not the one like it that the agent took away elsewhere', async () => {
    const ws = new MemoryWorkspace({ '/a': 'one\nsame\ntwo\nend' });
    await ws.write('write', '/a', 'one\ntwo\nend');
    await ws.write('accepted', '/a', 'one\ntwo\nend\nsame');
    assert.deepEqual(ws.pending, ['written /a: -same']);
  });
});
