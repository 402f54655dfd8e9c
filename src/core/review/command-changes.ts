import type { JsonObject } from '../../domain/json.ts';
import type { Clock, Log } from '../ports.ts';
import type {
  FolderChanges,
  LeafRecord,
  WorkspaceSnapshots,
} from '../ports/workspace-snapshots.ts';
import { resolvePath } from '../permissions/paths.ts';
import type { Tool, ToolContext } from '../tool-call/tool-call.ts';
import { ABSENT, sameContent } from './file-review.ts';
import type { Attribution, Content } from './file-review.ts';
import type { Reviews } from './reviews.ts';

/** Files of one command that are reviewed one by one; more are a migration. */
const MOST_FILES = 200;
/** Bytes of a file beyond which it is generated or data. */
const LARGEST = 1024 * 1024;
/** Characters of a command line. */
const LONGEST = 300;

interface Parts {
  readonly reviews: Reviews;
  readonly snapshots: Pick<WorkspaceSnapshots, 'contentOf'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Whose call it was that changed files. */
export interface CommandCall {
  readonly tool: Tool;
  readonly input: JsonObject;
  readonly context: ToolContext;
}

/**
 * What commands, and tools that nobody knows from inside, changed in the workspace becomes pending, as
 * far as nobody else can have done it.
 */
export class CommandChanges {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Before a call: gives what is to be called with what it changed. */
  begin(call: CommandCall): (folders: readonly FolderChanges[]) => Promise<void> {
    const { reviews, clock } = this.#parts;
    const at = clock.now();
    const touches = reviews.personEdits.now;
    return async (folders) => {
      const by = attributionOf(call, clock.now());
      const left: string[] = [];
      let count = 0;
      for (const { root, changes } of folders) {
        for (const change of changes) {
          const path = resolvePath(root, change.path);
          if (reviews.personEdits.since(path, touches) || this.#isAnother(path, at)) continue;
          // What becomes of one file is nothing to the others.
          const listed =
            count < MOST_FILES &&
            (await this.#list(path, change, by).catch((thrown: unknown) =>
              this.#warn(path, thrown),
            ));
          if (listed) count += 1;
          else left.push(path);
        }
      }
      if (left.length === 0) return;
      const { sessionId, messageId, callId, tool } = by;
      reviews.unlisted.add({
        sessionId,
        messageId,
        callId,
        tool,
        paths: left.slice(0, MOST_FILES),
        total: left.length,
      });
    };
  }

  #warn(path: string, thrown: unknown): false {
    const message = 'What a command changed in a file could not be made pending.';
    this.#parts.log.warn(message, { path, reason: String(thrown) });
    return false;
  }

  /** Another agent wrote the file in the meantime: that is pending already. */
  #isAnother(path: string, since: number): boolean {
    const review = this.#parts.reviews.find('written', path);
    if (review === undefined) return false;
    const authors = [...review.whole, ...review.marks.map(({ by }) => by)];
    return authors.some((by) => typeof by === 'object' && by.by === 'agent' && by.at >= since);
  }

  /** @returns whether it can be reviewed; what somebody changed since is theirs, and none of this */
  async #list(
    path: string,
    { before, after }: { readonly before: LeafRecord; readonly after: LeafRecord },
    by: Attribution,
  ): Promise<boolean> {
    const { reviews } = this.#parts;
    const contents = [await this.#contentOf(path, before), await this.#contentOf(path, after)];
    const [was, is] = contents;
    if (was === undefined || is === undefined) return false;
    // Only its mode is another one.
    if (sameContent(was, is)) return true;
    const kept =
      before.kind === 'file'
        ? { hash: before.hash, bytes: before.size, mode: before.mode }
        : undefined;
    await reviews.inTurn(path, async () =>
      reviews.commandChanged(path, { before: was, after: is, kept }, by),
    );
    return true;
  }

  async #contentOf(path: string, record: LeafRecord): Promise<Content | undefined> {
    if (record.kind === 'absent') return ABSENT;
    if (record.kind === 'link' || record.size > LARGEST) return undefined;
    const { reviews, snapshots } = this.#parts;
    const leaf = await snapshots.contentOf(record);
    return leaf.kind === 'file' ? (await reviews.disk.read(path, leaf.bytes)).content : undefined;
  }
}

/** Which files the person typed in or saved, and when: counted, because clocks jump. */
export class PersonEdits {
  readonly #last = new Map<string, number>();
  #count = 0;

  get now(): number {
    return this.#count;
  }

  touched(path: string): void {
    this.#count += 1;
    this.#last.delete(path);
    this.#last.set(path, this.#count);
    const [oldest] = this.#last.keys();
    if (this.#last.size > 5000 && oldest !== undefined) this.#last.delete(oldest);
  }

  since(path: string, moment: number): boolean {
    return (this.#last.get(path) ?? 0) > moment;
  }
}

function attributionOf({ tool, input, context }: CommandCall, at: number): Attribution {
  const { sessionId, messageId = '', callId, roots } = context;
  const line = tool.commands?.(input, roots)[0]?.command ?? tool.name;
  const shown = line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line;
  return { by: 'command', sessionId, messageId, callId, tool: shown, why: '', at };
}
