import { linesOf, proposedAt, textContent } from '../../../src/core/review/model/file-review.ts';
import { AgentHands } from './agent-hands.ts';
import { textOf } from './hands.ts';
import { decoded, encoded, PLAIN, spliced, tagsOf } from './tagged-text.ts';
import type { Text } from './tagged-text.ts';
import { without } from './workshop.ts';
import type { Window } from './workshop.ts';

type Told = 'typed' | 'outside' | 'unseen';

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** What the person does to files, and other programs do. */
export abstract class PersonHands extends AgentHands {
  async changes(window: Window, path: string, splice: Splice, told: Told): Promise<void> {
    const text = this.at.text(path);
    if (text === undefined) return;
    const { from, to, lines } = splice;
    if (from === to && lines.length === 0) return;
    if (to === text.lines.length && lines.length === 0) return;
    const after = spliced(text, splice);
    if (textOf(after) === textOf(text)) return;
    const [old, now] = [tagsOf(textOf(text)), tagsOf(textOf(after))];
    const isPlain = from === to || lines.length === 0;
    // What was stored when the window was opened may be older: both changes are one then.
    const isTwo = this.isReloaded && told !== 'typed';
    const mayStay = isTwo || (!isPlain && window.reviews.find('written', path) !== undefined);
    const { ledger } = this.at;
    if (isTwo) ledger.set(ledger.tags, { base: 'any' });
    this.mayLose(window, path, { from, to, told });
    const added = without(now, old);
    const seen = this.isDeleted(window, path) ? ('any' as const) : true;
    ledger.set(added, { base: mayStay ? 'any' : true, disk: true, seen });
    const gone = without(old, now);
    // Where the agent took a line from to put it elsewhere, or proposes to, it stays at the other place.
    const stay = this.at.moved(window, 'written');
    ledger.set(without(gone, stay), { base: mayStay ? 'any' : false });
    const isSeen = this.isProposed(window, path) && !isPlain ? 'any' : false;
    ledger.set(gone, { disk: false });
    this.mayBeAgain(told, lines);
    const proposed = this.at.moved(window, 'proposed');
    ledger.set(without(gone, proposed), { seen: isSeen });
    // What the person takes away, and a proposal puts elsewhere, is no line of theirs any more.
    this.takes(gone.filter((tag) => proposed.includes(tag)));
    this.count(told);
    await this.put(window, path, after, told, {
      start: { line: from, character: 0 },
      ...(to === text.lines.length
        ? { end: endOf(text), text: lines.join('\n') }
        : { end: { line: to, character: 0 }, text: lines.map((line) => `${line}\n`).join('') }),
    });
    if (told !== 'typed') return;
    for (const tag of [...added, ...gone]) this.unsaved.add(tag);
    this.unsavedIn.add(path);
  }

  /**
   * A line like others where the agent had put one that was rejected: it may be that change again, with all that it
   * took away. Of what is typed only the window that it is typed in knows better.
   */
  mayBeAgain(told: Told, lines: readonly string[]): void {
    const isKnown = told === 'typed' && this.at.windows.length === 1;
    if (isKnown || lines.every((line) => tagsOf(line).length > 0)) return;
    const { ledger, taken } = this.at;
    ledger.set(
      [...taken].filter((tag) => !ledger.is(tag, 'disk')),
      { base: 'any' },
    );
  }

  /** A character is typed into a line, or a new line is begun there. */
  async types(
    window: Window,
    path: string,
    { line, column, told }: { line: number; column: number; told: Told },
  ): Promise<void> {
    const text = this.at.text(path);
    if (text === undefined) return;
    const at = line % text.lines.length;
    const was = text.lines[at] ?? '';
    const places = [...was.matchAll(/(?<![opg\d])|$/gu)].map(({ index }) => index);
    const character = places[column % places.length] ?? 0;
    const tag = this.tags.next('p');
    const typed = `${was.slice(0, character)}${tag}${was.slice(character)}`;
    const { ledger } = this.at;
    const isCommon = this.isCommon(window, path, was);
    ledger.set([tag], { base: isCommon ? true : 'any', disk: true, seen: true });
    if (this.isProposed(window, path)) ledger.set([tag, ...tagsOf(was)], { seen: 'any' });
    this.mayLose(window, path, { from: at, to: at + 1, told });
    this.count(`type ${told}`);
    const place = { line: at, character };
    await this.put(window, path, spliced(text, { from: at, to: at + 1, lines: [typed] }), told, {
      start: place,
      end: place,
      text: tag,
    });
    if (told !== 'typed') return;
    this.unsaved.add(tag);
    this.unsavedIn.add(path);
  }

  /** Whether a line is in no hunk. */
  isCommon({ reviews }: Window, path: string, line: string): boolean {
    const review = reviews.find('written', path);
    const tags = tagsOf(line);
    if (review === undefined) return true;
    if (tags.length === 0 || review.fileMissing) return false;
    return (
      linesOf(review.baseline).includes(line) &&
      !this.at.shown('written', review).some(({ added }) => added.includes(tags[0] ?? ''))
    );
  }

  /** What is proposed is that the file goes: what is typed in it is for the proposal to tell. */
  isDeleted({ reviews }: Window, path: string): boolean {
    return reviews.pending.some(
      ({ kind, review }) =>
        kind === 'proposed' && proposedAt(review) === path && review.document.kind === 'absent',
    );
  }

  async put(
    { reviews }: Window,
    path: string,
    after: Text,
    told: Told,
    change: { start: Position; end: Position; text: string },
  ): Promise<void> {
    this.remember(path, this.at.files.contents.get(path));
    this.at.files.contents.set(path, encoded(after));
    if (told === 'typed')
      reviews.files.documentChanged(path, textContent(textOf(after)), {
        kind: 'typed',
        changes: [change],
      });
    if (told === 'unseen') await this.reload(this.at.windows.length, true);
  }

  /**
   * What is pending in a file is stashed, something else puts lines into it, perhaps, and it comes back: all of it
   * is pending again, and nothing else.
   */
  async stashes(
    window: Window,
    path: string,
    { at, lines: all, told }: { at: number; lines: readonly string[]; told: Told },
  ): Promise<void> {
    const review = window.reviews.find('written', path);
    const text = this.at.text(path);
    if (text === undefined || review?.baseline.kind !== 'text' || review.fileMissing) return;
    if (review.renamedFrom !== undefined || this.isProposed(window, path)) return;
    // Blank lines beside blank ones that are pending tell nothing.
    const lines = all.filter((line) => tagsOf(line).length > 0);
    const base = review.baseline.lines;
    const [then, now] = [tagsOf(base.join('\n')), tagsOf(textOf(text))];
    // Beside what is pending a line makes another hunk of it: single cases say what becomes of that.
    const isTagged = (line: string | undefined): boolean => tagsOf(line ?? '').length > 0;
    const common = base.filter((line, index) => {
      const behind = base[index + 1];
      const there = text.lines.indexOf(line);
      return isTagged(line) && isTagged(behind) && there !== -1 && text.lines[there + 1] === behind;
    });
    const place = lines.length === 0 ? undefined : common[at % common.length];
    const put = async (was: readonly string[], isWith: boolean): Promise<void> => {
      const from = isWith && place !== undefined ? was.indexOf(place) + 1 : 0;
      const made = was.toSpliced(from, 0, ...(from > 0 ? lines : []));
      const whole = { from: 0, to: text.lines.length, lines: made };
      this.at.files.contents.set(path, encoded(spliced(text, whole)));
      if (told === 'unseen') await this.reload(this.at.windows.length, true);
    };
    const { ledger } = this.at;
    this.forgetUndo(path);
    await put(base, false);
    ledger.set(without(now, then), { disk: false, seen: false });
    ledger.set(without(then, now), { disk: true, seen: true });
    await this.tellAndCheck();
    if (place !== undefined) {
      await put(base, true);
      ledger.set(tagsOf(lines.join('\n')), { base: true, disk: true, seen: true });
      await this.tellAndCheck();
    }
    await put(text.lines, true);
    ledger.set(without(now, then), { disk: true, seen: true, base: false });
    ledger.set(without(then, now), { disk: false, seen: false, base: true });
    this.count(place === undefined ? 'stash and pop' : 'stash, change and pop');
  }

  async personCreates(path: string, lines: readonly string[]): Promise<void> {
    if (this.at.files.contents.has(path) || this.isMoving(path)) return;
    const text: Text = { lines: [...lines], ends: [], form: PLAIN };
    const ended = spliced(text, { from: lines.length, to: lines.length, lines: [''] });
    this.at.files.contents.set(path, encoded(ended));
    const isGone = this.at.windows.some(
      ({ reviews }) => reviews.find('written', path)?.fileMissing === true,
    );
    this.madeAgain(path);
    this.at.ledger.set(tagsOf(textOf(ended)), {
      base: isGone ? 'any' : true,
      disk: true,
      seen: true,
    });
    this.count('create');
    this.forgetUndo(path);
  }

  async personDeletes(window: Window, path: string): Promise<void> {
    if (!this.at.files.contents.has(path)) return;
    const tags = this.at.tags(path);
    const isWritten = window.reviews.find('written', path) !== undefined;
    const seen = this.isProposed(window, path) ? ('any' as const) : false;
    this.at.ledger.set(tags, { disk: false, base: isWritten ? 'any' : false, seen });
    for (const tag of tags) this.at.taken.add(tag);
    this.unsavedIn.add(path);
    this.at.files.contents.delete(path);
    this.count('remove');
    this.forgetUndo(path);
  }

  async personRenames(from: string, to: string): Promise<void> {
    const bytes = this.at.files.contents.get(from);
    if (bytes === undefined || this.at.files.contents.has(to) || this.isMoving(to)) return;
    this.madeAgain(to);
    this.at.files.contents.delete(from);
    this.at.files.contents.set(to, bytes);
    for (const { reviews } of this.at.windows) reviews.files.fileRenamed(from, to);
    this.count('move');
    this.forgetUndo(from);
    this.forgetUndo(to);
    delete this.history[from];
    delete this.history[to];
  }

  async editsProposal(window: Window, path: string, splice: (text: readonly string[]) => Splice) {
    const review = window.reviews.find('proposed', path);
    if (review?.document.kind !== 'text') return;
    const before = review.document.lines;
    const { from, to, lines } = splice(before);
    const after = before.toSpliced(from, to - from, ...lines);
    const made = after.length === 0 ? [''] : after;
    const [old, now] = [tagsOf(before.join('\n')), tagsOf(made.join('\n'))];
    this.at.ledger.set(without(old, now), { seen: false });
    this.at.ledger.set(without(now, old), { seen: true });
    this.takes(without(old, now));
    window.reviews.files.proposalEdited(path, { kind: 'text', lines: made });
    // Beside a line that is the same as one that the agent took away.
    for (const tag of this.at.moved(window)) this.at.ledger.moved.add(tag);
    this.count('edit proposal');
    for (const tag of [...without(now, old), ...without(old, now)]) this.unsaved.add(tag);
  }

  /** One step back, or forward again, in an editor. */
  goes(window: Window, path: string, which: 'undo' | 'redo'): void {
    const { undo, redo } = this.undo.get(path) ?? { undo: [], redo: [] };
    const [from, to] = which === 'undo' ? [undo, redo] : [redo, undo];
    const [now, target] = [this.at.files.contents.get(path), from.at(-1)];
    if (target === undefined || now === undefined || this.at.windows.length > 1) return;
    from.pop();
    to.push(now);
    this.count(which);
    this.#turned(window, path, tagsOf(textOf(decoded(now))), tagsOf(textOf(decoded(target))));
    this.at.files.contents.set(path, target);
    this.unsavedIn.add(path);
    const content = textContent(textOf(decoded(target)));
    window.reviews.files.documentChanged(path, content, { kind: 'undone' });
  }

  /** What was pending then is told by another property; here only that nothing is lost. */
  #turned(window: Window, path: string, old: readonly string[], then: readonly string[]): void {
    const { ledger, taken } = this.at;
    const isProposed = this.isProposed(window, path);
    ledger.set(ledger.tags, { base: 'any' });
    for (const tag of ledger.tags) this.unsaved.add(tag);
    if (isProposed) ledger.set([...old, ...then], { seen: 'any' });
    ledger.set(without(old, then), { disk: false });
    ledger.set(without(then, old), { disk: true });
    // What an acceptance did to the file, and Undo took back, is proposed again.
    ledger.set([...without(old, then), ...without(then, old)], { seen: 'any' });
    for (const tag of [...old, ...then]) taken.add(tag);
  }
}

interface Position {
  readonly line: number;
  readonly character: number;
}

function endOf({ lines }: Text): Position {
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}
