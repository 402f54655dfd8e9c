/** Characters of a line; imports in longer ones are not followed. */
const MAX_LINE_CHARS = 2000;
const FENCE = /^\s*(?<fence>`{3,}|~{3,})/u;
const CODE_SPAN = /(?<!`)(?<ticks>`+)(?!`).*?(?<!`)\k<ticks>(?!`)/gu;
const IMPORT = /(?<=^|[\s(])@(?<path>(?:\\ |[^\s`])+)/gu;

/** The paths that a text names as `@path`, as they are written; none of code spans and code blocks. */
export function findImports(text: string): readonly string[] {
  const paths = new Set<string>();
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const marks = FENCE.exec(line)?.groups?.['fence'];
    if (fence !== undefined) {
      if (marks?.startsWith(fence) === true && line.trim() === marks) fence = undefined;
      continue;
    }
    fence = marks;
    if (fence !== undefined || line.length > MAX_LINE_CHARS) continue;
    for (const { groups } of line.replaceAll(CODE_SPAN, ' ').matchAll(IMPORT)) {
      const path = (groups?.['path'] ?? '')
        .replace(/#.*$/u, '')
        .replace(/[.,;:!?)\]}>"'*_]+$/u, '')
        .replaceAll('\\ ', ' ');
      if (path !== '') paths.add(path);
    }
  }
  return [...paths];
}
