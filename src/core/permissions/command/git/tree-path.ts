/** `:path`, `:2:path`: of the index. */
const INDEX = /^:(?:[0-3]:)?(?!\/|[(!^])(?<path>.+)$/su;

/** `main:src/a.ts` is a revision and a path in it; a colon in braces belongs to the revision. */
export function takeApart(word: string): {
  readonly revision: string;
  readonly path?: string;
} {
  const index = INDEX.exec(word)?.groups?.['path'];
  if (index !== undefined) return { revision: '', path: index };
  let depth = 0;
  for (let at = 0; at < word.length; at += 1) {
    if (word[at] === '{') depth += 1;
    else if (word[at] === '}') depth -= 1;
    else if (word[at] === ':' && depth === 0 && at > 0)
      return { revision: word.slice(0, at), path: word.slice(at + 1) };
  }
  return { revision: word };
}
