import assert from 'node:assert/strict';
import { memorySection } from '../../../src/panel/center/memory-section.ts';
import type { Memory } from '../../../src/domain/memory.ts';
import { BelayError } from '../../../src/domain/failure.ts';

const note = (id: string, text: string, more: Partial<Memory> = {}): Memory => ({
  id,
  scope: id.startsWith('p') ? 'person' : 'workspace',
  text,
  at: Date.UTC(2026, 10, 23, 12),
  sessionId: 's1',
  workspace: 'app',
  ...more,
});

describe('memory in the Control Center', () => {
  const saved: [name: string, text: string][] = [];
  let notes: Memory[] = [];
  let on = true;
  const section = memorySection({
    memories: {
      all: async () => Promise.resolve(notes),
      change: async (id, text) => {
        const known = notes.some((one) => one.id === id);
        notes = notes.map((one) => (one.id === id ? { ...one, text } : one));
        return Promise.resolve(known);
      },
      remove: async (id) => {
        const found = notes.find((one) => one.id === id);
        notes = notes.filter((one) => one !== found);
        return Promise.resolve(found);
      },
      restore: async (one) => void (await Promise.resolve(notes.push(one))),
    },
    sessions: async () => Promise.resolve([{ id: 's1', title: 'Tests' }]),
    enabled: () => on,
    enable: async (next) => void (await Promise.resolve((on = next))),
    mask: async (text) => Promise.resolve(text.replace('secret-1', '[hidden]')),
    save: async (name, text) => Promise.resolve(saved.push([name, text]) > 0),
  });
  beforeEach(() => {
    saved.length = 0;
    notes = [note('w1', 'Postgres on 5433'), note('p1', 'Short\u202e answers', { sessionId: 'x' })];
  });

  it('A12: says each note with its day and the session that it comes from, else the workspace', async () => {
    const { rows, problem } = await section.readMemory({});
    assert.equal(problem, '');
    assert.deepEqual(
      rows.map(({ id, scope, source }) => [id, scope, source]),
      [
        ['w1', 'workspace', 'Nov 23, 2026 · Tests'],
        ['p1', 'person', 'Nov 23, 2026 · app'],
      ],
    );
    assert.doesNotMatch(rows[1]?.text ?? '', /\u202e/u);
  });

  it('A12: a note is changed without secrets, removed, and brought back as it was', async () => {
    await section.changeMemory({ id: 'w1', text: ' The key is secret-1. ' });
    assert.equal(notes[0]?.text, 'The key is [hidden].');
    await assert.rejects(section.changeMemory({ id: 'w1', text: '  ' }), /needs words/u);
    await assert.rejects(section.changeMemory({ id: 'w9', text: 'x' }), /not there any more/u);
    const before = notes[1];
    await section.removeMemory({ id: 'p1' });
    assert.equal(notes.length, 1);
    await assert.rejects(section.removeMemory({ id: 'p1' }), BelayError);
    await section.restoreMemory({ id: 'p1' });
    assert.deepEqual(notes[1], before);
    // What was not removed here cannot be put in.
    await assert.rejects(section.restoreMemory({ id: 'w7' }), BelayError);
  });

  it('A12: is saved whole as JSON or Markdown, and switched', async () => {
    await section.exportMemory({ format: 'json' });
    await section.exportMemory({ format: 'markdown' });
    assert.equal(saved[0]?.[0], 'memory.json');
    assert.deepEqual(JSON.parse(saved[0]?.[1] ?? ''), notes);
    assert.equal(saved[1]?.[0], 'memory.md');
    assert.match(
      saved[1]?.[1] ?? '',
      /## This workspace\n\n- Postgres on 5433 \(w1, 2026-11-23\)/u,
    );
    await section.switchMemory({ on: false });
    assert.equal((await section.readMemory({})).on, false);
    await section.switchMemory({ on: true });
  });
});
