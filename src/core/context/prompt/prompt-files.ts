import { told, type Told } from '../../../domain/text/told.ts';
import { BelayError } from '../../../domain/failure.ts';
import type { FileEntry, FileSystem } from '../../ports/files/file-system.ts';
import { GuardedFiles } from '../../permissions/guarded-files.ts';
import type { PathGuard } from '../../permissions/path-guard.ts';
import { describePath } from '../../permissions/risks.ts';
import { pathBelow } from '../../../domain/paths.ts';
import { protectionOf } from '../../permissions/protected-paths.ts';
import { cleanText } from '../../../domain/text/honest-text.ts';

/** Text of a file for a prompt, or why there is none. */
export type PromptText =
  | { readonly text: string }
  /** In words that go into a sentence after a name; absent: there is no such file. */
  | { readonly refused?: Told };

export interface PromptFilesHost {
  readonly files: FileSystem;
  /** Workspace folders, absolute. */
  readonly roots: () => readonly string[];
  /** Why a file outside of them is refused. Absent: they are the workspace's. */
  readonly outside?: Told;
}

/**
 * The one door through which files get into a prompt without a call (security, rules 4 and 9): regular, in the
 * workspace, bounded, neither secret nor kept from the agent. Nobody is asked: what a tool would ask about is refused.
 */
export class PromptFiles {
  readonly #host: PromptFilesHost;
  readonly #guard: Pick<PathGuard, 'judge'>;
  readonly #judged: GuardedFiles;

  constructor(host: PromptFilesHost, guard: Pick<PathGuard, 'judge'>) {
    this.#host = host;
    this.#guard = guard;
    this.#judged = new GuardedFiles(host.files);
  }

  /** The reason why nothing of a file may stand in a prompt, as part of a sentence. */
  async keptOut(path: string): Promise<Told | undefined> {
    const judged = await this.#judge(path);
    return 'refused' in judged ? judged.refused : undefined;
  }

  /** @param maxBytes a longer file is refused */
  async read(path: string, maxBytes: number): Promise<PromptText> {
    try {
      if (await this.#isMissing(path)) return {};
      const judged = await this.#judge(path);
      if ('refused' in judged) return judged;
      const stat = await this.#host.files.stat(judged.real);
      if (stat === undefined) return {};
      if (stat.type !== 'file') return { refused: told`it is no regular file` };
      if (stat.size > maxBytes) return { refused: told`it has more than ${maxBytes} bytes` };
      const bytes = await this.#judged.read(judged.real, maxBytes);
      if (bytes.includes(0)) return { refused: told`it is no text` };
      return { text: cleanText(new TextDecoder().decode(bytes)) };
    } catch (error) {
      if (!(error instanceof BelayError)) throw error;
      return error.code === 'not_found' ? {} : { refused: told`it cannot be read` };
    }
  }

  /** The entries of a folder that may be looked into, sorted by name; none where there is none. @param most entries */
  async list(path: string, most: number): Promise<readonly FileEntry[]> {
    try {
      if (await this.#isMissing(path)) return [];
      const judged = await this.#judge(path);
      if ('refused' in judged) return [];
      const entries = await this.#judged.list(judged.real);
      return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1)).slice(0, most);
    } catch (error) {
      if (!(error instanceof BelayError)) throw error;
      return [];
    }
  }

  /**
   * Nothing is there to be judged, below the folders. Asked first: most places that are looked at for each request are
   * empty, and a judgement looks at a dozen paths (by a trace, 300 of the 390 looks at the disk behind a message).
   */
  async #isMissing(path: string): Promise<boolean> {
    const { files, roots } = this.#host;
    if (!roots().some((root) => pathBelow(root, path) !== undefined)) return false;
    return (await files.stat(path)) === undefined;
  }

  async #judge(path: string): Promise<{ readonly real: string } | { readonly refused: Told }> {
    const judged = await this.#guard.judge({ path, access: 'read' }, this.#host.roots());
    const { place, real } = judged;
    if (place === 'outside')
      return { refused: this.#host.outside ?? told`it leads out of the workspace` };
    if (place !== 'inside') return { refused: describePath(judged) };
    if (protectionOf(real) === 'forbidden') return { refused: told`it belongs to the repository` };
    return { real };
  }
}
