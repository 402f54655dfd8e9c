import { told } from '../../../domain/text/told.ts';
import * as z from 'zod/mini';
import { fault } from '../../../domain/failure.ts';
import type { ActionRequest, CodeAction } from '../../../core/ports/editor/language.ts';
import type { ToolContext } from '../../../core/tool-call/tool-call.ts';
import { absolutePath, shownPath } from '../../workspace-path.ts';
import { type LanguageParts, PATIENCE } from '../language-parts.ts';
import { requireServer } from '../no-server.ts';
import { sourceOf } from '../symbols/source-lines.ts';
import { linesOf } from '../symbols/symbol-address.ts';

export const ACTION_PLACE = {
  path: z.string().check(z.minLength(1)),
  line: z.optional(
    z.int().check(z.gte(1), z.describe('default: the whole file, for source actions')),
  ),
  end_line: z.optional(z.int().check(z.gte(1), z.describe('last line of a selection'))),
  kind: z.optional(
    z.string().check(z.describe('e.g. "quickfix", "refactor", "source.organizeImports"')),
  ),
} as const;

export interface ActionPlace {
  readonly path: string;
  readonly line?: number | undefined;
  readonly end_line?: number | undefined;
  readonly kind?: string | undefined;
}

/** The editor's actions there, the interactive included. */
export async function actionsAt(
  parts: LanguageParts,
  asked: ActionPlace,
  context: ToolContext,
): Promise<readonly CodeAction[]> {
  const path = absolutePath(asked.path, context.roots);
  const lines = linesOf(await sourceOf(parts, path, context));
  const line = asked.line ?? 1;
  const endLine = Math.min(
    Math.max(line, asked.end_line ?? asked.line ?? lines.length),
    lines.length,
  );
  const source = lines[line - 1];
  if (source === undefined) {
    const message = told`${shownPath(path, context.roots)} has ${String(lines.length)} lines; there is no line ${String(line)}. Read it again and name a line that is there.`;
    throw fault('invalid', message);
  }
  const request: ActionRequest = {
    path,
    line,
    // The indentation belongs to nothing; refactorings want exactly the code.
    column: asked.line === undefined ? 1 : source.length - source.trimStart().length + 1,
    endLine,
    endColumn: (lines[endLine - 1]?.trimEnd().length ?? 0) + 1,
    waitMs: PATIENCE,
    ...kindOf(asked),
  };
  const actions = await parts.language.servers.actions(request, context.signal);
  if (actions.length === 0) await requireServer(parts, path, context.roots);
  return actions;
}

/** Without a line the whole file is meant, which only source actions are about. */
function kindOf({ line, kind }: ActionPlace): { readonly kind?: string } {
  if (kind !== undefined && kind !== '') return { kind };
  return line === undefined ? { kind: 'source' } : {};
}
