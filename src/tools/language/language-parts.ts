import type { LanguageKit } from './language-kit.ts';
import type { ToolParts } from '../tool-parts.ts';

/** The language tools' parts; only where an editor gives the kit. */
export interface LanguageParts extends ToolParts {
  readonly language: LanguageKit;
}

/** Milliseconds to wait for language servers before what is known is taken: they may still be starting. */
export const PATIENCE = 10_000;
