import * as l10n from '@vscode/l10n';
import { isLive, type SessionRow } from '../../../src/protocol/snapshot.ts';

/** Rows under one heading. */
export interface SessionGroup {
  readonly label: string;
  readonly rows: readonly SessionRow[];
}

const DAY = 24 * 3_600_000;

/** The list in groups: pinned ones, then by the day of their last activity, at the end those out of the way. */
export function sessionGroups(rows: readonly SessionRow[], now: number): readonly SessionGroup[] {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const days = [
    { label: l10n.t('Today'), from: midnight },
    { label: l10n.t('Yesterday'), from: new Date(midnight - 1).setHours(0, 0, 0, 0) },
    { label: l10n.t('Last 7 days'), from: midnight - 6 * DAY },
  ];
  const labelOf = (row: SessionRow): string => {
    if (isOutOfTheWay(row)) return l10n.t('Archived');
    if (row.pinned === true) return l10n.t('Pinned');
    return days.find(({ from }) => row.updatedAt >= from)?.label ?? l10n.t('Older');
  };
  const order = [
    l10n.t('Pinned'),
    ...days.map(({ label }) => label),
    l10n.t('Older'),
    l10n.t('Archived'),
  ];
  const groups = Map.groupBy(
    rows.toSorted((left, right) => right.updatedAt - left.updatedAt),
    labelOf,
  );
  return order.flatMap((label) => {
    const group = groups.get(label);
    return group === undefined ? [] : [{ label, rows: group }];
  });
}

/** Archived, and nothing goes on in it: one that is at work or waits is shown with the others. */
export function isOutOfTheWay(row: SessionRow): boolean {
  return row.archived === true && !isLive(row);
}
