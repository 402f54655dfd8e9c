import { spawn } from 'node:child_process';
import path from 'node:path';
import type { RunEvent } from '../../../src/domain/event.ts';

const root = path.resolve(import.meta.dirname, '../../..');

export interface HeadlessOptions {
  readonly modelUrl: string;
  readonly workspace: string;
  readonly data: string;
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds after which its process group is killed with SIGKILL. */
  readonly killAfterMs?: number;
  /** Hears of each line of standard output as it comes. */
  readonly onLine?: (line: string) => void;
}

export interface HeadlessResult {
  /** `null` when it was killed. */
  readonly code: number | null;
  readonly killed: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** The last line of standard error: what a person reads. */
  readonly message: string;
}

/** Runs the bundled headless host (dist/headless.cjs) in a process group of its own. */
export async function headless(options: HeadlessOptions): Promise<HeadlessResult> {
  const { modelUrl, workspace, data, environment = {} } = options;
  const child = spawn(
    process.execPath,
    [
      path.join(root, 'dist/headless.cjs'),
      ...['--model-url', modelUrl, '--workspace', workspace, '--data', data],
      ...(options.arguments ?? []),
    ],
    {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ANTHROPIC_API_KEY: 'test-key', ...environment },
    },
  );
  let stdout = '';
  let stderr = '';
  let killed = false;
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) options.onLine?.(line);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const kill = (): void => {
    if (child.pid === undefined || child.exitCode !== null) return;
    killed = true;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // it ended by itself in this moment
    }
  };
  const timer =
    options.killAfterMs === undefined ? undefined : setTimeout(kill, options.killAfterMs);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  clearTimeout(timer);
  return { code, killed, stdout, stderr, message: stderr.trim().split('\n').at(-1) ?? '' };
}

/** The events that `--json` printed. */
export function eventsOf(result: Pick<HeadlessResult, 'stdout'>): RunEvent[] {
  return result.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as RunEvent);
}
