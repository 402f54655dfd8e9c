import { LineEnds } from '../core/merge/line-ends.ts';
import { BelayError } from '../domain/failure.ts';
import { findEdit, lineAt } from './edit-matching.ts';
import type { Edit, Match } from './edit-matching.ts';

/**
 * A text after its edits, one after the other, each on the outcome of the one before.
 * @throws BelayError `invalid` when one of them does not fit: then nothing may be written
 */
export function editedText(before: string, edits: readonly Edit[], shown: string): string {
  let text = before;
  const problems: string[] = [];
  for (const [index, edit] of edits.entries()) {
    const lines = new LineEnds(text);
    const asked = {
      ...edit,
      old_string: edit.old_string.replaceAll('\r\n', '\n'),
      new_string: edit.new_string.replaceAll('\r\n', '\n'),
    };
    const label = edits.length === 1 ? 'The edit' : `Edit ${index + 1} of ${edits.length}`;
    if (asked.old_string === asked.new_string) {
      problems.push(`${label} would change nothing: old_string and new_string are the same.`);
      continue;
    }
    const match = findEdit(lines.text, asked);
    if (match.kind === 'found') text = lines.apply(match.replacements);
    else problems.push(`${label} ${problemOf(match, asked, lines.text)}`);
  }
  if (problems.length > 0) {
    const others = edits.length - problems.length;
    const rest =
      others > 0
        ? ` The other ${others === 1 ? 'edit fits' : `${others} edits fit`}; send all of them again.`
        : '';
    throw new BelayError({
      code: 'invalid',
      message: `Nothing was written to ${shown}. ${problems.join('\n')}${rest}`,
    });
  }
  if (text === before)
    throw new BelayError({
      code: 'invalid',
      message: `The edits to ${shown} cancel each other out; nothing was written.`,
    });
  return text;
}

function problemOf(match: Exclude<Match, { kind: 'found' }>, edit: Edit, text: string): string {
  if (match.kind === 'ambiguous') {
    const shown = match.lines.slice(0, 10).join(', ');
    const more = match.lines.length > 10 ? ' …' : '';
    return `fits ${match.lines.length} places: lines ${shown}${more}. Give more of the text around the one you mean, or set replace_all.`;
  }
  if (edit.old_string === '')
    return 'has an empty old_string. Give the text to replace, or use write_file for the whole file.';
  if (edit.new_string !== '' && text.includes(edit.new_string)) {
    return `does not fit: its old_string is not in the file, but its new_string is, at line ${lineAt(text, text.indexOf(edit.new_string))}. It may be done already.`;
  }
  if (match.nearest === undefined)
    return 'does not fit: nothing like its old_string is in the file. Read the file again.';
  return `does not fit: its old_string is not in the file. The nearest text, at line ${match.nearest.line}, is:\n${match.nearest.text}\n`;
}
