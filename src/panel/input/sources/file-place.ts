import { nameOf } from '../../../domain/paths.ts';
import type { Mention } from '../../../domain/mention.ts';
import { shownPath } from '../../../tools/workspace-path.ts';

/** A file, or lines of one. */
export interface FilePlace {
  /** Absolute. */
  readonly path: string;
  /** 1-based, both included; absent: the whole file. */
  readonly lines?: { readonly from: number; readonly to: number } | undefined;
}

/** A path cannot hold what separates it from its lines. */
const SEPARATOR = '\0';

export function refOf({ path, lines }: FilePlace): string {
  return lines === undefined ? path : `${path}${SEPARATOR}${lines.from}-${lines.to}`;
}

export function placeOf(ref: string): FilePlace {
  const at = ref.indexOf(SEPARATOR);
  const [, from, to] = /^(\d+)-(\d+)$/u.exec(at < 0 ? '' : ref.slice(at + 1)) ?? [];
  if (at < 0 || from === undefined || to === undefined) return { path: ref };
  return { path: ref.slice(0, at), lines: { from: Number(from), to: Number(to) } };
}

/** The mention of a file, a folder or lines, as people call it. */
export function placeMention(
  place: FilePlace,
  roots: readonly string[],
  more: { readonly icon?: string; readonly label?: string } = {},
): Omit<Mention, 'tokens'> {
  const { path, lines } = place;
  const range =
    lines === undefined
      ? ''
      : lines.from === lines.to
        ? `:${lines.from}`
        : `:${lines.from}-${lines.to}`;
  return {
    source: 'file',
    ref: refOf(place),
    label: more.label ?? `${nameOf(path)}${range}`,
    detail: `${shownPath(path, roots)}${range}`,
    icon: more.icon ?? 'file',
  };
}
