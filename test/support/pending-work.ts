import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Clock } from '../../src/core/ports/clock.ts';
import { ABSENT, textContent } from '../../src/core/review/model/file-review.ts';
import type { Attribution, Content } from '../../src/core/review/model/file-review.ts';
import { Reviews } from '../../src/core/review/service/reviews.ts';
import { NodeFileSystem } from '../../src/hosts/node/files/file-system.ts';
import { MapValues } from './map-values.ts';
import { silentLog } from './memory-recorder.ts';

const folders = new Set<string>();

// Pages in a browser end with their process.
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder with files that an agent changes, and the pending changes of it. */
export class PendingWork implements Disposable {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'belay-pending-'));
  readonly values = new MapValues();
  readonly reviews: Reviews;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
    folders.add(this.folder);
    const files = new NodeFileSystem();
    this.reviews = new Reviews({ values: this.values, files, clock, log: silentLog });
  }

  at(name: string): string {
    return path.join(this.folder, name);
  }

  /** The text in a file; `undefined`: it is not there. */
  text(name: string): string | undefined {
    try {
      return readFileSync(this.at(name), 'utf8');
    } catch {
      return undefined;
    }
  }

  write(name: string, text: string): void {
    mkdirSync(path.dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), text);
  }

  by(more: Partial<Attribution> = {}): Attribution {
    return {
      by: 'agent',
      sessionId: 'one',
      messageId: 'request',
      callId: 'call',
      tool: 'edit_file',
      why: '',
      at: this.#clock.now(),
      ...more,
    };
  }

  /** The agent changes a file; `null`: it is not there. */
  async edit(
    name: string,
    texts: readonly [before: string | null, after: string | null],
    more: Partial<Attribution> = {},
  ): Promise<void> {
    const [before, after] = texts;
    const place = this.at(name);
    if (before !== null) this.write(name, before);
    const contents = { before: contentOf(before), after: contentOf(after) };
    await this.reviews.agent.edits(place, contents, this.by(more));
    if (after === null) rmSync(place);
    else this.write(name, after);
  }

  /** Another edit of a file that has pending changes already. */
  async again(name: string, after: string, more: Partial<Attribution> = {}) {
    const before = this.reviews.find(this.at(name))?.document ?? ABSENT;
    const contents = { before, after: textContent(after) };
    await this.reviews.agent.edits(this.at(name), contents, this.by(more));
    this.write(name, after);
  }

  [Symbol.dispose](): void {
    this.reviews.dispose();
    rmSync(this.folder, { recursive: true, force: true });
    folders.delete(this.folder);
  }
}

function contentOf(text: string | null): Content {
  return text === null ? ABSENT : textContent(text);
}
