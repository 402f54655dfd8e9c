import type { ToolContext } from '../../core/tool-call/tool-call.ts';
import type { LanguageParts } from './language-parts.ts';

/** A server's answer without files kept from the agent, and the number of those places. */
export async function visible<Item extends { readonly path: string }>(
  parts: LanguageParts,
  items: readonly Item[],
  context: ToolContext,
): Promise<{ readonly items: readonly Item[]; readonly hidden: string }> {
  const paths = [...new Set(items.map(({ path }) => path))];
  const places = await Promise.all(
    paths.map((path) => parts.language.judge({ path, access: 'read' }, context.roots)),
  );
  const kept = new Set(paths.filter((_, index) => places[index]?.place === 'forbidden'));
  if (kept.size === 0) return { items, hidden: '' };
  const shown = items.filter(({ path }) => !kept.has(path));
  return {
    items: shown,
    hidden: `\n[${items.length - shown.length} more in files that are kept from you]`,
  };
}
