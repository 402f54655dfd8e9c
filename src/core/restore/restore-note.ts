/** Paths named to the model; the others are counted. */
const MAX_NAMED = 30;
/** Characters of decisions that are told again; the newest. */
const MAX_DECIDED_CHARS = 12_000;

/** The note after the conversation alone went back; `decided`: the decisions told in that part. */
export function conversationOnlyText(
  changed: readonly string[],
  decided: readonly string[],
): string {
  const files =
    changed.length === 0
      ? 'No change of files since is on record.'
      : `These files were changed after this point and are still as they became: ${named(changed)}.`;
  return `The person took this conversation back to this point; what came after it was removed. Files and everything else in the workspace were not taken back. ${files} Read a file again before you rely on it.${decidedText(decided)}`;
}

/** The files alone went back: the conversation is ahead of them. */
export function filesOnlyText(restored: readonly string[]): string {
  return `The person put files back to how they were before an earlier request: ${named(restored)}. What this conversation says about them may no longer hold. Read a file again before you rely on it, and do not repeat the changes unless you are asked to.`;
}

/** The note after both went back but for some files; `decided` of files that went back is void. */
export function keptFilesText(kept: readonly string[], decided: readonly string[]): string {
  const left = decided
    .flatMap((text) => text.split(/^(?=The person )/mu))
    .map((sentence) => sentence.trimEnd())
    .filter((sentence) => kept.some((path) => isNamedIn(sentence, path)));
  return `The person took this conversation and the files back to this point, but these files were left as they became later: ${named(kept)}. Read them again before you rely on them.${decidedText(left)}`;
}

/** True when a sentence about a decision names a file, and not one whose name is longer. */
function isNamedIn(sentence: string, path: string): boolean {
  const [first = ''] = sentence.split('\n', 1);
  const at = first.indexOf(path);
  return at !== -1 && !/^[\p{L}\p{N}_/\\-]|^\.[\p{L}\p{N}]/u.test(first.slice(at + path.length));
}

/** A restore of files was undone after something else had been said. */
export function filesAgainText(changed: readonly string[]): string {
  return `The user undid a restore of files; they are as they were before it: ${named(changed)}. Read a file again before you rely on it.`;
}

/** The note in a fork whose workspace has moved on; `decided`: decisions behind the copied part. */
export function forkText(changed: readonly string[], decided: readonly string[]): string {
  const files =
    changed.length === 0
      ? ''
      : ` These files were changed after this point and are as they became: ${named(changed)}.`;
  return `This conversation is a copy of the beginning of another one, which may go on beside it in the same workspace.${files} Read a file again before you rely on it.${decidedText(decided)}`;
}

/** Decisions outlive the part of a conversation that told them: they are in the files. */
function decidedText(decided: readonly string[]): string {
  if (decided.length === 0) return '';
  const text = decided.join('\n');
  const told =
    text.length <= MAX_DECIDED_CHARS
      ? text
      : `… (older ones are left out: read the files)\n${text.slice(-MAX_DECIDED_CHARS)}`;
  return ` What the person decided about your changes after this point still holds:\n<review>\n${told}\n</review>`;
}

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_NAMED).join(', ');
  return paths.length > MAX_NAMED ? `${shown} and ${paths.length - MAX_NAMED} more` : shown;
}
