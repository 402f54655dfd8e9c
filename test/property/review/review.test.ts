import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { applyLineChanges } from '../../../src/core/merge/line-changes.ts';
import { agentEdited } from '../../../src/core/review/model/agent-edits.ts';
import { accept, reject } from '../../../src/core/review/model/decide.ts';
import {
  linesOf,
  newReview,
  sameLines,
  textContent,
} from '../../../src/core/review/model/file-review.ts';
import type { Attribution, FileReview } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { changedOutside, undoneTo, userEdited } from '../../../src/core/review/model/user-edits.ts';
import type { TypedChange } from '../../../src/core/review/model/user-edits.ts';
import { Cells } from './cells.ts';
import { runs } from '../../support/seed.ts';

const by = (callId: string): Attribution => ({
  by: 'agent',
  sessionId: 's',
  messageId: 'm',
  callId,
  tool: 'edit_file',
  why: '',
  at: 0,
});

type Action =
  | {
      readonly kind: 'agent' | 'replace';
      readonly at: number;
      readonly count: number;
      readonly lines: number;
    }
  | { readonly kind: 'insert' | 'outside insert'; readonly at: number; readonly lines: number }
  | { readonly kind: 'remove' | 'outside remove'; readonly at: number; readonly count: number }
  | { readonly kind: 'type' | 'outside change'; readonly at: number }
  | { readonly kind: 'accept' | 'reject'; readonly which: number }
  | { readonly kind: 'accept all' | 'reject all' | 'undo' | 'redo' };

const at = fc.nat({ max: 40 });
const few = fc.integer({ min: 1, max: 3 });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('agent' as const),
      at,
      count: fc.nat({ max: 3 }),
      lines: fc.nat({ max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('replace' as const), at, count: few, lines: few }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('insert' as const, 'outside insert' as const),
      at,
      lines: few,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('remove' as const, 'outside remove' as const),
      at,
      count: few,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('type' as const, 'outside change' as const), at }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('accept' as const, 'reject' as const),
      which: fc.nat({ max: 10 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('accept all' as const, 'reject all' as const) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('undo' as const, 'redo' as const) }) },
);

/** The same history in the review and in the oracle, and an editor's undo stack. */
class Both {
  review: FileReview;
  cells: Cells;
  undo: Cells[] = [];
  redo: Cells[] = [];
  undone = 0;
  #count = 0;

  constructor(lines: readonly string[]) {
    this.review = newReview('/w/a', { kind: 'text', lines });
    this.cells = new Cells(lines);
  }

  /** Lines of which there is no other. The last line of all stays. */
  #fresh(count: number, who: string): string[] {
    return Array.from({ length: count }, () => `${who}${(this.#count += 1)}`);
  }

  /** Before the document changes. */
  #change(): void {
    this.undo.push(this.cells);
    this.redo = [];
    const accepted = this.cells.accepted;
    this.cells = this.cells.copy();
    this.cells.accepted = [...accepted];
  }

  do(action: Action): void {
    const { doc } = this.cells;
    const lines = doc.length - 1;
    switch (action.kind) {
      case 'agent': {
        const from = action.at % (lines + 1);
        const count = Math.min(action.count, lines - from);
        const added = this.#fresh(action.lines, 'agent ');
        if (count + added.length === 0) return;
        // Undo knows states by their text: of two with one text the newer one is pending again.
        const after = doc.toSpliced(from, count, ...added);
        if (this.undo.some((one) => sameLines(one.doc, after))) return;
        this.#change();
        this.cells.agent(from, count, added);
        this.review = agentEdited(this.review, content(after), by(`${this.#count}`));
        return;
      }
      case 'insert':
      case 'outside insert': {
        const from = action.at % (lines + 1);
        const added = this.#fresh(action.lines, 'own ');
        this.#change();
        this.cells.insert(from, added);
        this.#foreign(action.kind === 'insert', doc, { from, to: from, lines: added });
        return;
      }
      case 'remove':
      case 'outside remove': {
        if (lines === 0) return;
        const from = action.at % lines;
        const count = Math.min(action.count, lines - from);
        this.#change();
        this.cells.remove(from, count);
        this.#foreign(action.kind === 'remove', doc, { from, to: from + count, lines: [] });
        return;
      }
      case 'replace': {
        if (lines === 0) return;
        const from = action.at % lines;
        const count = Math.min(action.count, lines - from);
        const added = this.#fresh(action.lines, 'own ');
        this.#change();
        this.cells.replace(from, count, added);
        this.#foreign(true, doc, { from, to: from + count, lines: added });
        return;
      }
      case 'type':
      case 'outside change': {
        if (lines === 0) return;
        const from = action.at % lines;
        const text = `${doc[from]}+${(this.#count += 1)}`;
        this.#change();
        this.cells.modify(from, text);
        if (action.kind === 'type') {
          const end = { line: from, character: doc[from]!.length };
          this.#typed(doc, [{ start: end, end, text: `+${this.#count}` }]);
        } else this.#foreign(false, doc, { from, to: from + 1, lines: [text] });
        return;
      }
      case 'accept':
      case 'reject':
        this.#decide(action.kind, action.which);
        return;
      case 'accept all':
        for (const run of this.cells.runs.toReversed()) this.cells.accept(run);
        this.review = accept(this.review, 'all');
        return;
      case 'reject all': {
        if (this.cells.runs.length === 0) return;
        this.#change();
        for (const run of this.cells.runs.toReversed()) this.cells.reject(run);
        this.#reject('all');
        return;
      }
      case 'undo':
      case 'redo':
        this.#go(action.kind);
        return;
      default:
        action satisfies never;
    }
  }

  #decide(kind: 'accept' | 'reject', which: number): void {
    const { runs } = this.cells;
    if (runs.length === 0) return;
    const index = which % runs.length;
    const hunk = hunksOf(this.review)[index];
    assert.ok(hunk !== undefined);
    if (kind === 'accept') {
      this.cells.accept(runs[index]!);
      this.review = accept(this.review, [hunk.id]);
      return;
    }
    this.#change();
    this.cells.reject(runs[index]!);
    this.#reject([hunk.id]);
  }

  #reject(choice: readonly string[] | 'all'): void {
    const before = linesOf(this.review.document);
    const { review, edits, effects } = reject(this.review, choice);
    assert.deepEqual(applyLineChanges(before, edits), linesOf(review.document));
    assert.deepEqual(effects, []);
    this.review = review;
  }

  #go(kind: 'undo' | 'redo'): void {
    const [from, to] = kind === 'undo' ? [this.undo, this.redo] : [this.redo, this.undo];
    const target = from.pop();
    if (target === undefined) return;
    this.undone += 1;
    to.push(this.cells);
    const { accepted } = this.cells;
    this.cells = target.copy();
    this.cells.accepted = [...accepted];
    this.cells.acceptAgain(accepted.slice(target.accepted.length));
    this.review = undoneTo(this.review, content(target.doc));
  }

  #foreign(
    typed: boolean,
    doc: readonly string[],
    {
      from,
      to,
      lines,
    }: { readonly from: number; readonly to: number; readonly lines: readonly string[] },
  ): void {
    if (!typed) {
      this.review = changedOutside(this.review, content(doc.toSpliced(from, to - from, ...lines)));
      return;
    }
    // Whole lines: from the start of the first to the start of the line behind the last.
    const start = { line: from, character: 0 };
    const end = { line: to, character: 0 };
    const text = lines.map((line) => `${line}\n`).join('');
    this.#typed(doc, [{ start, end, text }]);
  }

  #typed(doc: readonly string[], changes: readonly TypedChange[]): void {
    this.review = userEdited(this.review, changes, content(changed(doc, changes)));
  }

  check(): void {
    assert.deepEqual(linesOf(this.review.document), this.cells.doc, 'the document');
    assert.deepEqual(linesOf(this.review.baseline), this.cells.base, 'the baseline');
    assert.deepEqual(
      hunksOf(this.review).map(({ removed, added }) => ({
        old: removed.join('\n'),
        new: added.join('\n'),
      })),
      this.cells.runs.map((run) => this.cells.textsOf(run)),
    );
  }
}

function content(lines: readonly string[]) {
  return textContent(lines.join('\n'));
}

/** The text after changes, by characters. */
function changed(doc: readonly string[], changes: readonly TypedChange[]): string[] {
  let lines = [...doc];
  for (const { start, end, text } of changes) {
    const head = lines.slice(0, start.line);
    const first = (lines[start.line] ?? '').slice(0, start.character);
    const last = (lines[end.line] ?? '').slice(end.character);
    lines = [...head, ...`${first}${text}${last}`.split('\n'), ...lines.slice(end.line + 1)];
  }
  return lines;
}

describe('review of pending changes', function () {
  this.timeout(runs(120_000));

  it('the text is exactly what edits and decisions say, in any order', () => {
    let undone = 0;
    fc.assert(
      fc.property(
        fc.nat({ max: 8 }),
        fc.array(action, { maxLength: 30, size: 'max' }),
        (length, actions) => {
          const lines = [...Array.from({ length }, (_, index) => `line ${index}`), 'end'];
          const both = new Both(lines);
          for (const one of actions) {
            both.do(one);
            both.check();
          }
          undone += both.undone;
          const all = both.review;
          assert.deepEqual(linesOf(accept(all, 'all').document), both.cells.doc);
          assert.deepEqual(hunksOf(accept(all, 'all')), []);
          assert.deepEqual(linesOf(reject(all, 'all').review.document), both.cells.base);
          assert.deepEqual(hunksOf(reject(all, 'all').review), []);
        },
      ),
      { numRuns: runs(2000) },
    );
    assert.ok(undone > 200, `undone only ${undone} times`);
  });

  it('no keystroke is lost, also where lines are the same as others', () => {
    const line = fc.constantFrom('', 'a', 'b', '}');
    const step = fc.record({
      kind: fc.constantFrom(
        'agent',
        'agent',
        'type',
        'type',
        'outside',
        'accept',
        'reject',
        'undo',
      ),
      at: fc.nat({ max: 30 }),
      column: fc.nat({ max: 3 }),
      count: fc.nat({ max: 3 }),
      lines: fc.array(line, { maxLength: 3 }),
      newLine: fc.boolean(),
    });
    let pendingTyped = 0;
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 10 }),
        fc.array(step, { maxLength: 25, size: 'max' }),
        (start, steps) => {
          let review = newReview('/w/a', content(start));
          /** What the person typed, each once: it may only go where they decide so knowingly. */
          let tokens = new Set<string>();
          let [before, tokensBefore] = [start as readonly string[], new Set<string>()];
          const hasToken = (text: string): boolean => [...tokens].some((one) => text.includes(one));
          for (const [
            index,
            { kind, at: place, column, count, lines, newLine },
          ] of steps.entries()) {
            const doc = linesOf(review.document);
            const from = place % doc.length;
            const known = { doc, tokens: new Set(tokens) };
            switch (kind) {
              case 'agent':
              case 'outside': {
                // Neither takes away, or moves, what the person typed.
                const typedAt = doc.findIndex((one, at) => at >= from && hasToken(one));
                const to = Math.min(from + count, typedAt === -1 ? doc.length : typedAt);
                const next = content(doc.toSpliced(from, to - from, ...lines));
                review =
                  kind === 'agent'
                    ? agentEdited(review, next, by(`${index}`))
                    : changedOutside(review, next);
                break;
              }
              case 'type': {
                // One character, which no other keystroke can part.
                const token = String.fromCodePoint(0x4e00 + index);
                const character = Math.min(column, doc[from]!.length);
                const position = { line: from, character };
                const wasSettled = hunksOf(review).length === 0;
                const isPending = hunksOf(review).some(
                  ({ documentFrom, documentTo }) => documentFrom <= from && from < documentTo,
                );
                const change = {
                  start: position,
                  end: position,
                  text: newLine ? `\n${token}` : token,
                };
                review = userEdited(review, [change], content(changed(doc, [change])));
                if (wasSettled) assert.deepEqual(hunksOf(review), [], 'what was typed is pending');
                tokens.add(token);
                if (isPending) pendingTyped += 1;
                else
                  assert.ok(
                    linesOf(review.baseline).some((one) => one.includes(token)),
                    'what was typed would go with a rejection',
                  );
                break;
              }
              case 'accept':
              case 'reject': {
                const hunks = hunksOf(review);
                const hunk = hunks[place % Math.max(1, hunks.length)];
                if (hunk === undefined) break;
                if (kind === 'accept') {
                  review = accept(review, [hunk.id]);
                  // With a yes it may go, also where another hunk has it still.
                  const gone = hunk.removed.join('\n');
                  const kept = [...tokens].filter((token) => !gone.includes(token));
                  tokens = new Set(kept);
                  break;
                }
                review = reject(review, [hunk.id]).review;
                for (const token of tokens) {
                  const has = (one: string): boolean => one.includes(token);
                  if (linesOf(review.document).some(has)) continue;
                  // Where lines are the same, one hunk may add what another, still pending, takes away.
                  const isElsewhere = hunk.added.some(has) && linesOf(review.baseline).some(has);
                  assert.ok(
                    hunk.editedByUser || isElsewhere,
                    `${token} went with a hunk that says nothing of it`,
                  );
                  tokens.delete(token);
                }
                break;
              }
              default:
                review = undoneTo(review, content(before));
                for (const token of tokens) if (!tokensBefore.has(token)) tokens.delete(token);
                for (const token of tokensBefore) tokens.add(token);
            }
            [before, tokensBefore] = [known.doc, known.tokens];
            const text = linesOf(review.document).join('\n');
            for (const token of tokens) assert.ok(text.includes(token), `${token} is lost`);
            const all = reject(review, 'all');
            assert.deepEqual(all.review.document, review.baseline);
            assert.deepEqual(
              applyLineChanges(linesOf(review.document), all.edits),
              linesOf(review.baseline),
            );
            assert.deepEqual(accept(review, 'all').baseline, review.document);
          }
        },
      ),
      { numRuns: runs(2000) },
    );
    assert.ok(pendingTyped > 100, `typed into proposals only ${pendingTyped} times`);
  });
});
