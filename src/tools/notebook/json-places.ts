/** Where values stand in a JSON text, so that one can be replaced without touching the rest. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The members of an object that begins at `at`. The text is known to be JSON. */
export function membersAt(text: string, at: number): ReadonlyMap<string, Span> {
  const members = new Map<string, Span>();
  let next = skipBlanks(text, at + 1);
  while (text[next] === '"') {
    const end = endOfValue(text, next);
    const key = JSON.parse(text.slice(next, end)) as string;
    const from = skipBlanks(text, skipBlanks(text, end) + 1);
    const to = endOfValue(text, from);
    members.set(key, { from, to });
    next = skipBlanks(text, to);
    if (text[next] !== ',') break;
    next = skipBlanks(text, next + 1);
  }
  return members;
}

/** The entries of a list that begins at `at`. */
export function entriesAt(text: string, at: number): readonly Span[] {
  const entries: Span[] = [];
  let next = skipBlanks(text, at + 1);
  while (next < text.length && text[next] !== ']') {
    const to = endOfValue(text, next);
    entries.push({ from: next, to });
    next = skipBlanks(text, to);
    if (text[next] === ',') next = skipBlanks(text, next + 1);
  }
  return entries;
}

export function skipBlanks(text: string, at: number): number {
  let next = at;
  while (' \t\r\n'.includes(text[next] ?? '!')) next += 1;
  return next;
}

function endOfValue(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return endOfString(text, at);
  if (first !== '{' && first !== '[') {
    let next = at;
    while (next < text.length && !',]} \t\r\n'.includes(text[next] ?? ',')) next += 1;
    return next;
  }
  let depth = 0;
  for (let next = at; next < text.length; next += 1) {
    const unit = text[next];
    if (unit === '"') next = endOfString(text, next) - 1;
    else if (unit === '{' || unit === '[') depth += 1;
    else if (unit === '}' || unit === ']') {
      depth -= 1;
      if (depth === 0) return next + 1;
    }
  }
  return text.length;
}

function endOfString(text: string, at: number): number {
  let next = at + 1;
  while (next < text.length && text[next] !== '"') next += text[next] === '\\' ? 2 : 1;
  return next + 1;
}
