import * as l10n from '@vscode/l10n';
import type { ModelRow } from '../../../src/protocol/snapshot.ts';

/** Models under one heading. */
export interface Group {
  readonly name: string;
  readonly rows: readonly ModelRow[];
}

/** Rows that are drawn at once; a gateway has hundreds, and what comes after it is to be reached, too. */
const MOST = 120;
const MOST_EACH = 25;

/** The models with all of these words: favorites, recent ones, then by provider in the order of the list. */
export function groupsOf(
  rows: readonly ModelRow[],
  search: string,
): { readonly groups: readonly Group[]; readonly hidden: number } {
  const words = search
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  const fits = ({ id, name, providerName }: ModelRow): boolean => {
    const text = `${name} ${id} ${providerName}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const found = rows.filter(fits);
  const recent = found
    .filter((row) => row.recent !== null && !row.favorite)
    .toSorted((left, right) => (left.recent ?? 0) - (right.recent ?? 0));
  const groups: Group[] = [
    { name: l10n.t('Favorites'), rows: found.filter(({ favorite }) => favorite) },
    { name: l10n.t('Recent'), rows: recent },
  ];
  const limit = found.length > MOST ? MOST_EACH : MOST;
  let hidden = 0;
  for (const all of Map.groupBy(found, ({ provider }) => provider).values()) {
    groups.push({ name: all[0]?.providerName ?? '', rows: all.slice(0, limit) });
    hidden += Math.max(0, all.length - limit);
  }
  return { groups: groups.filter((group) => group.rows.length > 0), hidden };
}
