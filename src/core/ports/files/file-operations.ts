import type { ChangeOptions } from './change-origin.ts';

/** Changes of whole files and folders: a link itself, not its target; nothing is replaced. */
export interface FileOperations {
  /** `undefined`: nothing has this name. */
  lookUp(path: string): Promise<NamedEntry | undefined>;
  /** Makes it with its parents; gives what was made, outermost first. */
  createFolder(path: string, options?: OperationOptions): Promise<readonly string[]>;
  /** Takes away a folder with nothing in it; one that is gone, or holds something, is no problem. */
  removeEmptyFolder(path: string): Promise<void>;
  /** The folder it goes to must be there. A change of case alone works where the system minds no case. */
  rename(from: string, to: string, options?: OperationOptions): Promise<void>;
  /** With all that is in it. What was copied of it is removed again when it fails or the signal fires. */
  copy(from: string, to: string, signal: AbortSignal, options?: OperationOptions): Promise<void>;
  /** Takes it away so that it can be brought back; gives where it is now. */
  remove(path: string, options?: OperationOptions): Promise<Removed>;
}

export interface OperationOptions extends ChangeOptions {
  /** Told what else there is to know of it: sentences. */
  readonly note?: (sentence: string) => void;
}

export interface NamedEntry {
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
  /** Equal for two names of the same thing. */
  readonly id: string;
}

export type Removed =
  /** In the trash of the system, from where the person can bring it back. */
  | { readonly to: 'trash' }
  /** Kept by Belay for 30 days under this path, absolute. */
  | { readonly to: 'kept'; readonly path: string };
