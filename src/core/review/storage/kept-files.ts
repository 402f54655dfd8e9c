import { BelayError } from '../../../domain/failure.ts';
import type { FileBefore, KeptContents, KeptFile } from '../../ports/files/kept-contents.ts';

/** Files as they were before they were changed; where nothing keeps them there are none. */
export class KeptFiles {
  readonly #contents: KeptContents | undefined;

  constructor(contents: KeptContents | undefined) {
    this.#contents = contents;
  }

  /** Keeps what is on disk now, or was; `undefined`: it cannot be kept. */
  async keep(path: string, was?: FileBefore): Promise<KeptFile | undefined> {
    return this.#contents?.keep(path, was);
  }

  /** The bytes that were kept; `undefined`: they are not there any more. */
  async bytes(kept: KeptFile): Promise<Uint8Array | undefined> {
    return this.#contents?.read(kept).catch((thrown: unknown) => {
      if (thrown instanceof BelayError && thrown.code === 'not_found') return undefined;
      throw thrown;
    });
  }
}
