import { type FileChange, PatchProblem } from './patch.ts';
import { readPatchFormat } from './patch-format.ts';
import { readUnifiedDiff } from './unified-diff.ts';

/** Reads a patch: `*** Begin Patch` or unified diff, fenced or not. Throws `PatchProblem`. */
export function readPatch(text: string): readonly FileChange[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const begin = lines.findIndex((line) => line.trim() === '*** Begin Patch');
  const header = lines.findIndex((line) => /^\*\*\* (?:Add|Update|Delete) File: /u.test(line));
  const changes =
    begin !== -1 || header !== -1
      ? readPatchFormat(lines, begin === -1 ? header : begin + 1)
      : readUnifiedDiff(lines);
  if (changes.length === 0)
    throw new PatchProblem(
      'changes no file: it is neither in the patch format nor a unified diff',
      1,
    );
  const paths = changes.flatMap((change) =>
    change.kind === 'update' && change.moveTo !== undefined
      ? [change.path, change.moveTo]
      : [change.path],
  );
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice !== undefined)
    throw new PatchProblem(
      `names ${twice} twice; put all that is to happen to it under one header`,
      1,
    );
  return changes;
}
