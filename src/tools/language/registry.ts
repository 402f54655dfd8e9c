import type { Tool } from '../../core/tool-call/tool-call.ts';
import type { ToolParts } from '../tool-parts.ts';
import { applyCodeActionTool } from './code-actions/apply-code-action.ts';
import { diagnosticsTool } from './diagnostics.ts';
import { findSymbolTool } from './find-symbol.ts';
import { inspectSymbolTool } from './inspect-symbol.ts';
import type { LanguageParts } from './language-parts.ts';
import { listCodeActionsTool } from './code-actions/list-code-actions.ts';
import { renameSymbolTool } from './rename-symbol.ts';

const FACTORIES: readonly ((parts: LanguageParts) => Tool)[] = [
  diagnosticsTool,
  inspectSymbolTool,
  findSymbolTool,
  renameSymbolTool,
  listCodeActionsTool,
  applyCodeActionTool,
];

/** The tools that need an editor's language servers; none where there are none (E11). */
export function languageTools(parts: ToolParts): readonly Tool[] {
  const { language } = parts;
  return language === undefined ? [] : FACTORIES.map((make) => make({ ...parts, language }));
}
