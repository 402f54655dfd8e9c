import type {
  CallToolRequest,
  CallToolResult,
  Client,
  Progress,
} from '@modelcontextprotocol/client';
import type { Clock } from '../../core/ports/clock.ts';
import { anyResult, requestTimeout } from './pages.ts';

/** Milliseconds between two looks at a task, whatever the server wishes. */
const pollLimits = { least: 100, most: 10_000, usual: 1000 };
/** Milliseconds for the result of a task; a question to the person may come with it. */
const resultTimeout = 24 * 60 * 60 * 1000;

interface TaskState {
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
  readonly pollInterval?: number;
}

/**
 * Calls a tool that only runs as a task (2025-11-25): asks how far it is until it ends, then for its result. When the
 * signal fires the server is told to cancel it.
 */
export async function callAsTask(
  client: Client,
  params: CallToolRequest['params'],
  clock: Clock,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: Progress) => void },
): Promise<CallToolResult> {
  const ask = async (method: string, more: object, timeout = requestTimeout): Promise<unknown> =>
    client.request({ method, params: { ...more } }, anyResult, { signal, timeout });
  const created = await ask('tools/call', { ...params, task: {} });
  if (!hasTask(created)) return created as CallToolResult;
  const { taskId } = created.task;
  const cancel = (): void => {
    const told = client.request({ method: 'tasks/cancel', params: { taskId } }, anyResult);
    told.catch(() => {});
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (let [task, looks] = [created.task, 1]; task.status === 'working'; looks += 1) {
      const wished = task.pollInterval ?? pollLimits.usual;
      await clock.sleep(Math.min(pollLimits.most, Math.max(pollLimits.least, wished)), signal);
      task = (await ask('tasks/get', { taskId })) as TaskState;
      const { statusMessage } = task;
      onProgress({
        progress: looks,
        ...(statusMessage === undefined ? {} : { message: statusMessage }),
      });
    }
    // It waits for its end, and brings along what the server wants to ask the person.
    return (await ask('tasks/result', { taskId }, resultTimeout)) as CallToolResult;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function hasTask(result: unknown): result is { readonly task: TaskState } {
  const { task } = result as { task?: { taskId?: unknown } };
  return typeof task?.taskId === 'string';
}
