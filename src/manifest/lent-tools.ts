import type { Tool } from '../core/tool-call/tool-call.ts';
import type { JsonObject } from '../domain/data/json.ts';
import { editorStateTool } from '../tools/context/editor-state.ts';
import { pendingChangesTool } from '../tools/context/pending-changes.ts';
import { diagnosticsTool } from '../tools/language/diagnostics.ts';
import { findSymbolTool } from '../tools/language/find-symbol.ts';
import { inspectSymbolTool } from '../tools/language/inspect-symbol.ts';
import type { LanguageParts } from '../tools/language/language-parts.ts';
import { findFilesTool } from '../tools/searching/find-files.ts';
import { searchTextTool } from '../tools/searching/search-text.ts';
import { LENT_TOOL_NAMES, LENT_TOOLS, lentName, type LentTool } from './lent-tool-names.ts';

/** Tools say what they are before they have anything to work with; these are never run. */
const NOTHING = {} as LanguageParts;

const TOOLS: Readonly<Record<LentTool, Tool>> = {
  search_text: searchTextTool(NOTHING),
  find_files: findFilesTool(NOTHING),
  diagnostics: diagnosticsTool(NOTHING),
  find_symbol: findSymbolTool(NOTHING),
  inspect_symbol: inspectSymbolTool(NOTHING),
  editor_state: editorStateTool(async () => ''),
  pending_changes: pendingChangesTool({
    reviews: { pending: [] },
    judge: () => Promise.reject(new Error('It is never run.')),
  }),
};

/** The declarations of the tools that are lent to other extensions, as the tools themselves describe them. */
export function lentTools(): readonly JsonObject[] {
  return LENT_TOOL_NAMES.map((name) => {
    const { shown, icon } = LENT_TOOLS[name];
    const { description, inputSchema } = TOOLS[name];
    return {
      name: lentName(name),
      displayName: `Belay: ${shown}`,
      modelDescription: description,
      inputSchema,
      tags: ['belay', 'read-only'],
      canBeReferencedInPrompt: true,
      toolReferenceName: lentName(name),
      icon,
    };
  });
}
