import { fault } from '../../../domain/failure.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { Listeners } from '../../../domain/lifetime/listeners.ts';
import { told } from '../../../domain/text/told.ts';
import { type Leases, WORKSPACE_LEASE } from '../../ports/store/leases.ts';

/**
 * One process decides about the pending changes of a workspace: the first window on it, until that is closed or another
 * one takes over. Agents of any process add their edits.
 */
export class WorkspaceOwner {
  readonly #leases: Pick<Leases, 'claim' | 'release'> | undefined;
  readonly #signal = new Listeners();
  #isElsewhere = false;

  /** @param leases absent: there is no other process */
  constructor(leases: Pick<Leases, 'claim' | 'release'> | undefined) {
    this.#leases = leases;
  }

  /** Another living process decides, as far as was known at the last look. */
  get isElsewhere(): boolean {
    return this.#isElsewhere;
  }

  /** Takes the decisions over where no living process has them. */
  async look(): Promise<void> {
    await this.#claim(false);
  }

  /** Takes the decisions over from whatever process has them. */
  async takeOver(): Promise<void> {
    await this.#claim(true);
  }

  /** @throws BelayError `busy` when another living process decides */
  async refuseElsewhere(): Promise<void> {
    await this.look();
    if (this.#isElsewhere)
      throw fault(
        'busy',
        told`Another window decides about the pending changes of this workspace. Nothing was done here. Decide there, or take over to decide here.`,
      );
  }

  onChange(listener: () => void): Disposable {
    return this.#signal.listen(listener);
  }

  async dispose(): Promise<void> {
    this.#signal.dispose();
    if (!this.#isElsewhere) await this.#leases?.release(WORKSPACE_LEASE);
  }

  async #claim(force: boolean): Promise<void> {
    const owned = (await this.#leases?.claim(WORKSPACE_LEASE, force))?.owned ?? true;
    if (owned !== this.#isElsewhere) return;
    this.#isElsewhere = !owned;
    this.#signal.fire();
  }
}
