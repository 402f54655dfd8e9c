import type { JsonObject } from '../../../../domain/data/json.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log.ts';
import type {
  FolderChanges,
  LeafRecord,
  WorkspaceSnapshots,
} from '../../../ports/files/workspace-snapshots.ts';
import { placeKey } from '../../../background/interval-changes.ts';
import { resolvePath } from '../../../../domain/paths.ts';
import { Turn } from '../../../../domain/lifetime/steps.ts';
import type { Tool, ToolContext } from '../../../tool-call/tool-call.ts';
import { type Attribution, type Content, ABSENT, sameContent } from '../../model/file-review.ts';
import type { Reviews } from '../reviews.ts';

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

/** A moment from which on it is asked who changed what. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Of `PersonEdits`. */
  readonly touches: number;
}

/** The commands that ran in the background while something changed, and the call that began them. */
export interface DuringCommand extends Pick<Attribution, 'sessionId' | 'messageId' | 'callId'> {
  readonly line: string;
}

/**
 * Makes changes of commands, and of tools that nobody knows from inside, pending, as far as nobody else can have made
 * them.
 */
export class CommandChanges {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Before a call: gives what is to be called with what it changed. */
  begin(call: CommandCall): (folders: readonly FolderChanges[]) => Promise<void> {
    const { clock } = this.#parts;
    const moment = this.moment();
    return async (folders) => this.#listAll(folders, attributionOf(call, clock.now()), moment);
  }

  /** Now, or a time in milliseconds since the epoch of which this window knows nothing else. */
  moment(at = this.#parts.clock.now()): Moment {
    return { at, touches: this.#parts.reviews.files.personEdits.now };
  }

  /** Without what the person typed in or saved since. */
  notPersons(folders: readonly FolderChanges[], { touches }: Moment): readonly FolderChanges[] {
    const { personEdits } = this.#parts.reviews.files;
    return folders.map(({ root, changes }) => ({
      root,
      changes: changes.filter(({ path }) => !personEdits.since(resolvePath(root, path), touches)),
    }));
  }

  /**
   * Makes changes pending that happened while commands ran in the background.
   * @param isKnown true when the record of a path, a key of its folder and itself, is the last that an agent did there
   */
  async changedDuring(
    folders: readonly FolderChanges[],
    { line, ...call }: DuringCommand,
    moment: Moment,
    isKnown: (place: string) => boolean,
  ): Promise<void> {
    const { clock } = this.#parts;
    const by: Attribution = {
      by: 'command',
      ...call,
      tool: shownLine(line),
      why: '',
      at: clock.now(),
      during: true,
    };
    await this.#listAll(folders, by, moment, isKnown);
  }

  async #listAll(
    folders: readonly FolderChanges[],
    by: Attribution,
    { touches, at }: Moment,
    isKnown: (place: string) => boolean = () => false,
  ): Promise<void> {
    const { reviews } = this.#parts;
    const left: string[] = [];
    let count = 0;
    const turn = new Turn();
    for (const { root, changes } of folders) {
      for (const change of changes) {
        await turn.pass();
        const path = resolvePath(root, change.path);
        if (reviews.files.personEdits.since(path, touches)) continue;
        if (!isKnown(placeKey(root, change.path)) && this.#isAnother(path, at)) continue;
        // One file's failure is nothing to the others.
        const listed =
          count < MOST_FILES &&
          (await this.#list(path, change, by).catch((thrown: unknown) => this.#warn(path, thrown)));
        if (listed) count += 1;
        else left.push(path);
      }
    }
    if (left.length === 0) return;
    const { sessionId, messageId, callId, tool, during } = by;
    reviews.records.unlisted.add({
      sessionId,
      messageId,
      callId,
      tool,
      ...(during === undefined ? {} : { during }),
      paths: left.slice(0, MOST_FILES),
      total: left.length,
    });
  }

  #warn(path: string, thrown: unknown): false {
    this.#parts.log.warn('What a command changed in a file could not be made pending.', {
      path,
      reason: String(thrown),
    });
    return false;
  }

  /** Another agent wrote the file in the meantime: that is pending already. */
  #isAnother(path: string, since: number): boolean {
    const review = this.#parts.reviews.find(path);
    if (review === undefined) return false;
    const authors = [...review.wholeFileBy, ...review.marks.map(({ by }) => by)];
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
    await reviews.files.inTurn(path, async () => {
      if (reviews.find(path) !== undefined) return;
      await reviews.agent.edits(path, { before: was, after: is, kept }, by);
      await reviews.files.fileChanged(path);
    });
    return true;
  }

  async #contentOf(path: string, record: LeafRecord): Promise<Content | undefined> {
    if (record.kind === 'absent') return ABSENT;
    if (record.kind === 'link' || record.size > LARGEST) return undefined;
    const { reviews, snapshots } = this.#parts;
    const leaf = await snapshots.contentOf(record);
    return leaf.kind === 'file'
      ? (await reviews.files.disk.bytes.read(path, leaf.bytes)).content
      : undefined;
  }
}

function attributionOf({ tool, input, context }: CommandCall, at: number): Attribution {
  const { sessionId, messageId = '', callId, roots } = context;
  const line = tool.commands?.(input, roots)[0]?.command ?? tool.name;
  return { by: 'command', sessionId, messageId, callId, tool: shownLine(line), why: '', at };
}

function shownLine(line: string): string {
  return line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line;
}
