import type { CheckedFile, KeptProblem } from '../../../domain/review/evidence.ts';
import { type Json, type JsonObject, isJsonObject } from '../../../domain/data/json.ts';
import type { Problem } from '../../ports/editor/language.ts';

/** Problems of a file that are kept, and characters of a message. */
const MAX_PROBLEMS = 30;
const MAX_MESSAGE_CHARS = 200;

/** The errors and warnings of a file around a change, as they are kept. */
export function checkedFile(
  { path, at, answered }: Pick<CheckedFile, 'path' | 'at' | 'answered'>,
  before: readonly Problem[],
  after: readonly Problem[],
): CheckedFile {
  const cut = before.length > MAX_PROBLEMS || after.length > MAX_PROBLEMS;
  return {
    path,
    at,
    answered,
    before: before.slice(0, MAX_PROBLEMS).flatMap(keptProblem),
    after: after.slice(0, MAX_PROBLEMS).flatMap(keptProblem),
    ...(cut ? { cut: true } : {}),
  };
}

function keptProblem({ line, severity, message, source, code }: Problem): readonly KeptProblem[] {
  if (severity !== 'error' && severity !== 'warning') return [];
  return [{ line, severity, message: message.slice(0, MAX_MESSAGE_CHARS), source, code }];
}

/** A call's display with what was checked: there secrets are masked, and no model sees it. */
export function withChecked(
  display: JsonObject | undefined,
  checked: readonly CheckedFile[],
): JsonObject | undefined {
  return checked.length === 0 ? display : { ...display, checked: checked as unknown as Json };
}

/** Files that were checked, by the display of a call; that may be anything. */
export function checkedIn(display: JsonObject | undefined): readonly CheckedFile[] {
  const files = display?.['checked'];
  return Array.isArray(files) ? files.flatMap((file) => readFile(file)) : [];
}

function readFile(value: unknown): readonly CheckedFile[] {
  if (!isJsonObject(value)) return [];
  const { path, at, answered, before, after, cut } = value;
  if (typeof path !== 'string' || typeof at !== 'number') return [];
  return [
    {
      path,
      at,
      answered: answered === true,
      before: readProblems(before),
      after: readProblems(after),
      ...(cut === true ? { cut } : {}),
    },
  ];
}

function readProblems(value: unknown): readonly KeptProblem[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown): readonly KeptProblem[] => {
    if (!isJsonObject(one)) return [];
    const { line, severity, message, source, code } = one;
    if (typeof line !== 'number' || (severity !== 'error' && severity !== 'warning')) return [];
    const text = (field: unknown): string => (typeof field === 'string' ? field : '');
    return [{ line, severity, message: text(message), source: text(source), code: text(code) }];
  });
}
