/** The files that a program looks into, by their names alone. */
export interface NameFilter {
  /** One of these patterns fits; absent: any name. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** True when a file of this name may be looked into, also in doubt. */
export function mayPass(name: string, { include, exclude }: NameFilter): boolean {
  if (include !== undefined && !include.some((pattern) => globFits(pattern, name, 'wide')))
    return false;
  return exclude?.some((pattern) => globFits(pattern, name, 'exact')) !== true;
}

/** `wide`: what is not understood fits; `exact`: it does not. */
function globFits(pattern: string, name: string, width: 'wide' | 'exact'): boolean {
  const wide = width === 'wide';
  if (/[[\]{}\\!/]/u.test(pattern)) {
    // Only the plain end of such a pattern is compared.
    const end = pattern.split(/[[\]{}\\!/*?]/u).at(-1) ?? '';
    return wide && name.toLowerCase().endsWith(end.toLowerCase());
  }
  return starsFit(wide ? pattern.toLowerCase() : pattern, wide ? name.toLowerCase() : name);
}

/** `*` and `?` in time of the product of both lengths. */
function starsFit(pattern: string, name: string): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0];
  while (from < name.length) {
    if (at < pattern.length && pattern[at] === '*') {
      star = at;
      mark = from;
      at += 1;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[from])) {
      at += 1;
      from += 1;
    } else if (star >= 0) {
      at = star + 1;
      mark += 1;
      from = mark;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
