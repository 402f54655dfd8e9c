import { hunksOf } from '../../../core/review/model/hunks.ts';
import type { Reviews } from '../../../core/review/service/reviews.ts';
import type { Log } from '../../../core/ports/log.ts';
import type { ContextTools } from '../../../mcp/server/context-tools.ts';
import type { PanelInput, PanelSetup } from '../../../panel/services.ts';
import type { WindowEngine } from '../commands/services.ts';
import { signalOf } from '../extension-tools/cancellation.ts';
import type { NativeSurfaces } from '../startup/native-doors.ts';
import { NativeChat } from './native-chat.ts';
import { storedThreads } from './stored-threads.ts';

export interface NativeSurfacesParts {
  readonly engine: Pick<WindowEngine, 'agent' | 'broker' | 'fork' | 'store' | 'reviews'>;
  readonly input: Pick<PanelInput, 'take'>;
  readonly lent: () => Promise<ContextTools>;
  readonly roots: () => readonly string[];
  /** Of new sessions. */
  readonly setup: Pick<PanelSetup, 'choice' | 'defaults'>;
  readonly log: Log;
}

/** Answers VS Code's own chat, and other extensions' agents. */
export function nativeSurfaces(parts: NativeSurfacesParts): NativeSurfaces {
  const { engine, input, lent, roots, setup, log } = parts;
  const { agent, broker, fork, store, reviews } = engine;
  const chat = new NativeChat({
    agent,
    broker,
    fork,
    threads: storedThreads(store.values),
    input,
    ids: store.ids,
    roots,
    options: async () => {
      await setup.choice.settle?.();
      return setup.defaults();
    },
    isThere: async (id) => (await store.transcripts.session(id)) !== undefined,
    changed: (id) => changedBy(reviews, id),
    log,
  });
  return {
    chat: async (...given) => chat.answer(...given),
    lend: async (tool, given, token) => {
      const stop = signalOf(token);
      try {
        return await (await lent()).call(tool, given, stop.signal);
      } finally {
        stop.dispose();
      }
    },
  };
}

/** Files with changes of a session that wait for the person, each once. */
function changedBy(reviews: Reviews | undefined, sessionId: string): readonly string[] {
  const files = (reviews?.pending ?? []).flatMap((review) =>
    hunksOf(review).some(({ by }) => by.some((one) => one.sessionId === sessionId))
      ? review.path
      : [],
  );
  return [...new Set(files)];
}
