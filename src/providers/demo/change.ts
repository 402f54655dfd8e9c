import type { ToolSpec } from '../../domain/models/model.ts';
import { readCall } from './explain.ts';
import { type Reply, say, trouble, tryTo } from './reply.ts';
import { lastOf, type Progress } from './progress.ts';
import { fileText } from './tree-text.ts';
import type { Intent } from './understand.ts';

type Replace = Extract<Intent, { kind: 'replace' }>;
type Create = Extract<Intent, { kind: 'create' }>;

/** True when a reading shows the file to its end. */
function isWhole(reading: string): boolean {
  return !/\n\[.* goes on: /u.test(reading);
}

/** "Replace A with B in FILE": read it, make the edit, say what became of it. */
export function replace(
  { from, to, path }: Replace,
  progress: Progress,
  tools: readonly ToolSpec[],
): Reply {
  const edited = lastOf(progress, 'edit_file');
  if (edited !== undefined) {
    const problem = trouble(edited);
    if (problem !== undefined) return say(`${problem} \`${path}\` is as it was.`);
    return say(
      `Done: “${from}” is “${to}” now in \`${path}\`. ${edited.text.split('\n')[0] ?? ''}`,
    );
  }
  const read = lastOf(progress, 'read_file');
  if (read === undefined) return tryTo(tools, `I read \`${path}\` first.`, readCall(path));
  const problem = trouble(read);
  if (problem !== undefined) return say(problem);
  const times = fileText(read.text).split(from).length - 1;
  if (times === 0 && isWhole(read.text)) {
    return say(
      `“${from}” does not come up in \`${path}\`, so there is nothing to replace. Upper and lower case matter.`,
    );
  }
  const places =
    times === 1 ? 'one place' : times === 0 ? 'the part I have not seen' : `${times} places`;
  return tryTo(tools, `I make the edit, in ${places}. You can undo it.`, {
    name: 'edit_file',
    input: { path, edits: [{ old_string: from, new_string: to, replace_all: true }] },
  });
}

/** "Create FILE with TEXT". */
export function create(
  { path, text }: Create,
  progress: Progress,
  tools: readonly ToolSpec[],
): Reply {
  const written = lastOf(progress, 'write_file');
  if (written === undefined) {
    return tryTo(tools, `I write \`${path}\`. You can undo it.`, {
      name: 'write_file',
      input: { path, content: text.endsWith('\n') ? text : `${text}\n` },
    });
  }
  const problem = trouble(written);
  return problem === undefined
    ? say(
        `Done. ${written.text.split('\n')[0] ?? ''} Try: replace "${text.split(/\s/u)[0] ?? ''}" with "something else" in ${path}`,
      )
    : say(problem);
}
