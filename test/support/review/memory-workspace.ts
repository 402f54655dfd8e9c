import { createHash } from 'node:crypto';
import type { ChangeOrigin } from '../../../src/core/ports/files/change-origin.ts';
import type { Log } from '../../../src/core/ports/log.ts';
import type {
  FileBefore,
  KeptContents,
  KeptFile,
} from '../../../src/core/ports/files/kept-contents.ts';
import { textContent } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { agentChanges } from '../../../src/core/review/files/agent-changes.ts';
import { ReviewedFiles } from '../../../src/core/review/files/reviewed-files.ts';
import { Reviews } from '../../../src/core/review/service/reviews.ts';
import { FakeClock } from '../fake-clock.ts';
import { MapValues } from '../map-values.ts';
import { MemoryFiles } from '../memory-files.ts';
import { silentLog } from '../memory-recorder.ts';

/** Contents kept in memory, by hash. */
export class KeptInMemory implements KeptContents {
  readonly #files: MemoryFiles;
  readonly #kept = new Map<string, Uint8Array>();

  constructor(files: MemoryFiles) {
    this.#files = files;
  }

  async keep(path: string, was?: FileBefore): Promise<KeptFile | undefined> {
    const bytes = was?.bytes ?? this.#files.contents.get(path);
    if (bytes === undefined) return undefined;
    const hash = createHash('sha256').update(bytes).digest('hex');
    this.#kept.set(hash, bytes);
    return { hash, bytes: bytes.length, mode: was?.mode ?? 0o644 };
  }

  async read({ hash }: KeptFile): Promise<Uint8Array> {
    const bytes = this.#kept.get(hash);
    if (bytes === undefined) throw new Error('Nothing is kept.');
    return bytes;
  }
}

/** Files in memory with pending changes: quick, for histories of a few steps. */
export class MemoryWorkspace {
  readonly files = new MemoryFiles();
  readonly values = new MapValues();
  readonly clock = new FakeClock();
  readonly kept = new KeptInMemory(this.files);
  log: Log = silentLog;
  reviews: Reviews;
  agent: ReviewedFiles;
  #opened = 0;

  constructor(files: Readonly<Record<string, string>> = {}) {
    for (const [path, text] of Object.entries(files)) this.files.put(path, text);
    [this.reviews, this.agent] = this.#open();
  }

  #open(): [Reviews, ReviewedFiles] {
    const { values, files, clock, kept, log } = this;
    const writer = `w${(this.#opened += 1)}`;
    const reviews = new Reviews({ values, writer, files, clock, kept, log });
    return [reviews, new ReviewedFiles(files, agentChanges(files, reviews, clock))];
  }

  async restart(): Promise<void> {
    await this.reviews.flush();
    await this.crash();
  }

  /** What was not stored yet is lost. */
  async crash(): Promise<void> {
    this.reviews.dispose();
    [this.reviews, this.agent] = this.#open();
    await this.reviews.load();
  }

  origin(how: ChangeOrigin['how']): ChangeOrigin {
    return { sessionId: 's', messageId: 'm', callId: 'c', tool: 'edit_file', how };
  }

  /** The agent writes over exactly what it sees. */
  async write(how: ChangeOrigin['how'], path: string, text: string): Promise<void> {
    const there = (await this.agent.stat(path)) !== undefined;
    const replaces = there ? await this.agent.read(path) : ('nothing' as const);
    const bytes = new TextEncoder().encode(text);
    await this.agent.write(path, bytes, { exact: true, replaces, origin: this.origin(how) });
  }

  delete(how: ChangeOrigin['how'], path: string): Promise<void> {
    return this.agent.delete(path, { origin: this.origin(how) });
  }

  rename(how: ChangeOrigin['how'], from: string, to: string): Promise<void> {
    return this.agent.rename(from, to, { origin: this.origin(how) });
  }

  /** The person types a line before another one, and saves. */
  async types(path: string, line: number, text: string): Promise<void> {
    const lines = (this.files.text(path) ?? '').split('\n').toSpliced(line, 0, text);
    this.files.put(path, lines.join('\n'));
    const at = { line, character: 0 };
    const changes = [{ start: at, end: at, text: `${text}\n` }];
    this.reviews.files.documentChanged(path, textContent(lines.join('\n')), {
      kind: 'typed',
      changes,
    });
  }

  /** Somebody else makes, changes or takes away files; the watcher tells it of each. */
  async outside(files: Readonly<Record<string, string | undefined>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) this.files.put(path, text);
    for (const path of Object.keys(files)) await this.reviews.files.fileChanged(path);
  }

  /** `/a: -old +new (what it says)`. */
  get pending(): readonly string[] {
    return this.reviews.pending.map((review) => {
      const { renamedFrom, path } = review;
      const name = renamedFrom === undefined ? path : `${renamedFrom} → ${path}`;
      const hunks = hunksOf(review).map(({ removed, added, editedByUser, changedOutside }) =>
        [
          ...removed.map((line) => `-${line}`),
          ...added.map((line) => `+${line}`),
          ...(editedByUser ? ['(edited)'] : []),
          ...(changedOutside ? ['(outside)'] : []),
        ].join(' '),
      );
      return `${name}: ${hunks.join('; ')}${review.fileMissing ? ' gone' : ''}`;
    });
  }
}
