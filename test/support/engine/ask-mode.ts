import { inOrder } from '../model-server/turn.ts';
import type { Turn } from '../model-server/turn.ts';
import { TestEngine } from './test-engine.ts';

/** An engine in mode Ask whose edits are reviewed: a new one with these files, or one that goes on. */
export function openInAsk(
  from: Readonly<Record<string, string>> | TestEngine,
  script: readonly Turn[],
): Promise<TestEngine> {
  return TestEngine.open({
    ...(from instanceof TestEngine ? { after: from } : { files: from }),
    settings: { 'permissions.mode': 'ask' },
    host: { reviewed: true },
    script: inOrder(...script),
  });
}
