import { type FileChange, type Hunk, type HunkLine, PatchProblem } from './patch.ts';
import { dropEmptyEnd } from './empty-end.ts';

/** Reads the lines of `*** Begin Patch` … `*** End Patch` from `start` on. */
export function readPatchFormat(lines: readonly string[], start: number): readonly FileChange[] {
  const reader = new PatchReader(lines, start);
  const changes: FileChange[] = [];
  for (let change = reader.change(); change !== undefined; change = reader.change())
    changes.push(change);
  return changes;
}

class PatchReader {
  readonly #lines: readonly string[];
  #at: number;

  constructor(lines: readonly string[], start: number) {
    this.#lines = lines;
    this.#at = start;
  }

  /** The next file; `undefined`: the patch ends. */
  change(): FileChange | undefined {
    while (this.#line?.trim() === '') this.#at += 1;
    const line = this.#line;
    if (line === undefined || line.trim() === '*** End Patch') return undefined;
    const [, action, path] = /^\*\*\* (Add|Update|Delete) File: (.+)$/u.exec(line.trimEnd()) ?? [];
    if (action === undefined || path === undefined) {
      throw this.#problem(
        'expects a line like "*** Update File: src/a.ts", "*** Add File: …" or "*** Delete File: …"',
      );
    }
    this.#at += 1;
    switch (action) {
      case 'Add':
        return { kind: 'add', path: path.trim(), text: this.#added() };
      case 'Delete':
        return { kind: 'delete', path: path.trim() };
      default:
        return this.#update(path.trim());
    }
  }

  get #line(): string | undefined {
    return this.#lines[this.#at];
  }

  #problem(problem: string): PatchProblem {
    return new PatchProblem(problem, this.#at + 1);
  }

  #added(): string {
    const added: string[] = [];
    for (; this.#line !== undefined && !isSection(this.#line); this.#at += 1) {
      if (this.#line.startsWith('+')) added.push(this.#line.slice(1));
      else if (this.#line.trim() !== '')
        throw this.#problem('must have a + before each line of a new file');
      // An empty line without its + belongs to the file when more of it follows.
      else if (this.#restHasAdded()) added.push('');
    }
    return added.map((line) => `${line}\n`).join('');
  }

  #restHasAdded(): boolean {
    for (let at = this.#at; at < this.#lines.length; at += 1) {
      const line = this.#lines[at] ?? '';
      if (isSection(line)) return false;
      if (line.startsWith('+')) return true;
    }
    return false;
  }

  #update(path: string): FileChange {
    const [, moveTo] = /^\*\*\* Move to: (.+)$/u.exec(this.#line?.trimEnd() ?? '') ?? [];
    if (moveTo !== undefined) this.#at += 1;
    const hunks: Hunk[] = [];
    while (this.#line !== undefined && !isSection(this.#line)) {
      const hunk = this.#hunk();
      if (hunk !== undefined) hunks.push(hunk);
    }
    if (hunks.length === 0 && moveTo === undefined) throw this.#problem(`has no hunk for ${path}`);
    return {
      kind: 'update',
      path,
      hunks,
      ...(moveTo === undefined ? {} : { moveTo: moveTo.trim() }),
    };
  }

  #hunk(): Hunk | undefined {
    const headers: string[] = [];
    for (; this.#line?.startsWith('@@') === true; this.#at += 1) {
      const header = this.#line
        .slice(2)
        .replace(/@@\s*$/u, '')
        .trim();
      // Line numbers, as in a unified diff, are not trusted here: context decides.
      const named = header.replace(/^-\d+(?:,\d+)? \+\d+(?:,\d+)?(?: @@)?/u, '').trim();
      if (named !== '') headers.push(named);
    }
    const lines: HunkLine[] = [];
    let atEnd = false;
    for (; this.#line !== undefined && !isSection(this.#line); this.#at += 1) {
      if (this.#line.startsWith('@@')) break;
      if (this.#line.trim() === '*** End of File') {
        atEnd = true;
        this.#at += 1;
        break;
      }
      lines.push(this.#hunkLine(this.#line));
    }
    dropEmptyEnd(lines, this.#lines.slice(0, this.#at - (atEnd ? 1 : 0)));
    if (!lines.some(({ mark }) => mark !== ' ')) {
      if (lines.length === 0 && headers.length === 0) return undefined;
      throw this.#problem('has a hunk without a line that begins with + or -');
    }
    return { headers, lines, ...(atEnd ? { atEnd } : {}) };
  }

  #hunkLine(line: string): HunkLine {
    const mark = line[0];
    if (mark === undefined) return { mark: ' ', text: '' };
    if (mark === '+' || mark === '-' || mark === ' ') return { mark, text: line.slice(1) };
    throw this.#problem(
      'has a line of a hunk that begins neither with a blank (it stays), nor with - (it goes) or + (it comes)',
    );
  }
}

function isSection(line: string): boolean {
  return /^\*\*\* (?:End Patch\s*$|(?:Add|Update|Delete) File: )/u.test(line);
}
