import { createHash } from 'node:crypto';

/** The longest tool name that model APIs take. */
const LONGEST = 64;
/** Characters of the extension's id in a name; the rest is for the tool. */
const LONGEST_ID = 28;

/**
 * The name under which a tool of an extension is offered: `ext__publisher_name__tool`. It depends on
 * nothing but the two names; where something had to be changed, a piece of a hash keeps it unique.
 */
export function extensionToolName(extension: string, tool: string): string {
  const id = plain(extension).slice(0, LONGEST_ID);
  const name = `ext__${id}__${plain(tool)}`;
  const unchanged =
    id === extension.replace('.', '_') && plain(tool) === tool && !id.includes('__');
  if (unchanged && name.length <= LONGEST) return name;
  const piece = createHash('sha256').update(`${extension}\0${tool}`).digest('hex').slice(0, 8);
  return `${name.slice(0, LONGEST - piece.length - 1)}_${piece}`;
}

function plain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]+/gu, '_');
}
