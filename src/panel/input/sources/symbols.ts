import type { Declaration, Language } from '../../../core/ports/editor/language.ts';
import { fuzzyScore } from '../../../domain/text/fuzzy-score.ts';
import type { InputSource } from '../source.ts';
import { mentionRow } from '../source.ts';
import { placeMention } from './file-place.ts';

const MOST = 12;
/** Letters from which on the language servers are asked. */
const SHORTEST = 2;
/** Lines of a declaration that go along. */
const MOST_LINES = 400;
/** Files come first where both fit as well. */
const BEHIND_FILES = -120;
const ICONS: Readonly<Record<string, string>> = {
  class: 'symbol-class',
  interface: 'symbol-interface',
  method: 'symbol-method',
  function: 'symbol-method',
  variable: 'symbol-variable',
  constant: 'symbol-constant',
  enum: 'symbol-enum',
  property: 'symbol-property',
};

/** Declarations of the workspace; the mention is one of their lines. */
export function symbolSource(language: Language, roots: () => readonly string[]): InputSource {
  return {
    id: 'symbol',
    trigger: '@',
    search: async (query, signal) => {
      if (query.length < SHORTEST || query.includes('/')) return [];
      const found = await language.symbols(query, signal);
      const best = found
        .flatMap((one) => {
          const worth = fuzzyScore(query, one.name);
          return worth === undefined ? [] : [{ one, worth }];
        })
        .toSorted((left, right) => right.worth - left.worth)
        .slice(0, MOST);
      const outlines = new Map<string, Promise<readonly Declaration[]>>();
      return Promise.all(
        best.map(async ({ one, worth }) => {
          const outline =
            outlines.get(one.path) ?? language.outline(one.path, signal).catch(() => []);
          outlines.set(one.path, outline);
          const lines = linesOf(one, await outline);
          const icon = ICONS[one.kind] ?? 'symbol-misc';
          const mention = placeMention({ path: one.path, lines }, roots(), {
            icon,
            label: one.name,
          });
          return mentionRow(mention, worth + BEHIND_FILES);
        }),
      );
    },
  };
}

/** From the declaration to the next one that is not within it. */
function linesOf(
  { line, name }: Declaration,
  outline: readonly Declaration[],
): { readonly from: number; readonly to: number } {
  const at = outline.findIndex((one) => one.line === line && one.name === name);
  const depth = outline[at]?.depth ?? 0;
  const next =
    at < 0 ? undefined : outline.slice(at + 1).find((one) => one.depth <= depth && one.line > line);
  const to = Math.min(next === undefined ? line + MOST_LINES : next.line - 1, line + MOST_LINES);
  return { from: line, to: Math.max(line, to) };
}
