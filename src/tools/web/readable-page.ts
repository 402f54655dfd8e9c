const HTML: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/** Kinds that are text although they do not say so. */
const TEXTUAL =
  /^(?:text\/.+|application\/(?:.+\+)?(?:json|xml|yaml|javascript|toml|x-sh|sql|graphql|x-ndjson|jsonlines)|application\/(?:x-)?(?:yaml|javascript|typescript|httpd-php)|message\/.+|image\/svg\+xml)$/u;

/** True for a body of a kind that is read at all; one without a kind is looked at. */
export function isReadable(mediaType: string, body: Uint8Array): boolean {
  if (HTML.has(mediaType) || TEXTUAL.test(mediaType)) return !hasZero(body);
  const unknown = mediaType === '' || mediaType === 'application/octet-stream';
  return unknown && !hasZero(body) && isUtf8(body);
}

function hasZero(body: Uint8Array): boolean {
  const [first, second] = body;
  // UTF-16 with its mark is text with zeros in it.
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return !marked && body.subarray(0, 8192).includes(0);
}

function isUtf8(body: Uint8Array): boolean {
  try {
    // The end may be in the middle of a character.
    new TextDecoder('utf-8', { fatal: true }).decode(body.subarray(0, 65_536), { stream: true });
    return true;
  } catch {
    return false;
  }
}
