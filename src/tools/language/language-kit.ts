import type { JudgedPath } from '../../core/permissions/path-guard.ts';
import type { Language } from '../../core/ports/editor/language.ts';
import type { Touch } from '../../core/tool-call/tool-call.ts';
import type { ChangedFiles } from './changed-files.ts';

/** The language tools' needs beside those of all tools. */
export interface LanguageKit {
  readonly servers: Language;
  /** Judges files that a server names in its answer. */
  readonly judge: (touch: Touch, roots: readonly string[]) => Promise<JudgedPath>;
  readonly changed: ChangedFiles;
}
