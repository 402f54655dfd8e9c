import assert from 'node:assert/strict';
import fc from 'fast-check';
import { turnedBack } from '../../../src/core/restore/turned-back.ts';
import type { AgentChange, Leaf } from '../../../src/core/restore/turned-back.ts';

const file = (text: string, mode = 0o644): Leaf => ({
  kind: 'file',
  bytes: new TextEncoder().encode(text),
  mode,
});
const absent: Leaf = { kind: 'absent' };
const text = (leaf: Leaf): string =>
  leaf.kind === 'file' ? new TextDecoder().decode(leaf.bytes) : leaf.kind;

describe('what the agent did to a file is taken back', () => {
  it('as long as nobody else has changed it, it is what it was', () => {
    const changes = [
      { before: file('1\n'), after: file('2\n') },
      { before: file('2\n'), after: absent },
    ];
    assert.deepEqual(turnedBack(absent, changes), {
      kind: 'changed',
      to: file('1\n'),
      merged: false,
    });
    assert.deepEqual(turnedBack(file('1\n'), [{ before: file('1\n'), after: file('1\n') }]), {
      kind: 'same',
    });
  });

  it('what the person did before, between and after stays', () => {
    const base = 'a\nb\nc\nd\ne\nf\ng\n';
    const byAgent = base.replace('b\n', 'B\n');
    const byPerson = byAgent.replace('g\n', 'g by the person\n');
    const again = byPerson.replace('e\n', 'E\n');
    const now = `at the top\n${again}`;
    const back = turnedBack(file(now), [
      { before: file(base), after: file(byAgent) },
      { before: file(byPerson), after: file(again) },
    ]);
    assert.ok(back.kind === 'changed' && back.merged);
    assert.equal(text(back.to), 'at the top\na\nb\nc\nd\ne\nf\ng by the person\n');
  });

  it('the same lines are a conflict, and so is what is no text', () => {
    const change = { before: file('a\n'), after: file('b\n') };
    assert.equal(turnedBack(file('c\n'), [change]).kind, 'conflict');
    assert.equal(turnedBack(absent, [change]).kind, 'conflict');
    const bytes = { before: file('\0a'), after: file('\0b') };
    assert.equal(turnedBack(file('\0c'), [bytes]).kind, 'conflict');
    const made = turnedBack(file('new, and the person went on\n'), [
      { before: absent, after: file('new\n') },
    ]);
    assert.deepEqual(
      [made.kind, made.kind === 'conflict' && made.theirs.kind],
      ['conflict', 'absent'],
    );
  });

  it('a link in the place of a file stays, also when everything is to be replaced', () => {
    const link: Leaf = { kind: 'link', target: '/etc/passwd' };
    const back = turnedBack(link, [{ before: file('a\n'), after: file('b\n') }]);
    assert.ok(back.kind === 'conflict');
    assert.deepEqual(back.theirs, link);
    const own = turnedBack(link, [{ before: file('a\n'), after: link }]);
    assert.deepEqual(own, { kind: 'changed', to: file('a\n'), merged: false });
  });

  it('what was undone already is not undone twice; modes go back by themselves', () => {
    const change = { before: file('a\n'), after: file('b\n') };
    assert.deepEqual(turnedBack(file('a\n'), [change]), { kind: 'same' });
    const back = turnedBack(file('x\n', 0o755), [
      { before: file('x\n', 0o644), after: file('x\n', 0o755) },
    ]);
    assert.deepEqual(back, { kind: 'changed', to: file('x\n', 0o644), merged: false });
  });

  it('property: no line of the person is lost, none of the agent stays, unless it is a conflict', () => {
    const line = fc.integer({ min: 0, max: 9 });
    const step = fc.record({ who: fc.constantFrom('agent', 'person'), at: line });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        let lines = Array.from({ length: 10 }, (_, index) => `line ${index}\n`);
        const changes: AgentChange[] = [];
        const byPerson: string[] = [];
        for (const [index, { who, at }] of steps.entries()) {
          const before = lines.join('');
          const added = `${who} ${index}\n`;
          lines = lines.toSpliced(Math.min(at, lines.length), 0, added);
          if (who === 'agent') changes.push({ before: file(before), after: file(lines.join('')) });
          else byPerson.push(added);
        }
        const back = turnedBack(file(lines.join('')), changes);
        if (back.kind === 'conflict') return;
        const result = back.kind === 'same' ? lines.join('') : text(back.to);
        for (const added of byPerson) assert.ok(result.includes(added), `${added} was lost`);
        assert.equal(result.includes('agent'), false);
      }),
    );
  });
});
