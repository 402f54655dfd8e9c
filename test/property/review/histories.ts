import * as fc from 'fast-check';
import { encoded, PLAIN, spliced, Tags, tagsOf } from './tagged-text.ts';
import type { Form, Text } from './tagged-text.ts';
import type { How } from './agent-hands.ts';
import { AllHands } from './deciding-hands.ts';
import { Workshop } from './workshop.ts';
import type { Window } from './workshop.ts';

const PATHS = ['/w/a', '/w/A', '/w/b', '/w/sub/c', '/w/d'] as const;

const FORMS: readonly Form[] = [
  PLAIN,
  PLAIN,
  { ...PLAIN, end: '\r\n' },
  { ...PLAIN, bom: true },
  { encoding: 'utf16le', bom: true, end: '\r\n' },
  { encoding: 'utf16be', bom: true, end: '\n' },
];

const DOES = {
  edit: 10,
  rewrite: 2,
  return: 1,
  delete: 2,
  rename: 3,
  change: 8,
  type: 5,
  create: 3,
  stash: 4,
  remove: 1,
  move: 1,
  'edit proposal': 4,
  decide: 9,
  capture: 3,
  stale: 5,
  'decide several': 1,
  undo: 2,
  redo: 1,
  reload: 1,
  crash: 1,
  restore: 1,
} as const;

type Does = keyof typeof DOES;

const nat = (max: number): fc.Arbitrary<number> => fc.nat({ max });

/** One thing that happens; which of its parts count depends on what it is. */
export const STEP = fc.record({
  does: fc.oneof(
    ...Object.entries(DOES).map(([does, weight]) => ({
      weight,
      arbitrary: fc.constant(does as Does),
    })),
  ),
  window: nat(1),
  path: nat(PATHS.length - 1),
  to: nat(PATHS.length - 1),
  at: nat(30),
  count: nat(3),
  lines: nat(3),
  flavour: nat(60),
  how: fc.constantFrom<How>('write', 'write', 'write', 'propose', 'propose', 'propose', 'accepted'),
  told: fc.constantFrom('typed' as const, 'typed' as const, 'outside' as const, 'unseen' as const),
  session: fc.constantFrom('s', 't'),
  decision: fc.constantFrom('accept' as const, 'reject' as const),
  /** Of hunks, or files: which ones. */
  mask: nat(31),
});

type Step = typeof STEP extends fc.Arbitrary<infer One> ? One : never;

export const FILES = fc.array(
  fc.record({
    lines: nat(6),
    flavour: nat(60),
    form: nat(FORMS.length - 1),
    isMixed: fc.boolean(),
    endsWithLine: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
);

type Files = typeof FILES extends fc.Arbitrary<infer One> ? One : never;

/** A workshop in which nothing has happened yet. */
export async function begin(
  files: Files,
  windows: number,
  done: Map<string, number>,
): Promise<AllHands> {
  const at = new Workshop();
  const tags = new Tags();
  for (const [index, { lines, flavour, form, isMixed, endsWithLine }] of files.entries()) {
    const made = tags.lines('o', lines, flavour);
    const empty: Text = { lines: [''], ends: [''], form: FORMS[form] ?? PLAIN };
    const text = spliced(empty, { from: 0, to: endsWithLine ? 0 : 1, lines: made });
    const ends = text.ends.map((end, line) =>
      isMixed && end !== '' && (flavour + line) % 3 === 0 ? '\n' : end,
    );
    at.files.contents.set(PATHS[index] ?? '/w/x', encoded({ ...text, ends }));
    at.ledger.set(tagsOf(made.join('\n')), { base: true, disk: true, seen: true });
  }
  await at.open(windows);
  return new AllHands(at, tags, done);
}

/** What a line edit is, of a text with so many lines. */
function spliceOf(
  { at, count, lines }: Pick<Step, 'at' | 'count' | 'lines'>,
  length: number,
  make: (count: number) => readonly string[],
): { from: number; to: number; lines: readonly string[] } {
  const from = at % length;
  return { from, to: Math.min(from + count, length), lines: make(lines) };
}

/** The agent renames a file, one of those with something pending rather, now and then to where it deleted one. */
function renames(
  hands: AllHands,
  window: Window,
  step: Step,
  { path, to }: { path: string; to: string },
): Promise<void> {
  const { pending } = window.reviews;
  const one = pending[step.path % Math.max(1, pending.length)];
  const deleted = pending.find(
    ({ kind, review }) => kind === 'written' && review.document.kind === 'absent',
  );
  const from = step.at % 2 === 0 ? (one?.review.path ?? path) : path;
  const target = step.at % 3 === 0 ? (deleted?.review.path ?? to) : to;
  return hands.agentRenames(window, from, target, step);
}

export async function take(hands: AllHands, step: Step): Promise<void> {
  const { at } = hands;
  const window = at.window(step.window);
  const path = PATHS[step.path] ?? PATHS[0];
  const to = PATHS[step.to] ?? PATHS[0];
  const present = [...at.files.contents.keys()];
  const there = present[step.path % Math.max(1, present.length)] ?? path;
  const { pending } = window.reviews;
  const one = pending[step.path % Math.max(1, pending.length)];
  const written = one?.kind === 'written' ? one : pending.find(({ kind }) => kind === 'written');
  const made = (hand: 'p' | 'g') => (count: number) => hands.tags.lines(hand, count, step.flavour);
  switch (step.does) {
    case 'edit':
      return hands.agentEdits(
        window,
        step.at % 4 === 0 ? path : there,
        step.how,
        step.session,
        (text) => {
          if (text === undefined)
            return { lines: [...made('g')(step.lines), ''], ends: ['\n', '\n', '\n'], form: PLAIN };
          return spliced(text, spliceOf(step, text.lines.length, made('g')));
        },
      );
    case 'rewrite':
      return hands.agentEdits(window, there, step.how, step.session, (text) => {
        if (text === undefined) return undefined;
        const lines = made('g')(step.lines);
        const kept =
          step.count === 0 ? [] : text.lines.filter((_, line) => line % step.count === 0);
        return spliced(text, { from: 0, to: text.lines.length, lines: [...lines, ...kept] });
      });
    case 'return':
      return hands.agentReturns(window, there, step.session);
    case 'delete':
      return hands.agentDeletes(window, there, step.how, step.session);
    case 'rename':
      return renames(hands, window, step, { path: there, to });
    case 'change': {
      const text = at.text(there);
      if (text === undefined) return;
      return hands.changes(window, there, spliceOf(step, text.lines.length, made('p')), step.told);
    }
    case 'type':
      return hands.types(window, there, { line: step.at, column: step.flavour, told: step.told });
    case 'stash':
      return hands.stashes(window, written?.review.path ?? there, {
        at: step.at,
        lines: made('p')(step.lines),
        told: step.told,
      });
    case 'create':
      return hands.personCreates(path, made('p')(step.lines));
    case 'remove':
      return hands.personDeletes(window, there);
    case 'move':
      return hands.personRenames(there, to);
    case 'edit proposal': {
      const proposals = pending.filter(({ kind }) => kind === 'proposed');
      const proposal = proposals[step.path % Math.max(1, proposals.length)];
      if (proposal === undefined) return;
      return hands.editsProposal(window, proposal.review.path, ({ length }) =>
        spliceOf(step, length, made('p')),
      );
    }
    case 'decide': {
      if (one === undefined) return;
      const all = at.shown(one.kind, one.review);
      const some = all.filter((_, index) => ((step.mask >> (index % 5)) & 1) === 1);
      if (step.mask % 3 === 0 || some.length === 0)
        return hands.decidesWhole(window, step.decision, one.kind, one.review.path);
      await hands.decides(
        window,
        step.decision,
        some,
        some.map(({ id }) => id),
      );
      await hands.tellAndCheck();
      return hands.decidesAgain(window, step.decision, some);
    }
    case 'capture':
      return hands.capture(window);
    case 'stale': {
      const shown = hands.captured[step.at % Math.max(1, hands.captured.length)];
      if (shown === undefined) return;
      return hands.decides(window, step.decision, [shown], [shown.id]);
    }
    case 'decide several':
      return hands.decidesAll(
        window,
        step.decision,
        (index) => ((step.mask >> (index % 5)) & 1) === 1,
      );
    case 'undo':
      hands.goes(window, there, 'undo');
      if (step.mask % 3 !== 0) return;
      await hands.tellAndCheck();
      return hands.goes(window, there, 'redo');
    case 'redo':
      return hands.goes(window, there, 'redo');
    case 'reload':
      return hands.reload(at.windows.length, true);
    case 'crash':
      return hands.reload(at.windows.length, false);
    case 'restore':
      hands.lastRestore = [];
      await hands.restores(step.at % 2 === 0);
      if (step.mask % 3 !== 0) return;
      await hands.tellAndCheck();
      return hands.restoresBack();
    default:
      return step.does satisfies never;
  }
}

/** Everything is decided. What cannot be accepted, because its new name is taken, is rejected; or so the other way. */
export async function end(hands: AllHands, decision: 'accept' | 'reject'): Promise<void> {
  const window = hands.at.window(0);
  const other = decision === 'accept' ? 'reject' : 'accept';
  for (const one of [decision, other, decision] as const)
    if (window.reviews.pending.length > 0)
      await hands.take(async () => hands.decidesAll(window, one, () => true));
}
