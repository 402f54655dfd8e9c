import { told } from '../../../domain/text/told.ts';
import { type BelayError, fault } from '../../../domain/failure.ts';
import type { Place } from '../../../core/ports/editor/language.ts';
import type { ToolContext } from '../../../core/tool-call/tool-call.ts';
import { absolutePath, shownPath } from '../../workspace-path.ts';
import type { LanguageParts } from '../language-parts.ts';
import { cutLine, sourceOf } from './source-lines.ts';
import { type Address, addressOf, linesOf } from './symbol-address.ts';

export interface SymbolName {
  readonly path: string;
  readonly line?: number | undefined;
  readonly symbol: string;
}

export interface LocatedSymbol extends Place {
  readonly name: string;
  /** The path as people read it, with the line. */
  readonly shown: string;
  /** The model's slip, as a sentence; empty when it was exact. */
  readonly note: string;
}

/** Lines that are listed as candidates. */
const MOST_CANDIDATES = 12;

/** A symbol's place; fails with `invalid` or `not_found`, and where it is instead. */
export async function locate(
  parts: LanguageParts,
  asked: SymbolName,
  context: ToolContext,
): Promise<LocatedSymbol> {
  const path = absolutePath(asked.path, context.roots);
  const shown = shownPath(path, context.roots);
  const text = await sourceOf(parts, path, context);
  const address = addressOf(text, asked.symbol, asked.line);
  if (address.kind === 'found') {
    return {
      path,
      line: address.line,
      column: address.column,
      name: address.name,
      shown: `${shown}:${address.line}`,
      note: noteOf(address, asked),
    };
  }
  const declared = await declaredOnce(parts, path, address, { asked, context });
  if (declared !== undefined) return { ...declared, path, shown: `${shown}:${declared.line}` };
  throw await elsewhere(parts, { asked, shown, text, address }, context);
}

function noteOf(address: Address & { readonly kind: 'found' }, asked: SymbolName): string {
  const notes: string[] = [];
  if (address.moved)
    notes.push(`${address.name} is not on line ${asked.line}; line ${address.line} is meant.`);
  if (address.onLine > 1)
    notes.push(
      `It stands ${address.onLine} times on that line; the first is taken (name another with the text before it).`,
    );
  return notes.join(' ');
}

/** Without a line, the one declaration of that name is meant. */
async function declaredOnce(
  parts: LanguageParts,
  path: string,
  address: Address,
  { asked, context }: { readonly asked: SymbolName; readonly context: ToolContext },
): Promise<Pick<LocatedSymbol, 'line' | 'column' | 'name' | 'note'> | undefined> {
  if (asked.line !== undefined || address.kind !== 'ambiguous') return undefined;
  const { name } = address;
  const outline = await parts.language.servers.outline(path, context.signal);
  const [one, ...others] = outline.filter((declaration) => declaration.name === name);
  if (one === undefined || others.length > 0) return undefined;
  return { line: one.line, column: one.column, name, note: '' };
}

async function elsewhere(
  { language }: LanguageParts,
  found: {
    readonly asked: SymbolName;
    readonly shown: string;
    readonly text: string;
    readonly address: Address;
  },
  context: ToolContext,
): Promise<BelayError> {
  const { asked, shown, text, address } = found;
  if (address.kind === 'found') throw new Error('The symbol was found.');
  const { name, lines } = address;
  if (lines.length > 0) {
    const source = linesOf(text);
    const listed = lines
      .slice(0, MOST_CANDIDATES)
      .map((line) => `${line}: ${cutLine(source[line - 1] ?? '')}`)
      .join('\n');
    const more =
      lines.length > MOST_CANDIDATES ? `\n… and ${lines.length - MOST_CANDIDATES} more lines` : '';
    const why =
      address.kind === 'missing'
        ? told`${name} is not near line ${String(asked.line)} of ${shown}.`
        : asked.line === undefined
          ? told`${name} stands on several lines of ${shown}.`
          : told`${name} is not on line ${String(asked.line)} of ${shown}, and several lines are as near.`;
    return fault('invalid', told`${why} Call again with the line you mean:`, {
      lines: `${listed}${more}`,
    });
  }
  const declared = await language.servers.symbols(name, context.signal);
  const same = declared.filter((one) => plainName(one.name) === name).slice(0, MOST_CANDIDATES);
  const where = same.map((one) => `${shownPath(one.path, context.roots)}:${one.line}`).join(', ');
  const next =
    same.length === 0
      ? told`Look for it with search_text.`
      : told`It is declared in ${where}. Call again with that.`;
  return fault('not_found', told`${JSON.stringify(name)} does not stand in ${shown}. ${next}`);
}

/** Some servers write `walk()` for `walk`. */
function plainName(name: string): string {
  return name.replace(/\(.*$/su, '');
}
