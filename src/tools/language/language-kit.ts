import type { JudgedPath } from '../../core/permissions/path-guard.ts';
import type { Language } from '../../core/ports/editor/language.ts';
import type { Touch } from '../../core/tool-call/tool-call.ts';
import type { ChangedFiles } from './changed-files.ts';

/** What the language tools need beside what all tools have. */
export interface LanguageKit {
  readonly servers: Language;
  /** Which files a server names is known only when it has answered: each is judged then. */
  readonly judge: (touch: Touch, roots: readonly string[]) => Promise<JudgedPath>;
  readonly changed: ChangedFiles;
}
