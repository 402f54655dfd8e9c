import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Desk } from './desk.ts';
import { REPLAY, runs } from '../../support/seed.ts';

const RUNS = runs(400);

const at = fc.nat({ max: 40 });
const file = fc.nat({ max: 2 });
const kind = fc.constantFrom('written' as const, 'proposed' as const);
const session = fc.constantFrom('s', 't');
const edit = { file, at, count: fc.nat({ max: 3 }), lines: fc.nat({ max: 3 }) };

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom('write' as const, 'propose' as const),
      ...edit,
      session,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom('typed' as const, 'outside' as const, 'unseen' as const),
      ...edit,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('type' as const), file, at, typed: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('type again' as const), file, at }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('edit proposal' as const), ...edit }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom('accept' as const, 'reject' as const),
      file,
      kind,
      which: fc.option(fc.nat({ max: 9 }), { freq: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constantFrom('undo' as const, 'redo' as const), file }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('checkout' as const), file }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('reload' as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

async function take(desk: Desk, one: Step): Promise<void> {
  if (one.does === 'reload') return desk.reloads();
  const path = desk.path(one.file);
  const known = desk.of(path);
  /** Lines of a text, of which the last one stays. */
  const within =
    (doc: readonly string[], who: string) =>
    (given: { at: number; count: number; lines: number }) => {
      const from = given.at % doc.length;
      const to = Math.min(from + given.count, doc.length - 1);
      return { from: Math.min(from, to), to, lines: desk.fresh(given.lines, who) };
    };
  const isNothing = (given: { from: number; to: number; lines: readonly string[] }): boolean =>
    given.from === given.to && given.lines.length === 0;
  switch (one.does) {
    case 'write':
    case 'propose': {
      const isProposed = one.does === 'propose' || known.proposal !== undefined;
      const doc = isProposed ? (known.proposal ?? known.written).doc : known.written.doc;
      const given = within(doc, 'agent')(one);
      if (isNothing(given)) return;
      await (one.does === 'propose'
        ? desk.agentProposes(path, given, one.session)
        : desk.agentWrites(path, given, one.session));
      return;
    }
    case 'typed':
    case 'outside':
    case 'unseen': {
      const given = within(known.written.doc, 'own')(one);
      if (isNothing(given)) return;
      await desk.changes(path, given, one.does);
      // What nobody told is found when it matters.
      if (one.does === 'unseen') await desk.reloads();
      return;
    }
    case 'type': {
      if (known.written.doc.length < 2) return;
      await desk.types(
        path,
        one.at % (known.written.doc.length - 1),
        one.typed ? 'typed' : 'outside',
      );
      return;
    }
    case 'type again':
      await desk.typesAgain(path, one.at % known.written.doc.length);
      return;
    case 'edit proposal': {
      if (known.proposal === undefined) return;
      const given = within(known.proposal.doc, 'mine')(one);
      if (!isNothing(given)) desk.edits(path, given);
      return;
    }
    case 'accept':
    case 'reject':
      await desk.decides(one.does, one.kind, path, one.which ?? 'all');
      return;
    case 'undo':
    case 'redo':
      desk.goes(path, one.does);
      return;
    case 'checkout':
      await desk.checkout(path);
      return;
    default:
      one satisfies never;
  }
}

describe('the service of pending changes', function () {
  this.timeout(RUNS * 500 + 60_000);

  it('every file is exactly what edits and decisions say, in any order, of both kinds, across reloads', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 6 }), { minLength: 3, maxLength: 3 }),
        fc.array(step, { maxLength: 30, size: 'max' }),
        fc.constantFrom('accept' as const, 'reject' as const),
        async (lengths, steps, last) => {
          const desk = new Desk(
            lengths.map((length, index) => [
              ...Array.from({ length }, (_, line) => `line ${index}.${line}`),
              'end',
            ]),
          );
          for (const one of steps) {
            await take(desk, one);
            desk.check();
          }
          const all = desk.reviews.pending.map(({ kind: one, review: { path } }) => ({
            kind: one,
            path,
          }));
          const decided = await desk.reviews.decisions.decide(last, all);
          assert.deepEqual(decided, { done: all.length, left: 0, elsewhere: 0, failed: [] });
          assert.deepEqual(desk.reviews.pending, []);
          for (const [path, { written, proposal }] of desk.known) {
            const wanted = last === 'reject' ? written.base : (proposal ?? written).doc;
            assert.equal(desk.files.text(path), wanted.join('\n'));
          }
          await desk.reviews.flush();
          desk.reviews.dispose();
          assert.equal(desk.clock.pending, 0);
          assert.deepEqual(await desk.values.list('review-under'), []);
          assert.deepEqual(await desk.values.list('review:'), []);
          assert.deepEqual(await desk.values.list('proposal'), []);
        },
      ),
      { numRuns: RUNS, ...REPLAY },
    );
  });
});
