import type { ChangeOptions, ChangeOrigin } from '../../../src/core/ports/files/change-origin.ts';
import type {
  FileEntry,
  FileStat,
  FileSystem,
  ReadOptions,
  WriteOptions,
} from '../../../src/core/ports/files/file-system.ts';
import { WrittenChanges } from '../../../src/core/review/files/written-changes.ts';
import { ReviewedFiles } from '../../../src/core/review/files/reviewed-files.ts';
import { Reviews } from '../../../src/core/review/service/reviews.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { open, temporaryFolder } from '../store/support.ts';

const origin: ChangeOrigin = {
  sessionId: 's',
  messageId: 'm',
  callId: 'c',
  tool: 't',
  how: 'write',
};

/** Every change is one of the agent's that is written at once. */
export async function agentFiles(): Promise<{
  readonly files: FileSystem;
  close(): Promise<void>;
}> {
  const folder = temporaryFolder();
  const store = await open(folder.path);
  const node = new NodeFileSystem();
  const clock = new FakeClock();
  const reviews = new Reviews({ values: store.values, files: node, clock, log: silentLog });
  await reviews.load();
  const reviewed = new ReviewedFiles(node, new WrittenChanges(reviews, clock));
  return {
    files: new AgentFiles(reviewed),
    close: async () => {
      await reviews.flush();
      reviews.dispose();
      await store.close();
      folder.remove();
    },
  };
}

class AgentFiles implements FileSystem {
  readonly #files: FileSystem;

  constructor(files: FileSystem) {
    this.#files = files;
  }

  read(file: string, maxBytes?: number, options?: ReadOptions): Promise<Uint8Array> {
    return this.#files.read(file, maxBytes, options);
  }

  readPart(
    file: string,
    offset: number,
    length: number,
    options?: ReadOptions,
  ): Promise<Uint8Array> {
    return this.#files.readPart(file, offset, length, options);
  }

  write(file: string, content: Uint8Array, options?: WriteOptions): Promise<void> {
    return this.#files.write(file, content, { ...options, origin });
  }

  stat(file: string): Promise<FileStat | undefined> {
    return this.#files.stat(file);
  }

  list(folder: string): Promise<readonly FileEntry[]> {
    return this.#files.list(folder);
  }

  realpath(file: string): Promise<string> {
    return this.#files.realpath(file);
  }

  delete(file: string, options?: ChangeOptions): Promise<void> {
    return this.#files.delete(file, { ...options, origin });
  }

  rename(from: string, to: string, options?: ChangeOptions): Promise<void> {
    return this.#files.rename(from, to, { ...options, origin });
  }
}
