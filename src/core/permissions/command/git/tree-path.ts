/** `:path`, `:2:path`: of the index; `:/text` is a commit. */
const INDEX = /^:(?:[0-3]:)?(?!\/|[(!^])(?<path>.+)$/su;
/** `main:src/a.ts` is a revision and a path in it; a colon in braces belongs to the revision. */
const IN_TREE = /^(?<revision>(?:[^:{]|\{[^{}]*\})+):(?<path>.*)$/su;

/** A word of git's command line as a revision and a path in it; with braces within braces it is none. */
export function takeApart(word: string): {
  readonly revision: string;
  readonly path?: string;
} {
  const index = INDEX.exec(word)?.groups?.['path'];
  if (index !== undefined) return { revision: '', path: index };
  const { revision = word, ...path } = IN_TREE.exec(word)?.groups ?? {};
  return { revision, ...path };
}
