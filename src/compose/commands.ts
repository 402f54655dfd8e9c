import { BackgroundCommands } from '../core/background/background-commands.ts';
import { spooledResults } from '../core/background/spooled-results.ts';
import type { ModelNotice } from '../core/run/model-notices.ts';
import type { Blobs } from '../core/ports/store/blobs.ts';
import type { Store } from '../store/store.ts';
import type { BaseHost } from './engine-host.ts';

/** Commands that go on beside runs, and outputs on disk. */
export interface Commands {
  /** `undefined` where the host cannot keep commands. */
  readonly background: BackgroundCommands | undefined;
  /** Results that were too long to be shown whole, wherever they are kept; attachments. */
  readonly blobs: Pick<Blobs, 'result' | 'attachment'>;
  /** Sentences for the model about commands that ended; each told once. */
  news(sessionId: string): readonly ModelNotice[];
  /** Running and ended commands, for the note beside the person's message. */
  notes(sessionId: string): readonly string[];
  forget(sessionId: string): Promise<void>;
  dispose(): Promise<void>;
}

export function composeCommands(host: BaseHost, store: Store): Commands {
  const { clock, log } = host;
  const { spool, backgroundShell: shell, stopAbandoned } = host.commands;
  const { ids, values } = store;
  const background =
    shell === undefined
      ? undefined
      : new BackgroundCommands({ shell, clock, ids, log, values, stopAbandoned });
  void clearSpool(host, store);
  return {
    background,
    blobs: {
      ...spooledResults(store.blobs, spool),
      attachment: async (...asked) => store.blobs.attachment(...asked),
    },
    news: (sessionId) =>
      (background?.takeNews(sessionId) ?? []).map((text) => ({ about: 'background', text })),
    notes: (sessionId) => [
      ...(background?.running(sessionId) ?? []),
      ...(background?.takeNews(sessionId) ?? []),
    ],
    forget: async (sessionId) => background?.forget(sessionId),
    dispose: async () => background?.dispose(),
  };
}

/** Outputs of sessions that are not there any more go. */
async function clearSpool({ commands, log }: BaseHost, { transcripts }: Store): Promise<void> {
  try {
    await commands.spool?.keepOnly((await transcripts.sessions()).map(({ id }) => id));
  } catch (error) {
    log.warn('Old outputs could not be cleared away.', { reason: String(error) });
  }
}
