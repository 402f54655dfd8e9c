import { inEnglish, joined, told, type Told } from '../../domain/text/told.ts';
import { LineEnds } from '../../core/merge/line-ends.ts';
import { type Steps, byTurns } from '../../domain/lifetime/steps.ts';
import { type BelayError, fault } from '../../domain/failure.ts';
import { type Edit, type Match, findingEdit, lineAt, MOST_PLACES } from '../matching/find-edit.ts';
import type { EditedText } from './edit-plan.ts';

/** As `applyEditsInSteps`; the host does other things between its steps. */
export function applyEdits(
  before: string,
  edits: readonly Edit[],
  shown: string,
): Promise<Required<EditedText>> {
  return byTurns(applyEditsInSteps(before, edits, shown));
}

/**
 * A text after its edits, one after the other; those without exactly one place are left out and
 * named.
 * @throws BelayError `invalid` when none of them can be made: then nothing may be written
 */
export function* applyEditsInSteps(
  before: string,
  edits: readonly Edit[],
  shown: string,
): Steps<Required<EditedText>> {
  let text = before;
  const problems: Told[] = [];
  const tolerant: string[] = [];
  for (const [index, given] of edits.entries()) {
    // Each goes through the whole text.
    if (index > 0) yield;
    const lines = new LineEnds(text);
    yield;
    const edit = {
      ...given,
      old_string: given.old_string.replaceAll('\r\n', '\n'),
      new_string: given.new_string.replaceAll('\r\n', '\n'),
    };
    const label =
      edits.length === 1
        ? told`The edit`
        : told`Edit ${String(index + 1)} of ${String(edits.length)}`;
    if (edit.old_string === edit.new_string) {
      problems.push(told`${label} would change nothing: old_string and new_string are the same.`);
      continue;
    }
    const match = yield* findingEdit(lines.text, edit);
    if (match.kind !== 'found') {
      problems.push(joined([label, problemOf(match, edit, lines.text)], ' '));
      continue;
    }
    yield;
    text = yield* lines.applying(match.replacements);
    if (match.how === 'similar')
      tolerant.push(
        `${inEnglish(label)} was made at line ${match.lines.join(', ')}, where the text differs a little from its old_string; what it does not change was kept as it is there.`,
      );
    if (match.how === 'loose')
      tolerant.push(
        `${inEnglish(label)} did not match exactly (${match.kinds.join(', ')}). The file's own characters were kept where old_string and new_string agree.`,
      );
  }
  if (problems.length === edits.length) throw nothingWritten(shown, problems);
  if (text === before)
    throw fault(
      'invalid',
      joined(
        [told`The edits to ${shown} cancel each other out; nothing was written.`, ...problems],
        '\n',
      ),
    );
  const made = edits.length - problems.length;
  const summary = `${made} of ${edits.length} edits ${made === 1 ? 'was' : 'were'} made, ${problems.length} ${problems.length === 1 ? 'was' : 'were'} not. Send only what was not made again, corrected.`;
  return {
    text,
    notes: [...tolerant, ...(problems.length === 0 ? [] : [summary, ...problems.map(inEnglish)])],
    left: problems.length,
  };
}

function nothingWritten(shown: string, problems: readonly Told[]): BelayError {
  return fault('invalid', told`Nothing was written to ${shown}. ${joined(problems, '\n')}`);
}

function problemOf(match: Exclude<Match, { kind: 'found' }>, edit: Edit, text: string): Told {
  if (match.kind === 'ambiguous') {
    const shown = match.lines.slice(0, 10).join(', ');
    const more = match.lines.length > 10 ? ' …' : '';
    const all = match.how === 'similar' ? '' : told`, or set replace_all`;
    return told`fits ${String(match.lines.length)} places: lines ${shown}${more}. Give more of the text around the one you mean${all}.`;
  }
  if (match.kind === 'too many')
    return told`fits more than ${String(MOST_PLACES)} places, which is too many for one edit. Give more of the text, or change it with a command.`;
  if (edit.old_string === '')
    return told`has an empty old_string. Give the text to replace, or use write_file for the whole file.`;
  if (edit.new_string !== '' && text.includes(edit.new_string)) {
    return told`does not fit: its old_string is not in the file, but its new_string is, at line ${String(lineAt(text, text.indexOf(edit.new_string)))}. It may be done already.`;
  }
  if (match.nearest === undefined)
    return told`does not fit: nothing like its old_string is in the file. Read the file again.`;
  return told`does not fit: its old_string is not in the file. The nearest text, at line ${String(match.nearest.line)}, is:\n${match.nearest.text}\n`;
}
