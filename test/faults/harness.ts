import { composedCall, modelRequest, outcomeOf } from '../support/model-call.ts';
import type { ComposedOptions, Outcome } from '../support/model-call.ts';
import type { ModelRequest } from '../../src/core/model-call/model-call.ts';
import { startModelServer } from '../support/model-server/server.ts';
import type { ModelServer, ModelServerOptions } from '../support/model-server/server.ts';
import type { Script } from '../support/model-server/turn.ts';

export interface Played extends Outcome {
  readonly server: ModelServer;
}

type Stop = () => Promise<void>;

/**
 * Plays scripts against the model call as the product composes it, over real HTTP, and closes every
 * server afterwards. Call it at the top of a `describe`.
 */
export function players(): {
  /** One call against a server with this script. */
  readonly play: (
    script: Script,
    request?: Partial<ModelRequest>,
    options?: PlayOptions,
  ) => Promise<Played>;
  /** A server that is closed after the test. */
  readonly serve: (options: ModelServerOptions) => Promise<ModelServer>;
} {
  const stops: Stop[] = [];
  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
  });
  const serve = async (options: ModelServerOptions): Promise<ModelServer> => {
    const server = await startModelServer(options);
    stops.push(() => server.close());
    return server;
  };
  return {
    serve,
    async play(script, request = {}, options = {}) {
      const server = await serve({ script, ...options.server });
      const { call } = composedCall({ baseUrl: server.url, ...options.composed });
      const outcome = await outcomeOf(call, modelRequest(request));
      return { ...outcome, server };
    },
  };
}

export interface PlayOptions {
  readonly server?: Omit<ModelServerOptions, 'script'>;
  readonly composed?: Omit<ComposedOptions, 'baseUrl'>;
}

/** The countdowns that were shown. */
export const waits = ({
  emitted,
}: Outcome): readonly { readonly reason: string; readonly attempt: number }[] =>
  emitted.filter((event) => event.type === 'model.waiting');

export const discards = ({ events }: Outcome): number =>
  events.filter(({ type }) => type === 'discard').length;
