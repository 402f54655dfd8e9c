/** What one job of several that run side by side prints: kept together under its name. */
export interface Section {
  /** Takes text as it comes; it is passed on line by line. */
  readonly write: (text: string) => void;
  /** Ends the section. What it still held back is printed. */
  readonly close: () => void;
}

interface Open {
  readonly name: string;
  /** Whole lines that nobody has seen yet. */
  held: string;
  /** The beginning of a line. */
  rest: string;
  begun: boolean;
}

/**
 * The output of jobs that run side by side. The oldest of them is live: what it prints is seen at once. What the others
 * print is held back until they end, or are the oldest, and then comes in one piece.
 */
export class Sections {
  private readonly print: (text: string) => void;
  /** Oldest first. */
  private readonly open = new Set<Open>();
  private last: Open | undefined;

  constructor(print: (text: string) => void = (text) => void process.stdout.write(text)) {
    this.print = print;
  }

  /** Begins a section. Its headline is printed with what it prints first, at once when no other one is open. */
  begin(name: string): Section {
    const section: Open = { name, held: '', rest: '', begun: false };
    this.open.add(section);
    if (this.isLive(section)) this.show(section);
    return {
      write: (text) => this.take(section, text),
      close: () => this.end(section),
    };
  }

  /** Prints everything that is held back: when the whole run is ended early. */
  flush(): void {
    for (const section of this.open) this.finish(section);
  }

  private take(section: Open, text: string): void {
    const all = section.rest + text;
    const end = all.lastIndexOf('\n') + 1;
    section.held += all.slice(0, end);
    section.rest = all.slice(end);
    if (section.held !== '' && this.isLive(section)) this.show(section);
  }

  private end(section: Open): void {
    if (!this.open.has(section)) return;
    this.finish(section);
    this.open.delete(section);
    const [oldest] = this.open;
    if (oldest !== undefined && oldest.held !== '') this.show(oldest);
  }

  private finish(section: Open): void {
    if (section.rest !== '') section.held += `${section.rest}\n`;
    section.rest = '';
    if (section.held !== '' || !section.begun) this.show(section);
  }

  private isLive(section: Open): boolean {
    const [oldest] = this.open;
    return section === oldest;
  }

  private show(section: Open): void {
    if (this.last !== section)
      this.print(`\n▶ ${section.name}${section.begun ? ', continued' : ''}\n`);
    section.begun = true;
    this.last = section;
    if (section.held !== '') this.print(section.held);
    section.held = '';
  }
}
