import { existsSync } from 'node:fs';
import path from 'node:path';
import { escapeName } from '../../../domain/glob/bracket-names.ts';

/** Escapes the segments of a glob that are names of existing files or folders, such as `[id]`; they mean just these. */
export function escapeExistingNames(root: string, pattern: string): string {
  if (!/[[\]{}]/u.test(pattern)) return pattern;
  let folder: string | undefined = root;
  return pattern
    .split('/')
    .map((segment) => {
      const isName = folder !== undefined && !/[*?\\]/u.test(segment) && segment !== '..';
      const entry: string | undefined = isName ? path.join(folder ?? root, segment) : undefined;
      folder = entry !== undefined && existsSync(entry) ? entry : undefined;
      return folder === undefined ? segment : escapeName(segment);
    })
    .join('/');
}
