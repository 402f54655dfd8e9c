import { open } from 'node:fs/promises';
import type { TextSearchRequest } from '../../../core/ports/files/search.ts';
import type { LeftOut } from '../../../core/ports/files/left-out.ts';
import { searchedFiles } from './plain-search.ts';
import { type SearchRules, LARGEST_SEARCHED } from './search-rules.ts';

/** Milliseconds that the count may take: it comes after a search that found nothing, which may be right. */
const PATIENCE = 2000;
const MOST_EXAMPLES = 3;
/** Bytes of the beginning of a file in which a zero says that it is binary. */
const PROBE = 65_536;

/** Counts what a search leaves out, of a search for names only what it does not list; `undefined`: nothing. */
export async function leftOut(
  request: Pick<TextSearchRequest, 'root' | 'include' | 'exclude'>,
  rules: SearchRules,
  signal: AbortSignal,
  content: 'content' | 'names',
): Promise<LeftOut | undefined> {
  const counts = {
    tooLarge: 0,
    binary: 0,
    unreadable: 0,
    folders: 0,
    ignored: 0,
    ignoredFolders: 0,
  };
  const examples: string[] = [];
  const note = (kind: keyof typeof counts, file: string): void => {
    counts[kind] += 1;
    if (kind !== 'binary' && examples.length < MOST_EXAMPLES) examples.push(file);
  };
  const probe = Buffer.allocUnsafe(PROBE);
  const until = performance.now() + PATIENCE;
  let complete = true;
  for await (const batch of searchedFiles(request, rules, signal, note)) {
    for (const { path: file } of batch) {
      const kind = content === 'content' ? await kindOf(file, probe) : undefined;
      if (kind !== undefined) note(kind, file);
      complete &&= performance.now() < until;
      if (!complete) break;
    }
    if (!complete) break;
  }
  return Object.values(counts).every((count) => count === 0) && complete
    ? undefined
    : { ...counts, examples, complete };
}

async function kindOf(
  file: string,
  probe: Buffer,
): Promise<'tooLarge' | 'binary' | 'unreadable' | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      if ((await handle.stat()).size > LARGEST_SEARCHED) return 'tooLarge';
      const { bytesRead } = await handle.read(probe, 0, probe.length, 0);
      const start = probe.subarray(0, bytesRead);
      const isUtf16 = ['fffe', 'feff'].includes(start.toString('hex', 0, 2));
      return !isUtf16 && start.includes(0) ? 'binary' : undefined;
    } finally {
      await handle.close();
    }
  } catch {
    return 'unreadable';
  }
}
