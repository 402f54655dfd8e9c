import path from 'node:path';

/** Lines of a message that are shown at most: the difference of two objects may have thousands. */
const messageLines = 60;

/** Places of a stack that are shown at most, the own ones first. */
const places = 6;

/**
 * What went wrong and where, on one line or several: the message, the first places in our own files, and the same of
 * its cause. What was thrown need not be an error.
 */
export function failureText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { message, stack = '', cause } = thrown;
  const uncaught = 'uncaught' in thrown && thrown.uncaught === true ? 'outside of the test: ' : '';
  const lines = message === '' ? [thrown.name] : message.trimEnd().split('\n');
  const shown = lines.slice(0, messageLines);
  const left = lines.length - shown.length;
  if (left > 0) shown.push(`… ${left} more lines`);
  const because = cause === undefined ? [] : `because of: ${failureText(cause)}`.split('\n');
  return [`${uncaught}${shown.join('\n')}`, ...stackPlaces(stack), ...because].join('\n');
}

/** The first lines of a stack, those of the runtime and of libraries left out where there are others. */
function stackPlaces(stack: string): string[] {
  const all = stack.split('\n').filter((line) => /^\s+at /u.test(line));
  const own = all.filter((line) => !/node:internal|node_modules/u.test(line));
  return (own.length > 0 ? own : all)
    .slice(0, places)
    .map((line) => `  ${line.trim().replaceAll(/(?:file:\/\/)?(\/[^\s():]+)/gu, shortened)}`);
}

/** Relative to where the tests run, when it lies there. */
function shortened(file: string): string {
  const absolute = file.replace('file://', '');
  const relative = path.relative(process.cwd(), absolute);
  return relative.startsWith('..') || path.isAbsolute(relative) ? absolute : relative;
}
