import { type ModelServer, startModelServer } from '../model-server/server.ts';
import { call, calls, say, type Turn, type WireRequest } from '../model-server/turn.ts';

/** A model that does one step after the other; each is let go by the test. */
export class Steps implements AsyncDisposable {
  readonly server: ModelServer;
  /** Requests that came for each step: more than one were asked twice. */
  readonly asked: number[] = [];
  readonly #gates: PromiseWithResolvers<void>[] = [];
  readonly #count: number;
  readonly #turn: (step: number) => Turn;

  private constructor(
    server: ModelServer,
    count: number,
    turn: (step: number) => Turn = (step) => commandOf(step),
  ) {
    this.server = server;
    this.#count = count;
    this.#turn = turn;
    server.use((request) => this.#answer(request));
  }

  static async of(count: number, turn?: (step: number) => Turn): Promise<Steps> {
    return new Steps(await startModelServer({ script: () => say('') }), count, turn);
  }

  /** Lets the model answer for all steps before this one; `Infinity`: for all. */
  letGo(before: number): void {
    for (let step = 0; step < Math.min(before, this.#count + 1); step += 1)
      this.#gate(step).resolve();
  }

  async #answer(request: WireRequest): Promise<Turn> {
    const step = request.messages.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_use'),
    ).length;
    this.asked[step] = (this.asked[step] ?? 0) + 1;
    await this.#gate(step).promise;
    return step < this.#count ? this.#turn(step) : say('All steps are done.');
  }

  #gate(step: number): PromiseWithResolvers<void> {
    return (this.#gates[step] ??= Promise.withResolvers<void>());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.letGo(Infinity);
    await this.server.close();
  }
}

/** Appends its own line. @param more seconds to wait before and after, as words */
export const commandOf = (step: number, more = ''): Turn =>
  calls(call('run_command', { command: `sh add.sh step-${step}${more}` }, `call-${step}`));
