import type { PathGuard } from '../core/permissions/path-guard.ts';
import { ChangedFiles } from '../tools/language/changed-files.ts';
import type { LanguageKit } from '../tools/language/language-kit.ts';
import type { EngineHost } from './engine-host.ts';

/** The parts shared by the language tools and the problems told after an edit. */
export function composeLanguage(
  { tools: { language: servers } }: EngineHost,
  guard: PathGuard,
): LanguageKit | undefined {
  if (servers === undefined) return undefined;
  return {
    servers,
    judge: (touch, roots) => guard.judge(touch, roots),
    changed: new ChangedFiles(),
  };
}
