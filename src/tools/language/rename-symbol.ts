import { told } from '../../domain/text/told.ts';
import * as z from 'zod/mini';
import { fault } from '../../domain/failure.ts';
import type { Place } from '../../core/ports/editor/language.ts';
import type { Tool, ToolContext } from '../../core/tool-call/tool-call.ts';
import { defineTool } from '../define-tool.ts';
import { renameSymbolFace } from './rename-symbol-face.ts';
import { PATH_NAMES, renamed } from '../other-spellings.ts';
import { type ChangePlan, planChanges } from './apply-changes.ts';
import type { LanguageParts } from './language-parts.ts';
import { plannedEdit } from './planned-edit.ts';
import { type LocatedSymbol, locate } from './symbols/located-symbol.ts';
import { requireServer } from './no-server.ts';
import { SourceLines } from './symbols/source-lines.ts';
import { SYMBOL } from './symbols/symbol-schema.ts';

const schema = z.strictObject({ ...SYMBOL, new_name: z.string().check(z.minLength(1)) });

type Input = z.output<typeof schema>;

export function renameSymbolTool(parts: LanguageParts): Tool {
  return defineTool(renameSymbolFace, {
    description:
      'Renames a symbol everywhere it is used, by the language server. All files are changed together.',
    schema,
    accept: (input) => renamed(input, { ...PATH_NAMES, name: 'symbol', newName: 'new_name' }),
    ...plannedEdit(parts, planOf),
  });
}

async function planOf(
  parts: LanguageParts,
  input: Input,
  context: ToolContext,
): Promise<ChangePlan> {
  const symbol = await locate(parts, input, context);
  if (symbol.name === input.new_name) {
    throw fault('invalid', told`${symbol.name} has this name already. Nothing was changed.`);
  }
  const place = await declarationOf(parts, symbol, context);
  const changes = await parts.language.servers.rename(place, input.new_name, context.signal);
  if (changes.length === 0) {
    await requireServer(parts, symbol.path, context.roots);
    const message = told`${symbol.name} (${symbol.shown}) cannot be renamed by the language server. Nothing was changed.`;
    throw fault('invalid', message);
  }
  const title = `Rename ${symbol.name} to ${input.new_name}`;
  return planChanges(parts, { title, changes }, context);
}

/** An imported symbol's declaration in the workspace; a use might be renamed by an alias. */
async function declarationOf(
  parts: LanguageParts,
  symbol: LocatedSymbol,
  context: ToolContext,
): Promise<Place> {
  const [only, ...others] = await parts.language.servers.related(
    'definition',
    symbol,
    context.signal,
  );
  if (only === undefined || others.length > 0) return symbol;
  // Only lines of the workspace are read, so that a declaration elsewhere is never taken.
  const [line = ''] = await new SourceLines(parts, context).at(only.path, only.line);
  return line.slice(only.column - 1).startsWith(symbol.name) ? only : symbol;
}
