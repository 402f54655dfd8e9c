/** The variable of a template that is being typed. */
export interface TemplatePlace {
  readonly variable: string;
  /** Typed of its value so far. */
  readonly value: string;
  /** The address before the value. */
  readonly before: string;
  /** The template's own text behind it, up to the next variable. */
  readonly after: string;
  readonly isLast: boolean;
  /** Values of the variables before it. */
  readonly given: Readonly<Record<string, string>>;
}

/** Where in a template an address that is being typed has got to; `undefined`: it begins otherwise, or is behind the last variable. */
export function templateAt(template: string, typed: string): TemplatePlace | undefined {
  const [begin = '', ...pieces] = template.split('{');
  if (!typed.startsWith(begin)) return undefined;
  const given: Record<string, string> = {};
  let at = begin.length;
  for (const [index, piece] of pieces.entries()) {
    const [expression, after] = splitOnce(piece, '}');
    const variable =
      expression
        .replace(/^[+#./;?&]/u, '')
        .split(',')[0]
        ?.replace(/[*:].*$/u, '') ?? '';
    const rest = typed.slice(at);
    const end = after === '' ? -1 : rest.indexOf(after);
    const isLast = index === pieces.length - 1;
    if (end < 0 || isLast) {
      const value = end < 0 ? rest : rest.slice(0, end);
      return { variable, value: decoded(value), before: typed.slice(0, at), after, isLast, given };
    }
    given[variable] = decoded(rest.slice(0, end));
    at += end + after.length;
  }
  return undefined;
}

function splitOnce(text: string, at: string): readonly [string, string] {
  const place = text.indexOf(at);
  return place < 0 ? [text, ''] : [text.slice(0, place), text.slice(place + at.length)];
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
