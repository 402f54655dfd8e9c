import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { livenessOf, ownIdentity } from '../../../store/process-identity.ts';
import type { Liveness, ProcessIdentity } from '../../../store/process-identity.ts';

const OWNER_NAME = /^([\w-]+)\.owner$/u;

const HOUR = 3_600_000;
const SIGN_EVERY = HOUR;
const SILENT_AFTER = 24 * HOUR;

/** Writers of the folder by name; only a dead one's work may be taken or thrown away. */
export class Owners {
  readonly #folder: string;
  /** Of this process. */
  readonly name: string;
  #nextSign = performance.now() + SIGN_EVERY;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.name = name;
  }

  /** To be called before anything is written under the name. */
  async announce(): Promise<void> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const file = this.#fileOf(this.name);
    const beside = `${file}.tmp`;
    writeFileSync(beside, JSON.stringify(await ownIdentity()), { mode: 0o600 });
    // Not synced: what a lost disk cache takes away is of a process that is dead by then.
    renameSync(beside, file);
  }

  /** To be called now and then: on another machine or in another container nobody can look for the process. */
  async stillHere(): Promise<void> {
    const file = this.#fileOf(this.name);
    // Somebody has cleared the storage away.
    if (!existsSync(file)) return this.announce();
    if (performance.now() < this.#nextSign) return;
    this.#nextSign = performance.now() + SIGN_EVERY;
    const now = new Date();
    utimesSync(file, now, now);
  }

  leave(): void {
    rmSync(this.#fileOf(this.name), { force: true });
  }

  /** True for a name without a living process; one that never announced itself is gone. */
  async isGone(name: string): Promise<boolean> {
    return (await this.#livenessOf(name)) === 'dead';
  }

  /** Names under which others work that may still be alive. */
  async living(): Promise<ReadonlySet<string>> {
    const living = new Set<string>();
    for (const name of this.#names().filter((one) => one !== this.name)) {
      const liveness = await this.#livenessOf(name);
      if (liveness === 'alive' || (liveness === 'elsewhere' && !this.#isSilent(name)))
        living.add(name);
    }
    return living;
  }

  /** Forgets the dead. @param inUse names that something still belongs to */
  async forgetDead(inUse: ReadonlySet<string>): Promise<void> {
    for (const name of this.#names())
      if (name !== this.name && !inUse.has(name) && (await this.isGone(name)))
        rmSync(this.#fileOf(name), { force: true });
  }

  async #livenessOf(name: string): Promise<Liveness> {
    const identity = identityIn(this.#fileOf(name));
    return identity === undefined ? 'dead' : livenessOf(identity);
  }

  /** Gave no sign for so long that its objects need no more care; its journals stay its own. */
  #isSilent(name: string): boolean {
    const at = statSync(this.#fileOf(name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return Math.abs(Date.now() - at) > SILENT_AFTER;
  }

  #names(): string[] {
    return readdirSync(this.#folder).flatMap((file) => OWNER_NAME.exec(file)?.[1] ?? []);
  }

  #fileOf(name: string): string {
    return path.join(this.#folder, `${name}.owner`);
  }
}

function identityIn(file: string): ProcessIdentity | undefined {
  try {
    const { processId, birth, bootId } = JSON.parse(
      readFileSync(file, 'utf8'),
    ) as Partial<ProcessIdentity>;
    const isWhole =
      typeof processId === 'number' && typeof birth === 'string' && typeof bootId === 'string';
    return isWhole ? { processId, birth, bootId } : undefined;
  } catch {
    return undefined;
  }
}
