import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';

/**
 * A code block as it is put at the prompt of a shell: one line without its end. The `$` that stands before commands in
 * examples is left out.
 * @throws BelayError `invalid` for a text that a terminal would not take as it is shown
 */
export function terminalText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/u.test(text))
    throw fault(
      'invalid',
      told`The block holds control characters, which can make a terminal run it. It was not put into one.`,
    );
  const lines = text.replaceAll('\t', '    ').trim().split('\n');
  const isTranscript = lines.every((line) => /^[$%>] \S/u.test(line));
  const command = isTranscript ? lines.map((line) => line.slice(2)).join('\n') : lines.join('\n');
  if (command === '') throw fault('invalid', told`The block is empty.`);
  return command;
}
