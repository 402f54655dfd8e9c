import { inWords } from '../../domain/text/told.ts';
import { structuredPatch } from 'diff';
import type { TypedForm } from '../../domain/mcp/server-request.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import type { ApprovalQuestion, PlannedEdit } from '../../core/ports/person/approval.ts';
import type { HumanQuestion } from '../../core/ports/person/human.ts';
import { ruleText } from '../../core/permissions/rules/rule-text.ts';
import { cutRows, readHunk, type DiffLine } from '../../protocol/diff-lines.ts';
import type { ApprovalView, EditView, QuestionView } from '../../protocol/view.ts';

/** Lines of a diff on the card; the diff editor shows all. */
const LINES_SHOWN = 120;
/** Characters of a line on the card. */
const LINE_LIMIT = 400;
/** Texts larger than this are not compared on the extension host's only thread. */
const COMPARE_LIMIT = 2_000_000;
/** Milliseconds a comparison may take. */
const COMPARE_TIME = 100;

/**
 * An approval for the panel. `detail` is sent whole: the answer's hash is of all of it.
 * @param agent name of the sub-agent that asks; empty: none
 */
export function approvalView(question: ApprovalQuestion, agent = ''): ApprovalView {
  return {
    questionId: question.id,
    callId: question.callId,
    agent,
    tool: question.tool,
    title: makeVisible(question.title),
    detail: question.detail,
    prose: question.prose === true,
    where: question.where ?? '',
    reason: reasonOf(question),
    hash: question.hash,
    runId: question.runId,
    keep: (question.keep ?? []).map((rule) => inWords(ruleText(rule))),
    remembersCheck: question.remembersCheck === true,
    edits: (question.edits ?? []).map(editView),
    offersAllEdits: question.offersAllEdits === true,
    isSelectable: question.isSelectable === true,
  };
}

/** In the language of the person, as far as it is known. */
const reasonOf = ({ reason = '', told }: ApprovalQuestion): string =>
  told === undefined ? reason : told.map(inWords).join(' ');

export function questionView(question: HumanQuestion, typed: TypedForm = {}): QuestionView {
  return {
    questionId: question.id,
    callId: question.callId,
    question: makeVisible(question.question),
    choices: question.choices,
    several: question.several === true,
    request: question.request ?? null,
    typed,
  };
}

function editView(edit: PlannedEdit): EditView {
  const { path, creates, deletes = false } = edit;
  const name = makeVisible(edit.name);
  const movesTo = edit.movesTo === undefined ? null : makeVisible(edit.movesTo.name);
  const about = { path, name, creates, deletes, movesTo };
  const hunks = compare(edit);
  if (hunks === undefined) return { ...about, added: 0, removed: 0, lines: [], complete: false };
  const all = hunks.flatMap(({ lines, oldStart, newStart }, index): readonly DiffLine[] => {
    const rows = readHunk(lines, oldStart, newStart);
    return index > 0 ? [{ kind: 'gap', text: '', line: null }, ...rows] : rows;
  });
  const rows = all.slice(0, LINES_SHOWN);
  const count = (kind: DiffLine['kind']): number =>
    all.filter((row) => row.kind === kind && row.end === undefined).length;
  return {
    ...about,
    added: count('added'),
    removed: count('removed'),
    lines: cutRows(rows, LINE_LIMIT).map((row) => ({ ...row, text: makeVisible(row.text) })),
    complete: rows.length === all.length && rows.every(({ text }) => text.length <= LINE_LIMIT),
  };
}

interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

/** `undefined`: too large to be compared here. */
function compare(edit: PlannedEdit): readonly Hunk[] | undefined {
  if (edit.before.length + edit.after.length > COMPARE_LIMIT) return undefined;
  return structuredPatch('', '', edit.before, edit.after, '', '', {
    context: 3,
    timeout: COMPARE_TIME,
  })?.hunks;
}
