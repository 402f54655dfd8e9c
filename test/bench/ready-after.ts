import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BelayPage } from '../ui/belay-page.ts';

/** What the log says about the start: from the first line of Belay's code until this is ready. */
export async function readyAfter(belay: BelayPage, what: string): Promise<number> {
  const { data } = belay.workbench.server;
  const files = (await readdir(data, { recursive: true })).filter((file) =>
    file.endsWith('belay.log'),
  );
  for (const file of files) {
    const text = await readFile(path.join(data, file), 'utf8');
    const found = new RegExp(`${what} is ready\\.[^\\n]*"milliseconds":(\\d+)`, 'u').exec(
      text,
    )?.[1];
    if (found !== undefined) return Number(found);
  }
  return Number.NaN;
}
