import path from 'node:path';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';
import { systemFailure } from '../../../src/hosts/node/files/system-failure.ts';

/**
 * The files of the machine, of which one folder can be closed as `chmod 000` does it: for tests that run
 * as root, whom no mode keeps out.
 */
export class LockableFileSystem extends NodeFileSystem {
  locked: string | undefined;

  override async read(file: string, maxBytes?: number): Promise<Uint8Array> {
    this.#enter(file);
    return super.read(file, maxBytes);
  }

  override async readPart(file: string, offset: number, length: number): Promise<Uint8Array> {
    this.#enter(file);
    return super.readPart(file, offset, length);
  }

  override async write(...args: Parameters<NodeFileSystem['write']>): Promise<void> {
    this.#enter(args[0]);
    return super.write(...args);
  }

  override async stat(file: string): ReturnType<NodeFileSystem['stat']> {
    this.#enter(file);
    return super.stat(file);
  }

  override async list(folder: string): ReturnType<NodeFileSystem['list']> {
    this.#enter(path.join(folder, 'any'));
    return super.list(folder);
  }

  override async realpath(file: string): Promise<string> {
    this.#enter(file);
    return super.realpath(file);
  }

  override async delete(file: string): Promise<void> {
    this.#enter(file);
    return super.delete(file);
  }

  override async rename(from: string, to: string): Promise<void> {
    this.#enter(from);
    this.#enter(to);
    return super.rename(from, to);
  }

  /** What lies in the closed folder cannot be reached; the folder itself can be seen. */
  #enter(file: string): void {
    if (this.locked === undefined || !path.resolve(file).startsWith(this.locked + path.sep)) return;
    throw systemFailure(file, Object.assign(new Error('locked'), { code: 'EACCES' }));
  }
}
