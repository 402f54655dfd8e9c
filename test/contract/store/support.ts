import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Message, Part } from '../../../src/domain/message.ts';
import type { LedgerEntry, Run } from '../../../src/domain/run.ts';
import type { Session } from '../../../src/domain/session/session.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { openStore, type Store, type StoreOptions } from '../../../src/store/store.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { workerFile } from '../../support/worker-file.ts';

/** Milliseconds for a test that starts threads or processes: the machine may be busy with others. */
export const PATIENCE = 60_000;

/** The worker's file. */
export const WORKER = workerFile('store/worker.ts');

/** A folder that is gone after the test. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'belay-store-'));
  // A test may go on as another user, who is to find the database by its name.
  chmodSync(folder, 0o711);
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function open(folder: string, options: Partial<StoreOptions> = {}): Promise<Store> {
  return openStore({
    folder,
    worker: WORKER,
    clock: new SystemClock(),
    log: silentLog,
    ...options,
  });
}

export function session(id: string, more: Partial<Session> = {}): Session {
  return {
    id,
    type: 'main',
    title: `Session ${id}`,
    messageCount: 0,
    inputTokens: 0,
    outputTokens: 0,
    cost: 0,
    createdAt: 1000,
    updatedAt: 1000,
    ...more,
  };
}

export function message(
  sessionId: string,
  seq: number,
  content: string | readonly Part[] = `message ${seq}`,
  more: Partial<Message> = {},
): Message {
  const parts: readonly Part[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return { id: `m-${seq}`, sessionId, seq, role: 'user', parts, createdAt: 1000 + seq, ...more };
}

export function run(id: string, sessionId: string, more: Partial<Run> = {}): Run {
  return {
    id,
    sessionId,
    state: 'running',
    iteration: 1,
    model: 'test-model',
    mode: 'ask',
    cancelRequested: false,
    resumeAvailable: false,
    startedAt: 1000,
    heartbeatAt: 1000,
    ...more,
  };
}

export function call(
  runId: string,
  sessionId: string,
  callId: string,
  more: Partial<LedgerEntry> = {},
): LedgerEntry {
  return {
    runId,
    sessionId,
    callId,
    name: 'run_command',
    input: { command: 'true' },
    idempotent: false,
    state: 'running',
    startedAt: 2000,
    attempts: 1,
    ...more,
  };
}
