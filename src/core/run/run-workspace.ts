import { type BelayError, fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { decide, goOn } from '../policies/decisions.ts';
import type { Policy } from '../policy.ts';
import type { PinFolder, PinnedFolder } from '../ports/files/pinned-folder.ts';

/** The folders that a run began in. When one is no longer in its place, nothing is done there and the run ends. */
export class RunWorkspace {
  /** Ends the run after a refused call. */
  readonly policy: Policy<null> = {
    name: 'workspace',
    init: () => null,
    after: (_view, state) =>
      this.#refusal === undefined
        ? goOn(state)
        : decide({ kind: 'stop', reason: 'failure', failure: this.#refusal.failure }, state),
  };
  readonly #folders: readonly PinnedFolder[];
  #refusal: BelayError | undefined;

  private constructor(folders: readonly PinnedFolder[]) {
    this.#folders = folders;
  }

  static async pin(roots: readonly string[], pin: PinFolder): Promise<RunWorkspace> {
    return new RunWorkspace(await Promise.all(roots.map(async (root) => pin(root))));
  }

  /**
   * Rejects with `tool` when a folder that contains one of the paths is not the one that the run began in. Without a
   * path in any of them, all folders are checked.
   */
  async refuseReplaced(paths: readonly string[]): Promise<void> {
    const concerned = this.#folders.filter(({ path: root }) =>
      paths.some((path) => path === root || (path.startsWith(root) && isBelow(path, root))),
    );
    for (const folder of concerned.length > 0 ? concerned : this.#folders) {
      if (this.#refusal !== undefined) break;
      if (await folder.isInPlace()) continue;
      this.#refusal = fault(
        'tool',
        told`The workspace folder ${folder.path} was moved, deleted or replaced while the run was working. Nothing was written there. Put the folder back or open the right one, then send a message to go on.`,
      );
    }
    if (this.#refusal !== undefined) throw this.#refusal;
  }

  release(): void {
    for (const folder of this.#folders) folder.release();
  }
}

/** True when a path that starts with the root's goes on with another name. */
const isBelow = (path: string, root: string): boolean =>
  /^[/\\]/u.test(path.slice(root.length)) || /[/\\]$/u.test(root);
