export type Intent =
  | { readonly kind: 'explain' }
  | { readonly kind: 'find'; readonly what: string }
  | { readonly kind: 'replace'; readonly from: string; readonly to: string; readonly path: string }
  | { readonly kind: 'create'; readonly path: string; readonly text: string }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'tour' }
  | { readonly kind: 'help' }
  | { readonly kind: 'unknown' };

const QUOTED = '"[^"]*"|\'[^\']*\'|`[^`]*`|“[^”]*”';
/** A quoted text, or a word. */
const TERM = `${QUOTED}|\\S+`;
/** A quoted text, or anything up to what follows. */
const PHRASE = `${QUOTED}|.+?`;

const PATTERNS = {
  tour: /\btour\b|^show me around\b/iu,
  help: /^(?:help|\?|hi|hello|hey)\b[\s!.?]*$|^what (?:can|do) you (?:do|understand)/iu,
  explain:
    /^(?:explain|describe|summari[sz]e)\b.{0,20}\b(?:workspace|project|repo|repository|code|codebase|folder)\b|^what (?:is|does) this (?:workspace|project|repo|repository|code|codebase)\b/iu,
  replace: new RegExp(
    String.raw`^(?:replace|change)\s+(?<from>${PHRASE})\s+(?:with|by|to)\s+(?<to>${PHRASE})\s+in\s+(?:the\s+file\s+)?(?<path>${TERM})$`,
    'isu',
  ),
  create: new RegExp(
    String.raw`^(?:create|make|write|add)\s+(?:an?\s+|the\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?(?<path>${TERM})\s+with(?:\s+the)?(?:\s+(?:text|content|contents))?:?\s+(?<text>.+)$`,
    'isu',
  ),
  run: /^(?:run|execute)\s+(?:the\s+command\s+)?(?<command>.+)$/isu,
  find: /^(?:find|search(?:\s+for)?|look\s+for|grep|where\s+is)\s+(?<what>.+)$/isu,
};

/** Longer requests are no replacement: the pattern's time grows with the square of the length. */
const LONGEST_REPLACE = 2000;

/** Takes the quotes off a text that is quoted as a whole. */
function unquoted(text: string): string {
  const match = /^(?:"([^"]*)"|'([^']*)'|`([^`]*)`|“([^”]*)”)$/su.exec(text.trim());
  return match === null ? text.trim() : (match.slice(1).find((group) => group !== undefined) ?? '');
}

/** Without courtesy at the front and a full stop at the end. */
function plain(request: string): string {
  return request.trim().replace(/^(?:please|could you|can you|now)[\s,]+/iu, '');
}

/** Understands a request of the person, or says that it does not. */
export function understand(request: string): Intent {
  const text = plain(request);
  const group = (pattern: RegExp): Readonly<Record<string, string>> | undefined =>
    pattern.exec(text)?.groups;

  const replace = text.length > LONGEST_REPLACE ? undefined : group(PATTERNS.replace);
  if (replace !== undefined && unquoted(replace['from'] ?? '') !== '') {
    const { from = '', to = '', path = '' } = replace;
    return { kind: 'replace', from: unquoted(from), to: unquoted(to), path: pathIn(path) };
  }
  const create = group(PATTERNS.create);
  if (create !== undefined) {
    return {
      kind: 'create',
      path: pathIn(create['path'] ?? ''),
      text: unquoted(create['text'] ?? ''),
    };
  }
  const run = group(PATTERNS.run);
  if (run !== undefined) return { kind: 'run', command: unquoted(run['command'] ?? '') };
  if (PATTERNS.explain.test(text)) return { kind: 'explain' };
  const find = group(PATTERNS.find);
  if (find !== undefined)
    return { kind: 'find', what: unquoted((find['what'] ?? '').replace(/\?$/u, '')) };
  if (PATTERNS.tour.test(text)) return { kind: 'tour' };
  if (PATTERNS.help.test(text)) return { kind: 'help' };
  return { kind: 'unknown' };
}

/** A path at the end of a sentence: without quotes and without its full stop. */
function pathIn(text: string): string {
  return unquoted(text.replace(/[.,;!?]$/u, ''));
}
