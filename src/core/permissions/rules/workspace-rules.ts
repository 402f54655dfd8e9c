import { told, type Told } from '../../../domain/text/told.ts';
import { BelayError } from '../../../domain/failure.ts';
import { cutJson } from '../../../domain/data/json-limits.ts';
import { type RuleList, stricterRules, unreadableRule } from './rule-list.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';

const WORKSPACE_FILE = '.belay/permissions.json';
/** Bytes; a longer file is not read: each of its rules is matched with each path of each call. */
const LONGEST = 32_768;

export async function readWorkspaceFile(
  root: string,
  files: Pick<FileSystem, 'read'>,
): Promise<RuleList> {
  const path = `${root}/${WORKSPACE_FILE}`;
  const broken = (why: Told): RuleList => {
    const note = told`${path} ${why}. Until it is put right, everything is asked about.`;
    return { rules: [unreadableRule('workspace', path, note)], notes: [note] };
  };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await files.read(path, LONGEST));
  } catch (thrown) {
    if (thrown instanceof BelayError && thrown.code === 'not_found')
      return { rules: [], notes: [] };
    return thrown instanceof BelayError && thrown.code === 'invalid'
      ? broken(told`is larger than ${LONGEST} bytes`)
      : broken(told`cannot be read`);
  }
  if (cutJson(text) !== text) return broken(told`has too many values or levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return broken(told`is not JSON`);
  }
  const rules = Array.isArray(value)
    ? (value as unknown[])
    : typeof value === 'object' && value !== null && 'rules' in value
      ? value.rules
      : undefined;
  return Array.isArray(rules)
    ? stricterRules(rules as unknown[], path)
    : broken(told`has no list of rules`);
}
