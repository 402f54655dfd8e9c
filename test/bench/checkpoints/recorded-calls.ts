import { AgentChanges } from '../../../src/core/restore/agent-changes.ts';
import type { ChangeRecord } from '../../../src/core/restore/storage/change-record.ts';
import type { Values } from '../../../src/core/ports/store/values.ts';
import type { WorkspaceSnapshots } from '../../../src/core/ports/files/workspace-snapshots.ts';
import { withRecordedChanges } from '../../../src/core/tool-call/wrappers/recorded-changes.ts';
import type { Tool } from '../../../src/core/tool-call/tool-call.ts';
import { textResult } from '../../../src/core/tool-call/tool-call.ts';
import type { Json } from '../../../src/domain/data/json.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';

/** Calls of commands, recorded as the engine records them, and nothing else of the engine. */
export class RecordedCalls {
  readonly #changes: AgentChanges;
  readonly #values = new MapValues();
  readonly #record: ReturnType<typeof withRecordedChanges>;
  readonly #root: string;
  #calls = 0;
  #onRecorded: () => void = () => undefined;

  constructor(snapshots: WorkspaceSnapshots, root: string) {
    const clock = new SystemClock();
    this.#root = root;
    this.#changes = new AgentChanges({
      snapshots,
      values: this.#values,
      now: () => clock.now(),
    });
    this.#record = withRecordedChanges({
      changes: this.#changes,
      snapshots,
      files: new NodeFileSystem(),
      clock,
      onRecorded: () => this.#onRecorded(),
      log: { ...SILENT, warn: (text, details) => fail(text, details) },
    });
  }

  /** Bytes of the records, which lie beside the snapshots. */
  get bytes(): number {
    return this.#values.bytes;
  }

  /** What a call changed, however long its record takes. */
  async recorded(work: () => void): Promise<ChangeRecord> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onRecorded = resolve;
    await this.call(work);
    await promise;
    const record = (await this.#changes.list(SESSION)).at(-1);
    if (record === undefined) throw new Error('The call has changed nothing.');
    return record;
  }

  /** Takes everything back that a call did. */
  async restore(record: ChangeRecord): Promise<void> {
    await this.#changes.restore(SESSION, await this.#changes.preview([record]));
  }

  /** @returns milliseconds that the call waited for its record, beside the work itself */
  async call(work: () => void): Promise<number> {
    let worked = 0;
    const through = this.#record(({ part }) => {
      const started = performance.now();
      work();
      worked = performance.now() - started;
      return Promise.resolve({ result: textResult(part, 'done', '') });
    });
    this.#calls += 1;
    const started = performance.now();
    await through({
      part: { type: 'tool_call', id: `c${this.#calls}`, name: COMMAND.name, input: {} },
      tool: COMMAND,
      context: {
        callId: `c${this.#calls}`,
        runId: 'run',
        sessionId: SESSION,
        roots: [this.#root],
        signal: new AbortController().signal,
        emit: () => undefined,
        recordProcess: () => Promise.resolve(),
      },
    });
    return performance.now() - started - worked;
  }
}

const SESSION = 'session';

const COMMAND: Tool = {
  name: 'run_command',
  description: '',
  inputSchema: {},
  sideEffects: true,
  level: 'user',
  module: 'terminal',
  permission: 'execute',
  check: (input) => ({ input }),
  run: () => Promise.reject(new Error('The bench works itself.')),
};

const SILENT = { debug: () => undefined, info: () => undefined, error: () => undefined };

function fail(text: string, details: unknown): never {
  throw new Error(`${text} ${JSON.stringify(details)}`);
}

/** In memory: what writing to the store takes is measured elsewhere. */
class MapValues implements Values {
  readonly #values = new Map<string, Json>();

  get bytes(): number {
    return [...this.#values.values()].reduce(
      (sum: number, value) => sum + JSON.stringify(value).length,
      0,
    );
  }

  get(key: string): Promise<Json | undefined> {
    return Promise.resolve(this.#values.get(key));
  }

  set(key: string, value: Json): Promise<void> {
    this.#values.set(key, value);
    return Promise.resolve();
  }

  list(prefix: string): Promise<readonly { readonly key: string; readonly value: Json }[]> {
    const found = [...this.#values].filter(([key]) => key.startsWith(prefix));
    return Promise.resolve(found.map(([key, value]) => ({ key, value })));
  }
}
