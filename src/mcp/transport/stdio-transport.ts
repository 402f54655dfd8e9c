import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { cutJson } from '../../domain/data/json-limits.ts';
import { deserializeMessage } from '@modelcontextprotocol/client';
import { LineSplitter } from './line-splitter.ts';
import { answerOf, largestMessage, tooLargeAnswer } from './message-limit.ts';
import type { FloodGuard } from './flood-guard.ts';
import type { ServerLog } from '../status/server-log.ts';
import { UnsentError } from './unsent-error.ts';
import { type ProcessExit, type ServerProcessOptions, ServerProcess } from './server-process.ts';

/** Milliseconds within which the end of a process becomes known after its pipes broke. */
const exitNotice = 200;

/**
 * Talks to a local server over its standard streams, a message a line. The SDK's own transport ends
 * only one process, not its group. By `stderr` and `pid` the SDK recognizes a stdio transport.
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  readonly stderr = null;
  readonly #options: ServerProcessOptions;
  readonly #log: ServerLog;
  readonly #flood: FloodGuard;
  #server: ServerProcess | undefined;
  #closed = false;

  /** Everything the server writes is counted by `flood`; when that trips, the process is ended at once. */
  constructor(options: ServerProcessOptions, log: ServerLog, flood: FloodGuard) {
    this.#options = options;
    this.#log = log;
    this.#flood = flood;
  }

  get pid(): number | null {
    return this.#server?.child.pid ?? null;
  }

  /** The process's end; absent while it runs. */
  get exit(): ProcessExit | undefined {
    return this.#server?.exit;
  }

  /** The same, for a moment after a failure: a broken pipe is noticed before the end of the process. */
  async exitSoon(): Promise<ProcessExit | undefined> {
    await this.#server?.endsWithin(exitNotice);
    return this.exit;
  }

  /** Rejects with the system's error when the command cannot be started. */
  async start(): Promise<void> {
    const server = new ServerProcess(this.#options);
    this.#server = server;
    const lines = new LineSplitter(largestMessage, {
      line: (text) => this.#receive(text),
      tooLong: (head, tail) => this.#tooLong(head, tail),
    });
    const { stdin, stdout, stderr } = server.child;
    stdout?.on('data', (chunk: Buffer) => lines.push(chunk));
    stderr?.setEncoding('utf8').on('data', (text: string) => this.#receiveStderr(text));
    for (const stream of [stdin, stdout, stderr]) {
      stream?.on('error', (error) => this.onerror?.(error));
    }
    await server.started();
    void this.#closeAfter(server);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#server?.child.stdin;
    if (stdin === undefined || stdin === null || !stdin.writable) {
      throw new UnsentError('the server takes no more messages');
    }
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) =>
        error ? reject(new UnsentError(error.message)) : resolve(),
      );
    });
  }

  async close(): Promise<void> {
    await this.#server?.stop();
    this.#close();
  }

  async #closeAfter(server: ServerProcess): Promise<void> {
    await server.ended;
    const { stdout } = server.child;
    // Answers that were written just before the end are still in the pipe.
    if (stdout === null || stdout.closed) this.#close();
    else stdout.once('close', () => this.#close());
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }

  #receiveStderr(text: string): void {
    // 4 KB weigh like a message: logs are cheaper to read.
    if (this.#isFlood(text.length / 4096)) return;
    this.#log.addStderr(text);
  }

  #isFlood(weight: number): boolean {
    if (!this.#flood.count(weight)) return false;
    this.#server?.kill('SIGKILL');
    return true;
  }

  #receive(line: string): void {
    if (this.#isFlood(1)) return;
    const message = parse(line);
    if (message === undefined) this.#log.add('stdout', line);
    else this.onmessage?.(message);
  }

  #tooLong(head: string, tail: string): void {
    const id = answerOf(head, tail);
    this.#log.add('belay', `A message longer than ${largestMessage / 2 ** 20} MB was dropped.`);
    if (id !== undefined) this.onmessage?.(tooLargeAnswer(id));
  }
}

/** A message of the protocol, or `undefined`: servers print other things, too. */
function parse(line: string): JSONRPCMessage | undefined {
  try {
    return deserializeMessage(cutJson(line));
  } catch {
    return undefined;
  }
}
