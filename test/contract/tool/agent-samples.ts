import type { ChildReport } from '../../../src/core/agents/child-report.ts';
import { abortError } from '../../../src/domain/lifetime/abort.ts';
import { untilAborted } from '../../../src/domain/lifetime/until-aborted.ts';
import type { ToolParts } from '../../../src/tools/tool-parts.ts';
import type { Sample } from './samples.ts';

/** A sub-agent that reports at once; that of the task "wait" never does. */
const report = (id: string): ChildReport => ({
  child: {
    id,
    parentId: 'session',
    runId: 'run',
    callId: id,
    charged: { sessionId: 'session', runId: 'run' },
    kind: 'research',
    title: 'Find it',
    rights: { mode: 'read', level: 'owner', roots: [], depth: 0 },
    options: { model: 'model', thinking: 'off' },
  },
  end: { reason: 'done', state: 'completed', canContinue: false },
  words: id === 'huge' ? 'found it '.repeat(10_000) : 'It is in a.ts.',
  session: undefined,
  stranger: undefined,
});

const agents: NonNullable<ToolParts['records']['agents']> = {
  writes: true,
  work: async ({ task }, { signal, callId }) => {
    if (signal.aborted) throw abortError();
    if (task === 'wait') return untilAborted(new Promise<never>(() => undefined), signal);
    return Promise.resolve(report(task === 'huge' ? 'huge' : callId));
  },
};

export const AGENT_SAMPLES = {
  agent: {
    good: { title: 'Find it', task: 'Where is a?' },
    bad: [[{ title: '', task: 'x' }, /"title" needs at least 1/u]],
    changes: false,
    huge: { title: 'Find it', task: 'huge' },
    slow: { title: 'Find it', task: 'wait' },
    needsNoFolder: { title: 'Find it', task: 'Where is a?' },
    parts: (_folder, { records }) => ({ records: { ...records, agents } }),
  },
  write_agent: {
    good: { title: 'Change it', task: 'Rename a.' },
    bad: [[{ title: '', task: 'x' }, /"title" needs at least 1/u]],
    changes: true,
    slow: { title: 'Change it', task: 'wait' },
    needsNoFolder: { title: 'Change it', task: 'Rename a.' },
    parts: (_folder, { records }) => ({ records: { ...records, agents } }),
  },
} as const satisfies Readonly<Record<string, Sample>>;
