import type { ToolSpec } from '../../domain/models/model.ts';
import { type Reply, say, trouble, tryTo } from './reply.ts';
import { lastOf, type Progress } from './progress.ts';

/** Matches and file names that are shown. */
const MOST_MATCHES = 12;
const MOST_NAMES = 8;
const LONGEST_LINE = 120;

/** `src/a.ts:12` and the line, for each match in the text of `search_text`. */
function matchesIn(text: string): string[] {
  const matches: string[] = [];
  let path = '';
  for (const line of text.split('\n').slice(1)) {
    const match = /^(\d+):(.*)$/u.exec(line);
    if (match !== null) {
      const shown = (match[2] ?? '')
        .trim()
        .replaceAll('`', '´')
        .slice(0, LONGEST_LINE)
        .toWellFormed();
      matches.push(`- ${path}:${match[1] ?? ''} – \`${shown}\``);
    } else if (line !== '' && !line.startsWith('[')) path = line;
  }
  return matches;
}

function listed(items: readonly string[], most: number): string {
  const more = items.length > most ? `\n- … and ${items.length - most} more` : '';
  return `${items.slice(0, most).join('\n')}${more}`;
}

/** "Find X": in the text and in the names of files, at once. */
export function find(what: string, progress: Progress, tools: readonly ToolSpec[]): Reply {
  const searched = lastOf(progress, 'search_text');
  if (searched === undefined) {
    return tryTo(
      tools,
      `I look for “${what}” in the files and in their names.`,
      { name: 'search_text', input: { pattern: what, regex: false } },
      { name: 'find_files', input: { pattern: what, limit: MOST_NAMES } },
    );
  }
  const problem = trouble(searched);
  if (problem !== undefined) return say(problem);
  const named = lastOf(progress, 'find_files');
  const matches = matchesIn(searched.text);
  const names =
    named?.state === 'done' && !named.text.startsWith('No file matches')
      ? named.text.split('\n').filter((line) => line !== '' && !line.startsWith('['))
      : [];
  if (matches.length === 0 && names.length === 0) {
    return say(
      `I found “${what}” nowhere: not in the files, and not in their names. Ignored files are left out.`,
    );
  }
  const sections = [
    matches.length === 0
      ? `“${what}” is in no file.`
      : `“${what}” comes up ${matches.length === 1 ? 'once' : `${matches.length} times`}:\n\n${listed(matches, MOST_MATCHES)}`,
    names.length === 0
      ? ''
      : `Files with a name like it:\n\n${listed(
          names.map((name) => `- ${name}`),
          MOST_NAMES,
        )}`,
  ];
  return say(sections.filter((section) => section !== '').join('\n\n'));
}
