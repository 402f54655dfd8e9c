import type { Clock } from '../../ports/clock.ts';
import type { ChangeOrigin } from '../../ports/files/change-origin.ts';
import type { KeptFile } from '../../ports/files/kept-contents.ts';
import { ABSENT } from '../model/file-review.ts';
import type { Attribution, Content } from '../model/file-review.ts';
import type { Reviews } from '../service/reviews.ts';

/** A change of one file. */
export interface FileChange {
  readonly path: string;
  readonly before: Content;
  readonly after: Content;
}

export interface FileMove {
  readonly from: string;
  readonly to: string;
}

/** How each change that was made pending is taken back, in the order in which they were made. */
type TakenBack = (() => Promise<void>)[];

/** Makes a change pending. */
type Step = (taken: TakenBack) => Promise<void>;

/**
 * Makes changes of files pending before they reach the disk, so that each can be undone even after a crash. Changes that
 * could not be carried out are no longer pending.
 */
export class WrittenChanges {
  readonly reviews: Reviews;
  readonly #clock: Clock;

  constructor(reviews: Reviews, clock: Clock) {
    this.reviews = reviews;
    this.#clock = clock;
  }

  /** Writes a file. What the user approved counts as kept. */
  async write(
    change: FileChange,
    origin: ChangeOrigin,
    carryOut: () => Promise<void>,
  ): Promise<void> {
    if (origin.how !== 'accepted')
      return this.change([() => Promise.resolve(change)], origin, carryOut);
    await carryOut();
    await this.reviews.files.fileChanged(change.path);
  }

  /** @param changes read one after the other, each when it is made pending */
  async change<Result>(
    changes: readonly (() => Promise<FileChange>)[],
    origin: ChangeOrigin,
    carryOut: () => Promise<Result>,
  ): Promise<Result> {
    const by = this.#attribute(origin);
    const steps = changes.map(
      (read) => async (taken: TakenBack) => this.#changeOne(await read(), by, taken),
    );
    return takeSteps(steps, carryOut);
  }

  async move(
    moves: readonly FileMove[],
    origin: ChangeOrigin,
    carryOut: () => Promise<void>,
  ): Promise<void> {
    const by = this.#attribute(origin);
    const steps = moves.map((move) => (taken: TakenBack) => this.#moveOne(move, by, taken));
    return takeSteps(steps, carryOut);
  }

  #attribute({ sessionId, messageId, callId, tool }: ChangeOrigin): Attribution {
    return { by: 'agent', sessionId, messageId, callId, tool, why: '', at: this.#clock.now() };
  }

  async #changeOne(change: FileChange, by: Attribution, taken: TakenBack): Promise<void> {
    const { agent } = this.reviews;
    const { path, before, after } = change;
    const kept = await this.#keep(change);
    await agent.edits(path, { before, after, kept }, by);
    taken.push(() => agent.failed(path, { path, content: before }, after, by));
  }

  async #moveOne({ from, to }: FileMove, by: Attribution, taken: TakenBack): Promise<void> {
    const { agent, files } = this.reviews;
    const { content } = await files.disk.now(from);
    if (this.reviews.find(to) === undefined) {
      await agent.renames(from, { path: to, content }, by);
      taken.push(() => agent.failed(to, { path: from, content }, content, by));
      return;
    }
    // The deletion of another file is pending under the new name: it stays pending, and this is the file's new text.
    await this.#changeOne({ path: to, before: ABSENT, after: content }, by, taken);
    await this.#changeOne({ path: from, before: content, after: ABSENT }, by, taken);
  }

  /** Keeps the bytes of the file before the change, unless its lines tell everything. */
  async #keep({ path, before, after }: FileChange): Promise<KeptFile | undefined> {
    const isOfLines = before.kind === 'text' && after.kind === 'text';
    return before.kind === 'absent' || isOfLines
      ? undefined
      : this.reviews.files.disk.kept.keep(path);
  }
}

/** Takes the steps and carries them out; when that fails, takes all of them back. */
async function takeSteps<Result>(
  steps: readonly Step[],
  carryOut: () => Promise<Result>,
): Promise<Result> {
  const taken: TakenBack = [];
  try {
    for (const step of steps) await step(taken);
    return await carryOut();
  } catch (thrown) {
    for (const takeBack of taken.toReversed()) await takeBack();
    throw thrown;
  }
}
