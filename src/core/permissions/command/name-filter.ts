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
  // How many `?` such a character takes depends on the language that the program runs in.
  if (pattern.includes('?') && /[^\p{ASCII}]/u.test(name)) return wide;
  return starsFit(wide ? pattern.toLowerCase() : pattern, wide ? name.toLowerCase() : name);
}

/** `*` and `?` in time of the product of both lengths. */
function starsFit(pattern: string, name: string): boolean {
  let [at, from] = [0, 0];
  /** Behind the last `*`, and where in the name that goes on. */
  let star: { readonly at: number; from: number } | undefined;
  while (from < name.length) {
    if (pattern[at] === '*') {
      at += 1;
      star = { at, from };
    } else if (pattern[at] === '?' || pattern[at] === name[from]) {
      at += 1;
      from += 1;
    } else if (star === undefined) {
      return false;
    } else {
      star.from += 1;
      ({ at, from } = star);
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
