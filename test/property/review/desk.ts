import assert from 'node:assert/strict';
import { linesOf, textContent } from '../../../src/core/review/model/file-review.ts';
import type {
  Attribution,
  Content,
  FileReview,
} from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { Reviews } from '../../../src/core/review/service/reviews.ts';
import type { ReviewKind } from '../../../src/core/review/service/reviews.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { MapValues } from '../../support/map-values.ts';
import { MemoryFiles } from '../../support/memory-files.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { Cells } from './cells.ts';

/** Lines of a file that become others. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

function content(lines: readonly string[]): Content {
  return textContent(lines.join('\n'));
}

export function by(callId: string, sessionId = 's'): Attribution {
  const [messageId, tool] = [`message of ${sessionId}`, 'edit_file'];
  return { by: 'agent', sessionId, messageId, callId, tool, why: '', at: 1 };
}

/** A proposal that was accepted, all of it or a part, and what the file was before that and after it. */
interface Acceptance {
  readonly proposed: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  isUndone: boolean;
}

/** What the oracle knows of a file: its text is what is in `written`, a proposal is about that text. */
class Known {
  /** In the order in which it was accepted. */
  acceptances: Acceptance[] = [];
  written: Cells;
  proposal: Cells | undefined;
  undo: Cells[] = [];
  redo: Cells[] = [];
  /** What a checkout took out, and what it left of the file: as long as it is that, it may come back. */
  stashed: { readonly written: Cells; readonly left: string } | undefined;
  /** Lines that the agent wrote. */
  readonly agentLines: string[] = [];
  /** Such lines that the person typed, where there was none any more. */
  readonly typedAgain = new Set<string>();
  /** Lines that the agent took away and a checkout brought back. */
  readonly broughtBack = new Set<string>();

  constructor(lines: readonly string[]) {
    this.written = new Cells(lines);
  }

  /** Lines of the agent that are nowhere any more, nor where undo leads: one text says of one state whose it is. */
  get gone(): readonly string[] {
    const states = [this.written, this.proposal, ...this.undo, ...this.redo];
    const there = new Set(states.flatMap((one) => one?.cells.map(({ text }) => text) ?? []));
    return this.agentLines.filter((line) => !there.has(line));
  }
}

/** The same history in a workspace with pending changes, and in an oracle. */
export class Desk {
  readonly files = new MemoryFiles();
  readonly values = new MapValues();
  readonly clock = new FakeClock();
  readonly known = new Map<string, Known>();
  reviews: Reviews;
  #count = 0;

  constructor(texts: readonly (readonly string[])[]) {
    for (const [index, lines] of texts.entries()) {
      this.files.put(`/w/${index}`, lines.join('\n'));
      this.known.set(`/w/${index}`, new Known(lines));
    }
    this.reviews = this.#open();
  }

  #open(): Reviews {
    const { values, files, clock } = this;
    return new Reviews({ values, files, clock, log: silentLog });
  }

  path(index: number): string {
    const paths = [...this.known.keys()];
    return paths[index % paths.length]!;
  }

  of(path: string): Known {
    return this.known.get(path)!;
  }

  /** Lines of which there is no other. */
  fresh(count: number, who: string): string[] {
    return Array.from({ length: count }, () => `${who} ${(this.#count += 1)}`);
  }

  get count(): number {
    return (this.#count += 1);
  }

  async agentWrites(path: string, { from, to, lines }: Edit, session: string): Promise<void> {
    const known = this.of(path);
    // The tools put a proposal into the file first; that is not theirs to decide here.
    if (known.proposal !== undefined) return this.agentProposes(path, { from, to, lines }, session);
    const before = known.written.doc;
    // Taken away by the agent, and brought back by something else, it would be what the agent wrote once.
    if (before.slice(from, to).some((line) => known.typedAgain.has(line))) return;
    this.#remember(known);
    known.agentLines.push(...lines);
    known.written.agent(from, to - from, lines);
    const after = before.toSpliced(from, to - from, ...lines);
    const contents = { before: content(before), after: content(after) };
    await this.reviews.agent.edits('written', path, contents, by(`${this.#count}`, session));
    this.files.put(path, after.join('\n'));
  }

  async agentProposes(path: string, { from, to, lines }: Edit, session: string): Promise<void> {
    const known = this.of(path);
    const proposal = known.proposal ?? new Cells(known.written.doc);
    const before = proposal.doc;
    proposal.agent(from, to - from, lines);
    known.proposal = proposal;
    const after = before.toSpliced(from, to - from, ...lines);
    const contents = { before: content(before), after: content(after) };
    await this.reviews.agent.edits('proposed', path, contents, by(`${this.#count}`, session));
  }

  /** The person changes a proposal. */
  edits(path: string, { from, to, lines }: Edit): void {
    const { proposal } = this.of(path);
    if (proposal === undefined) return;
    const before = proposal.doc;
    proposal.agent(from, to - from, lines);
    this.reviews.files.proposalEdited(path, content(before.toSpliced(from, to - from, ...lines)));
  }

  /** Somebody changes the file: lines as a whole. */
  async changes(path: string, edit: Edit, how: 'typed' | 'outside' | 'unseen'): Promise<void> {
    const known = this.of(path);
    const { from, to, lines } = edit;
    const before = known.written.doc;
    // Taken away by something else they are what the agent made of the file: popping a stash tells of that.
    const isAgain = before.slice(from, to).some((line) => known.broughtBack.has(line));
    if (how !== 'typed' && isAgain) return;
    this.#remember(known);
    const isInPending = !known.written.isCommon(from, to);
    if (from === to) known.written.insert(from, lines);
    else if (lines.length === 0) known.written.remove(from, to - from);
    else if (how === 'typed' || !isInPending) known.written.replace(from, to - from, lines);
    // What something else makes of pending lines is pending: only line by line it is known of which.
    else return void known.undo.pop();
    known.proposal?.rebase(from, to, lines);
    const after = before.toSpliced(from, to - from, ...lines);
    this.files.put(path, after.join('\n'));
    if (how === 'outside') await this.reviews.files.fileChanged(path);
    if (how !== 'typed') return;
    const text = lines.map((line) => `${line}\n`).join('');
    const start = { line: from, character: 0 };
    const changes = [{ start, end: { line: to, character: 0 }, text }];
    this.reviews.files.documentChanged(path, content(after), { kind: 'typed', changes });
  }

  /** A line of the agent that is gone is typed by the person. */
  async typesAgain(path: string, at: number): Promise<void> {
    const known = this.of(path);
    const [line] = known.gone;
    if (line === undefined) return;
    known.typedAgain.add(line);
    await this.changes(path, { from: at, to: at, lines: [line] }, 'typed');
  }

  /** A character is typed at the end of a line. */
  types(path: string, at: number, how: 'typed' | 'outside'): Promise<void> | void {
    const known = this.of(path);
    const before = known.written.doc;
    const text = `+${this.count}`;
    const isAgain = known.broughtBack.has(before[at]!);
    // Changed by something else, with other lines beside it, it is gone: no comparison can tell.
    if (isAgain && how === 'outside') return;
    this.#remember(known);
    if (isAgain) known.broughtBack.add(`${before[at]}${text}`);
    known.written.modify(at, `${before[at]}${text}`);
    known.proposal?.rebase(at, at + 1, [`${before[at]}${text}`]);
    const after = before.with(at, `${before[at]}${text}`);
    this.files.put(path, after.join('\n'));
    if (how === 'outside') return this.reviews.files.fileChanged(path);
    const end = { line: at, character: before[at]!.length };
    const changes = [{ start: end, end, text }];
    this.reviews.files.documentChanged(path, content(after), { kind: 'typed', changes });
  }

  async decides(
    decision: 'accept' | 'reject',
    kind: ReviewKind,
    path: string,
    which: number | 'all',
  ): Promise<void> {
    const known = this.of(path);
    const cells = kind === 'written' ? known.written : known.proposal;
    const { runs } = cells ?? new Cells([]);
    const review = this.reviews.find(kind, path);
    if (cells === undefined || runs.length === 0 || review === undefined) return;
    const index = which === 'all' ? 0 : which % runs.length;
    const chosen = which === 'all' ? runs : [runs[index]!];
    const choice = which === 'all' ? 'all' : [hunksOf(review)[index]!.id];
    const before = known.written.doc;
    const proposed = cells.doc;
    await this.reviews.decisions[decision]({ kind, path, choice });
    const undoable = (kind === 'written') === (decision === 'reject');
    if (undoable) this.#remember(known);
    const back = kind === 'written' ? known.written : cells;
    for (const run of chosen.toReversed()) back[decision](run);
    // What was undone and is decided anew does not come back by another Undo.
    if (kind === 'proposed')
      known.acceptances = known.acceptances.filter(({ isUndone }) => !isUndone);
    if (kind === 'proposed' && decision === 'accept') {
      this.#written(known, cells.base);
      known.acceptances.push({ proposed, before, after: known.written.doc, isUndone: false });
    }
    if (kind === 'written' && decision === 'reject') this.#underProposal(known, before);
    if (known.proposal?.runs.length === 0) known.proposal = undefined;
  }

  /** What was accepted of a proposal is in the file: nothing to decide about, unless other pending lines are near. */
  #written(known: Known, lines: readonly string[]): void {
    const { runs, accepted } = known.written;
    known.written = runs.length === 0 ? new Cells(lines) : new Cells([]);
    known.written.accepted = accepted;
    if (runs.length === 0) return;
    const path = [...this.known].find(([, one]) => one === known)![0];
    const review = this.reviews.find('written', path);
    known.written = Cells.of(linesOf(review?.baseline ?? content(lines)), lines);
    known.written.accepted = accepted;
  }

  /** The file under a proposal changed, in several places perhaps. */
  #underProposal(known: Known, before: readonly string[]): void {
    const after = known.written.doc;
    const edits: Edit[] = [];
    let [at, to] = [0, 0];
    for (const common of [...before.filter((line) => after.includes(line)), undefined]) {
      const [end, until] = [
        common === undefined ? before.length : before.indexOf(common),
        common === undefined ? after.length : after.indexOf(common),
      ];
      if (at < end || to < until) edits.push({ from: at, to: end, lines: after.slice(to, until) });
      [at, to] = [end + 1, until + 1];
    }
    // Accepted again: the file has what is proposed.
    const { proposal } = known;
    if (edits.some(({ lines }) => lines.some((line) => proposal?.doc.includes(line) === true)))
      known.proposal = Cells.of(after, proposal?.doc ?? []);
    else for (const edit of edits.toReversed()) proposal?.rebase(edit.from, edit.to, edit.lines);
  }

  /** Everything that is pending in a file is taken out; or it comes back, where nothing else happened since. */
  async checkout(path: string): Promise<void> {
    const known = this.of(path);
    const before = known.written.doc;
    const { stashed } = known;
    const isBack =
      stashed?.left === before.join('\n') &&
      known.written.runs.length === 0 &&
      known.written.accepted.length === stashed.written.accepted.length;
    this.#remember(known);
    known.stashed = undefined;
    if (isBack) {
      const { accepted } = known.written;
      known.written = stashed.written.copy();
      known.written.accepted = [...accepted];
    } else {
      const written = known.written.copy();
      written.accepted = [...known.written.accepted];
      for (const { base, doc, text } of written.cells)
        if (base && !doc) known.broughtBack.add(text);
      for (const run of known.written.runs.toReversed()) known.written.reject(run);
      if (written.runs.length > 0) known.stashed = { written, left: known.written.doc.join('\n') };
    }
    this.files.put(path, known.written.doc.join('\n'));
    await this.reviews.files.fileChanged(path);
    this.#underProposal(known, before);
    if (known.proposal?.runs.length === 0) known.proposal = undefined;
  }

  goes(path: string, kind: 'undo' | 'redo'): void {
    const known = this.of(path);
    const [from, to] = kind === 'undo' ? [known.undo, known.redo] : [known.redo, known.undo];
    const target = from.at(-1);
    // One text says of one state whose it is.
    const isLike = (one: Cells): boolean =>
      one.doc.join('\n') === target?.doc.join('\n') &&
      one.base.join('\n') !== target.base.join('\n');
    if (target === undefined || [...from, ...to, known.written].some(isLike)) return;
    from.pop();
    const { accepted, doc: before } = known.written;
    to.push(known.written);
    known.written = target.copy();
    known.written.accepted = [...accepted];
    known.written.acceptAgain(accepted.slice(target.accepted.length));
    this.files.put(path, target.doc.join('\n'));
    this.reviews.files.documentChanged(path, content(target.doc), { kind: 'undone' });
    const back = this.#unaccepted(known);
    if (back === undefined) this.#underProposal(known, before);
    else known.proposal = Cells.of(target.doc, known.proposal?.doc ?? back);
    if (known.proposal?.runs.length === 0) known.proposal = undefined;
  }

  /** What is proposed again, when the file is what it was before that was accepted. */
  #unaccepted({ acceptances, written: { doc }, proposal }: Known): readonly string[] | undefined {
    const text = doc.join('\n');
    const again = acceptances.find((one) => one.isUndone && one.after.join('\n') === text);
    if (again !== undefined) again.isUndone = false;
    // Done again: what is proposed stays the same.
    if (again !== undefined) return proposal?.runs.length === 0 ? undefined : proposal?.doc;
    const undone = acceptances.findLast((one) => !one.isUndone && one.before.join('\n') === text);
    if (undone !== undefined) undone.isUndone = true;
    return undone?.proposed;
  }

  /** The window is closed, and opened again; undo ends there. */
  async reloads(): Promise<void> {
    await this.reviews.flush();
    this.reviews.dispose();
    this.reviews = this.#open();
    await this.reviews.load();
    // What came back meanwhile is looked at beside that.
    await this.reviews.flush();
    assert.deepEqual(this.reviews.decisions.offers, []);
    for (const known of this.known.values()) {
      [known.undo, known.redo, known.acceptances] = [[], [], []];
      // What is settled is not stored.
      if (known.proposal?.runs.length === 0) known.proposal = undefined;
    }
  }

  check(): void {
    for (const [path, { written, proposal }] of this.known) {
      assert.equal(this.files.text(path), written.doc.join('\n'), `the file ${path}`);
      this.#agrees(this.reviews.find('written', path), written, `written ${path}`);
      this.#agrees(this.reviews.find('proposed', path), proposal, `proposed ${path}`);
    }
  }

  #agrees(review: FileReview | undefined, cells: Cells | undefined, what: string): void {
    const runs = cells?.runs ?? [];
    assert.equal(review !== undefined, runs.length > 0, `${what} is pending`);
    if (review === undefined || cells === undefined) return;
    assert.deepEqual(linesOf(review.document), cells.doc, `the document of ${what}`);
    assert.deepEqual(linesOf(review.baseline), cells.base, `the baseline of ${what}`);
    const hunks = hunksOf(review).map(({ removed, added }) => ({
      old: removed.join('\n'),
      new: added.join('\n'),
    }));
    assert.deepEqual(
      hunks,
      runs.map((run) => cells.textsOf(run)),
      `the hunks of ${what}`,
    );
  }

  #remember(known: Known): void {
    known.undo.push(known.written);
    known.redo = [];
    const { accepted } = known.written;
    known.written = known.written.copy();
    known.written.accepted = [...accepted];
  }
}
