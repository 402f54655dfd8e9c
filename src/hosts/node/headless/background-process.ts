import { told, verbatim } from '../../../domain/text/told.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fault } from '../../../domain/failure.ts';
import { isJsonObject } from '../../../domain/data/json.ts';
import type { BackgroundOrder } from './background-order.ts';

/**
 * A process that goes on with a run, in a session of its own: the end of its window is not its end. The order with its
 * keys goes over standard input alone.
 */
export class BackgroundProcess {
  readonly #child: ChildProcess;
  readonly #words: AsyncIterator<string, undefined>;
  /** The system's reason why there is no process. */
  #problem = '';

  private constructor(program: string) {
    // In VS Code this is Electron, which the variable makes a Node; no command gets it.
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    const stdio = ['pipe', 'pipe', 'ignore'] as const;
    this.#child = spawn(process.execPath, [program, 'background'], {
      detached: true,
      windowsHide: true,
      env,
      stdio: [...stdio],
    });
    // Its output ends, which is told.
    this.#child.on('error', ({ message }) => (this.#problem = message));
    this.#child.stdin?.on('error', () => undefined); // it has ended, which is told
    const { stdout } = this.#child;
    if (stdout === null) throw new TypeError('The process has no standard output.');
    this.#words = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  /** @param program the bundled headless host; resolves when it is ready, rejects with its sentence when it is not */
  static async start(program: string, order: BackgroundOrder): Promise<BackgroundProcess> {
    const started = new BackgroundProcess(program);
    started.#send(order);
    await started.#hears('ready');
    return started;
  }

  /** The run has stopped in the window: resolves when the process has it. @param order as it is now */
  async goOn(order: BackgroundOrder): Promise<void> {
    this.#send(order);
    await this.#hears('begun');
    this.#letGo();
  }

  /** It is not needed after all. */
  end(): void {
    this.#child.kill();
    this.#letGo();
  }

  #send(order: BackgroundOrder): void {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  async #hears(expected: string): Promise<void> {
    const { value } = await this.#words.next();
    const word = wordIn(value);
    if (isJsonObject(word) && word['said'] === expected) return;
    this.end();
    if (isJsonObject(word) && typeof word['why'] === 'string')
      throw fault('unexpected', verbatim(word['why']));
    throw fault('unexpected', told`The process in the background did not start. ${this.#problem}`);
  }

  /** From now on this process does not wait for it. */
  #letGo(): void {
    this.#child.stdin?.destroy();
    this.#child.stdout?.destroy();
    this.#child.unref();
  }
}

/** `undefined`: it has ended, or this is no word of Belay's. */
function wordIn(line = ''): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
