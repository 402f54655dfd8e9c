/**
 * What the decisions say, told in another way than the review does: one list of lines, each of which
 * is in the document, in the baseline, or in both. Works only for lines of which no two are the same.
 */
export interface Cell {
  text: string;
  base: boolean;
  doc: boolean;
}

export interface Run {
  readonly from: number;
  readonly to: number;
}

interface Accepted {
  readonly old: string;
  readonly new: string;
}

export class Cells {
  cells: Cell[];
  accepted: Accepted[] = [];

  constructor(lines: readonly string[]) {
    this.cells = lines.map((text) => ({ text, base: true, doc: true }));
  }

  /** Of two texts of which no lines occur twice, common ones being in the same order. */
  static of(base: readonly string[], doc: readonly string[]): Cells {
    const cells = new Cells([]);
    const rest = [...doc];
    for (const text of base) {
      const at = rest.indexOf(text);
      if (at === -1) cells.cells.push({ text, base: true, doc: false });
      else
        for (const one of rest.splice(0, at + 1))
          cells.cells.push({ text: one, base: one === text, doc: true });
    }
    cells.cells.push(...rest.map((text) => ({ text, base: false, doc: true })));
    cells.#order();
    return cells;
  }

  copy(): Cells {
    const copy = new Cells([]);
    copy.cells = this.cells.map((cell) => ({ ...cell }));
    return copy;
  }

  get doc(): string[] {
    return this.cells.filter(({ doc }) => doc).map(({ text }) => text);
  }

  get base(): string[] {
    return this.cells.filter(({ base }) => base).map(({ text }) => text);
  }

  /** Cells between common lines, by index. */
  get runs(): Run[] {
    const runs: Run[] = [];
    let from = -1;
    for (const [index, { base, doc }] of [...this.cells, { base: true, doc: true }].entries()) {
      if (base && doc) {
        if (from !== -1) runs.push({ from, to: index });
        from = -1;
      } else if (from === -1) from = index;
    }
    return runs;
  }

  textsOf({ from, to }: Run): Accepted {
    const part = this.cells.slice(from, to);
    return {
      old: part
        .filter(({ base }) => base)
        .map(({ text }) => text)
        .join('\n'),
      new: part
        .filter(({ doc }) => doc)
        .map(({ text }) => text)
        .join('\n'),
    };
  }

  agent(at: number, count: number, lines: readonly string[]): void {
    const after = this.#behind(at);
    for (const cell of this.#docCells().slice(at, at + count)) {
      if (cell.base) cell.doc = false;
      else this.cells.splice(this.cells.indexOf(cell), 1);
    }
    const place = after === undefined ? 0 : this.cells.indexOf(after) + 1;
    this.cells.splice(place, 0, ...lines.map((text) => ({ text, base: false, doc: true })));
    this.#order();
  }

  insert(at: number, lines: readonly string[]): void {
    const after = this.#behind(at);
    const place = after === undefined ? 0 : this.cells.indexOf(after) + 1;
    this.cells.splice(place, 0, ...lines.map((text) => ({ text, base: true, doc: true })));
    this.#order();
  }

  remove(at: number, count: number): void {
    const gone = new Set(this.#docCells().slice(at, at + count));
    this.cells = this.cells.filter((cell) => !gone.has(cell));
    this.#order();
  }

  /** Whole lines become others. */
  replace(at: number, count: number, lines: readonly string[]): void {
    const cells = this.#docCells().slice(at, at + count);
    const [first] = cells;
    const [from, to] = [this.cells.indexOf(first!), this.cells.indexOf(cells.at(-1)!)];
    if (this.cells.slice(from, to + 1).every(({ base, doc }) => base && doc)) {
      this.cells.splice(from, count, ...lines.map((text) => ({ text, base: true, doc: true })));
      return;
    }
    this.insert(at, lines);
    this.remove(at + lines.length, count);
  }

  /**
   * The file under a proposal changed: lines of the baseline become others, in both. What the proposal
   * puts there stays, behind them.
   */
  rebase(from: number, to: number, lines: readonly string[]): void {
    const based = this.cells.filter(({ base }) => base);
    const place = this.cells.indexOf(based[from]!);
    const gone = new Set(based.slice(from, to));
    this.cells.splice(place, 0, ...lines.map((text) => ({ text, base: true, doc: true })));
    this.cells = this.cells.filter((cell) => !gone.has(cell));
    this.#order();
  }

  modify(at: number, text: string): void {
    this.#docCells()[at]!.text = text;
  }

  /** Whether nothing is pending among lines of the document. */
  isCommon(from: number, to: number): boolean {
    const cells = this.#docCells().slice(from, to);
    const [first, last] = [this.cells.indexOf(cells[0]!), this.cells.indexOf(cells.at(-1)!)];
    return this.cells.slice(first, last + 1).every(({ base, doc }) => base && doc);
  }

  accept(run: Run): void {
    this.accepted.push(this.textsOf(run));
    this.#accept(run);
  }

  reject(run: Run): void {
    const kept = this.cells
      .slice(run.from, run.to)
      .filter(({ base }) => base)
      .map((cell) => ({ ...cell, doc: true }));
    this.cells.splice(run.from, run.to - run.from, ...kept);
  }

  /** What was accepted since this state is accepted in it, too. */
  acceptAgain(accepted: readonly Accepted[]): void {
    for (const run of this.runs.toReversed()) {
      const texts = this.textsOf(run);
      if (accepted.some((one) => one.old === texts.old && one.new === texts.new)) this.#accept(run);
    }
  }

  #accept(run: Run): void {
    const kept = this.cells
      .slice(run.from, run.to)
      .filter(({ doc }) => doc)
      .map((cell) => ({ ...cell, base: true }));
    this.cells.splice(run.from, run.to - run.from, ...kept);
  }

  #docCells(): Cell[] {
    return this.cells.filter(({ doc }) => doc);
  }

  #behind(at: number): Cell | undefined {
    return this.#docCells()[at - 1];
  }

  /** Within a run: first what is only in the baseline. */
  #order(): void {
    for (const { from, to } of this.runs) {
      const part = this.cells.slice(from, to);
      const ordered = [...part.filter(({ base }) => base), ...part.filter(({ base }) => !base)];
      this.cells.splice(from, to - from, ...ordered);
    }
  }
}
