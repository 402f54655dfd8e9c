import type { PanelRecords } from '../../../src/panel/services.ts';
import type { Stage } from './stage.ts';
import { select } from './stored-messages.ts';

/** The store of a stage: its arrays. */
export function stageTranscripts(
  stage: Pick<Stage, 'calls' | 'compactions' | 'messages' | 'reading' | 'sessions'>,
): PanelRecords['transcripts'] {
  return {
    session: async (id) => {
      await stage.reading;
      return stage.sessions.get(id);
    },
    messages: async (query) => select(stage.messages.get(query.sessionId) ?? [], query),
    compactions: async (id) => stage.compactions.get(id) ?? [],
    search: async (query, limit) =>
      [...stage.messages]
        .flatMap(([sessionId, messages]) =>
          messages.flatMap((message) =>
            message.parts.flatMap((part) =>
              part.type === 'text' && part.text.includes(query)
                ? [{ sessionId, messageSeq: message.seq, excerpt: part.text.slice(0, 80) }]
                : [],
            ),
          ),
        )
        .slice(0, limit),
    markSession: async (id, marks) => {
      stage.calls.push(`mark ${id} ${JSON.stringify(marks)}`);
      const session = stage.sessions.get(id);
      if (session !== undefined) stage.sessions.set(id, { ...session, ...marks });
    },
  };
}
