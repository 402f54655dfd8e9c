import { randomBytes } from 'node:crypto';
import { lstatSync } from 'node:fs';
import {
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  unlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';

/** Names of the files that are written beside the ones they replace. */
const TEMPORARY = /^\.belay-[0-9a-f]{16}\.tmp$/u;

/** Bytes of a note; it is one path. */
const LONGEST_NOTE = 16_384;

/** Notes files being written beside those they replace; the next start removes what a kill left. */
export class UnfinishedWrites {
  readonly #folder: string;

  /** @param folder one of Belay's own; made when it is missing */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A name for a file that is about to be written. */
  static temporaryName(): string {
    return `.belay-${randomBytes(8).toString('hex')}.tmp`;
  }

  /** Notes a file before it is made; gives what takes the note back. Never rejects. */
  async begin(file: string): Promise<() => Promise<void>> {
    const note = path.join(this.#folder, `${process.pid}-${randomBytes(6).toString('hex')}`);
    try {
      await writeFile(note, file, { mode: 0o600, flag: 'wx' }).catch(async () => {
        await this.#makeFolder();
        await writeFile(note, file, { mode: 0o600, flag: 'wx' });
      });
    } catch {
      // Without the note a kill at this moment leaves the file where it is; the write itself goes on.
    }
    return async () => rm(note, { force: true }).catch(() => undefined);
  }

  /** Removes what processes that are gone left behind; gives the paths. Never rejects. */
  async clean(): Promise<readonly string[]> {
    const removed: string[] = [];
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const note = path.join(this.#folder, name);
      if (isAlive(Number(name.split('-')[0]))) continue;
      const file = await noteIn(note);
      if (file !== undefined && (await removeTemporary(file))) removed.push(file);
      await rm(note, { recursive: true, force: true }).catch(() => undefined);
    }
    return removed;
  }

  async #makeFolder(): Promise<void> {
    const present = lstatSync(this.#folder, { throwIfNoEntry: false });
    if (present !== undefined && !present.isDirectory())
      await rename(this.#folder, `${this.#folder}.found-${Date.now()}`);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }
}

/** The path in a note; a pipe or a big file in its place is none. */
async function noteIn(note: string): Promise<string | undefined> {
  try {
    const present = lstatSync(note);
    if (!present.isFile() || present.size > LONGEST_NOTE) return undefined;
    return await readFile(note, 'utf8');
  } catch {
    return undefined;
  }
}

/** Only a regular file of such a name, in a folder that is still where it was. */
async function removeTemporary(file: string): Promise<boolean> {
  try {
    if (!path.isAbsolute(file) || !TEMPORARY.test(path.basename(file))) return false;
    const folder = path.dirname(file);
    if ((await realpath(folder)) !== folder || !lstatSync(file).isFile()) return false;
    await unlink(file);
    return true;
  } catch {
    return false; // it is gone
  }
}

function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0 || processId === process.pid) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
