import assert from 'node:assert/strict';
import type { Decision } from '../../../src/core/review/storage/decision-journal.ts';
import { MemoryWorkspace } from '../../support/review/memory-workspace.ts';

type Files = Readonly<Record<string, string>>;

interface Case {
  readonly files: Files;
  readonly steps: readonly ((ws: MemoryWorkspace) => Promise<void>)[];
  readonly pending: readonly string[];
  readonly accepted: Files;
  readonly rejected: Files;
  /** A decision that is refused; nothing is done then. */
  readonly refused?: Decision;
}

const A = { '/a': 'one\ntwo\n' };
const B = { '/b': 'old\n' };
const MOVED = { '/b': 'one\ntwo\n' };

/** What random histories leave out: a proposal moves a file from `/a` to `/b`, and something comes to either. */
const MOVING: Readonly<Record<string, Case>> = {
  'the agent writes at the new name: the move goes along': {
    files: A,
    steps: [(ws) => ws.write('write', '/b', 'one\ntwo\nnew\n')],
    pending: ['written /a → /b: +new'],
    accepted: { '/b': 'one\ntwo\nnew\n' },
    rejected: A,
  },
  'the agent writes a new file at the old name: two files': {
    files: A,
    steps: [(ws) => ws.write('write', '/a', 'fresh\n')],
    pending: ['written /a: +fresh +', 'written /a → /b: '],
    accepted: { '/a': 'fresh\n', ...MOVED },
    rejected: A,
  },
  'a new file is proposed at the old name: the moved one is a new file, too': {
    files: A,
    steps: [(ws) => ws.write('propose', '/a', 'fresh\n')],
    pending: ['proposed /a: -one -two +fresh', 'proposed /b: +one +two +'],
    accepted: { '/a': 'fresh\n', ...MOVED },
    rejected: A,
  },
  'lines are proposed at the new name: one change of the file': {
    files: A,
    steps: [(ws) => ws.write('propose', '/b', 'one\ntwo\nnew\n')],
    pending: ['proposed /a → /b: +new'],
    accepted: { '/b': 'one\ntwo\nnew\n' },
    rejected: A,
  },
  'a file is made with a yes at the old name: the move cannot be taken back while it is there': {
    files: A,
    steps: [(ws) => ws.write('accepted', '/a', 'fresh\n')],
    pending: ['written /a → /b: '],
    accepted: { '/a': 'fresh\n', ...MOVED },
    rejected: { '/a': 'fresh\n', ...MOVED },
    refused: 'reject',
  },
  'lines are written with a yes at the new name: only the move is pending': {
    files: A,
    steps: [(ws) => ws.write('accepted', '/b', 'one\ntwo\nnew\n')],
    pending: ['written /a → /b: '],
    accepted: { '/b': 'one\ntwo\nnew\n' },
    rejected: { '/a': 'one\ntwo\nnew\n' },
  },
  'the person makes a file at the new name: the move cannot be accepted while it is there': {
    files: A,
    steps: [(ws) => ws.outside({ '/b': 'mine\n' })],
    pending: ['proposed /a → /b: '],
    accepted: { ...A, '/b': 'mine\n' },
    rejected: { ...A, '/b': 'mine\n' },
    refused: 'accept',
  },
  'the person makes another file at the old name: what the moved one held is shown, theirs stays': {
    files: A,
    steps: [(ws) => ws.outside({ '/a': undefined }), (ws) => ws.outside({ '/a': 'mine\n' })],
    pending: ['proposed /a → /b: +one +two'],
    accepted: { '/b': 'one\ntwo\nmine\n' },
    rejected: { '/a': 'mine\n' },
  },
};

/** A renaming to a name at which a deletion is pending. */
const ONTO: Readonly<Record<string, Case>> = {
  'both written: two changes, and both files come back': {
    files: { ...A, ...B },
    steps: [(ws) => ws.delete('write', '/b'), (ws) => ws.rename('write', '/a', '/b')],
    pending: ['written /a: -one -two -', 'written /b: -old +one +two'],
    accepted: MOVED,
    rejected: { ...A, ...B },
  },
  'both written, of a file with pending lines: those come with it and go with it': {
    files: { ...A, ...B },
    steps: [
      (ws) => ws.delete('write', '/b'),
      (ws) => ws.write('write', '/a', 'one\ntwo\nnew\n'),
      (ws) => ws.rename('write', '/a', '/b'),
    ],
    pending: ['written /a: -one -two -', 'written /b: -old +one +two +new'],
    accepted: { '/b': 'one\ntwo\nnew\n' },
    rejected: { ...A, ...B },
  },
  'proposed, where a deletion is written: each by itself': {
    files: { ...A, ...B },
    steps: [(ws) => ws.delete('write', '/b'), (ws) => ws.rename('propose', '/a', '/b')],
    pending: ['written /b: -old -', 'proposed /a → /b: '],
    accepted: MOVED,
    rejected: { ...A, ...B },
  },
  'both proposed: a new text of the one, and a deletion of the other': {
    files: { ...A, ...B },
    steps: [(ws) => ws.delete('propose', '/b'), (ws) => ws.rename('propose', '/a', '/b')],
    pending: ['proposed /a: -one -two -', 'proposed /b: -old +one +two'],
    accepted: MOVED,
    rejected: { ...A, ...B },
  },
  'with a yes: the deleted lines stay pending beside the file that is there now': {
    files: { ...A, ...B },
    steps: [
      (ws) => ws.delete('write', '/b'),
      (ws) => ws.rename('accepted', '/a', '/b'),
      (ws) => ws.reviews.files.fileChanged('/b'),
    ],
    pending: ['written /b: -old (outside)'],
    accepted: MOVED,
    rejected: { '/b': 'old\none\ntwo\n' },
  },
};

async function decide(ws: MemoryWorkspace, decision: Decision): Promise<readonly string[]> {
  const selected = ws.reviews.pending.map(({ kind, review: { path } }) => ({ kind, path }));
  return (await ws.reviews.decisions.decide(decision, selected)).failed.map(({ reason }) => reason);
}

async function holds(one: Case, before: Case['steps'] = []): Promise<void> {
  for (const decision of ['accept', 'reject'] as const) {
    const ws = new MemoryWorkspace(one.files);
    for (const step of [...before, ...one.steps]) await step(ws);
    assert.deepEqual(ws.pending, one.pending);
    await ws.restart();
    assert.deepEqual(ws.pending, one.pending, 'after a restart');
    const reasons = await decide(ws, decision);
    const now = Object.fromEntries(
      [...ws.files.contents.keys()].map((path) => [path, ws.files.text(path)]),
    );
    assert.deepEqual(now, decision === 'accept' ? one.accepted : one.rejected, decision);
    if (one.refused === decision) {
      assert.match(reasons.join(), /something is there already\. Nothing was changed/u);
      assert.deepEqual(ws.pending, one.pending, 'it stays pending');
    } else assert.deepEqual([reasons, ws.pending], [[], []]);
  }
}

describe('names that pending changes give and take', () => {
  for (const [name, one] of Object.entries(MOVING))
    it(`a move is proposed; ${name}`, () => holds(one, [(ws) => ws.rename('propose', '/a', '/b')]));

  for (const [name, one] of Object.entries(ONTO))
    it(`a renaming to a name where a deletion is pending, ${name}`, () => holds(one));
});
