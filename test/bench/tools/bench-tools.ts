import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Tool, ToolContext } from '../../../src/core/tool-call/tool-call.ts';
import { settingsFrom } from '../../../src/domain/settings/read-settings.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { NodeFileOperations } from '../../../src/hosts/node/files/file-operations.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';
import { NodeIgnoredPaths } from '../../../src/hosts/node/search/ignore/belay-ignore.ts';
import { NodeSearch } from '../../../src/hosts/node/search/search.ts';
import { NodeShell } from '../../../src/hosts/node/processes/shell.ts';
import { journalsInMemory } from '../../support/journals-in-memory.ts';
import { NO_MEMORIES } from '../../support/no-memories.ts';
import { ReadState } from '../../../src/tools/editing/read-state.ts';
import { MapValues } from '../../support/map-values.ts';
import { createTools } from '../../../src/tools/registry.ts';
import { ripgrepForTests } from '../../contract/search/ripgrep-for-tests.ts';

/** The built-in tools of plain Node, without the wrappers of a call: what the tools themselves cost. */
export function benchTools(root: string): {
  readonly tools: readonly Tool[];
  readonly context: () => ToolContext;
  readonly dispose: () => void;
} {
  const ripgrep = ripgrepForTests();
  const shell = new NodeShell();
  let ids = 0;
  const tools = createTools({
    disk: {
      files: new NodeFileSystem(),
      operations: new NodeFileOperations(path.join(tmpdir(), 'belay-bench-removed')),
      search: new NodeSearch(ripgrep === undefined ? [] : [ripgrep]),
      ignored: new NodeIgnoredPaths(),
    },
    commands: { shell, roots: () => [root], blobs: { result: () => Promise.resolve(undefined) } },
    human: { ask: () => Promise.reject(new Error('Nobody is there.')) },
    records: {
      attachments: { attachment: async () => Promise.resolve(undefined) },
      todos: { writeByModel: () => Promise.reject(new Error('There is no list.')) },
      journals: journalsInMemory(),
      memories: NO_MEMORIES,
    },
    clock: new SystemClock(),
    ids: { next: (kind) => `${kind}-${(ids += 1)}` },
    readState: new ReadState(new MapValues(), new SystemClock()),
    settings: settingsFrom(
      () => undefined,
      () => undefined,
    ),
  });
  return {
    tools,
    context: () => ({
      callId: 'call',
      runId: 'run',
      sessionId: 'session',
      roots: [root],
      signal: new AbortController().signal,
      emit: () => undefined,
      recordProcess: () => Promise.resolve(),
    }),
    dispose: () => shell.dispose(),
  };
}
