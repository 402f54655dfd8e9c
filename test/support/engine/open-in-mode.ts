import { inOrder } from '../model-server/turn.ts';
import type { Turn } from '../model-server/turn.ts';
import { TestEngine } from './test-engine.ts';

type From = Readonly<Record<string, string>> | TestEngine;

/** An engine in mode Ask with a user who reviews: a new one with these files, or one that goes on. */
export const openInAsk = (from: From, script: readonly Turn[]): Promise<TestEngine> =>
  openInMode('ask', from, script);

/** As `openInAsk`, in mode Edit. */
export const openInEdit = (from: From, script: readonly Turn[]): Promise<TestEngine> =>
  openInMode('edit', from, script);

function openInMode(
  mode: 'ask' | 'edit',
  from: From,
  script: readonly Turn[],
): Promise<TestEngine> {
  return TestEngine.open({
    ...(from instanceof TestEngine ? { after: from } : { files: from }),
    settings: { 'permissions.mode': mode },
    host: { reviewed: true },
    script: inOrder(...script),
  });
}
