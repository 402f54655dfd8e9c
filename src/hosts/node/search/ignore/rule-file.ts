import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Bytes of rules that are read of one file; nobody writes more. Each rule is matched with each path. */
const MOST = 2 ** 16;

/** `refuse`: a link in its place is no file of rules, as for git, because a repository may hold any link. */
export type RuleLink = 'follow' | 'refuse';

/** The text of a file of rules, or nothing: pipes are not waited for, devices not read. */
export async function ruleText(file: string, link: RuleLink): Promise<string> {
  const nofollow = link === 'refuse' ? (constants.O_NOFOLLOW ?? 0) : 0;
  try {
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | nofollow);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) return '';
      const bytes = Buffer.allocUnsafe(Math.min(stat.size, MOST));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      return bytes.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return '';
  }
}
