import type { Message } from '../../../src/domain/message.ts';
import { countMatches, findPattern } from '../../../src/domain/text/find-pattern.ts';
import { readableText } from '../../../src/domain/text/readable-text.ts';
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
    search: async (query, limit) => {
      const found = [...stage.messages].flatMap(([sessionId, messages]) =>
        messages.flatMap(({ role, seq, createdAt: at, ...message }) => {
          const text = said(message);
          const from = text.indexOf(query);
          if (from < 0) return [];
          const pieces = [
            { text: text.slice(Math.max(0, from - 30), from), hit: false },
            { text: query, hit: true },
            { text: text.slice(from + query.length, from + 80), hit: false },
          ];
          return [{ sessionId, messageSeq: seq, role, at, hits: 1, pieces }];
        }),
      );
      return { hits: found.slice(0, limit), complete: true };
    },
    find: async ({ sessionId, query, matchCase }) =>
      (stage.messages.get(sessionId) ?? []).flatMap(({ seq, id, ...message }) => {
        const hits = countMatches(said(message), findPattern(query, matchCase));
        return hits === 0 ? [] : [{ seq, id, hits }];
      }),
    prompts: async ({ sessionId, others, limit }) =>
      [...stage.messages]
        .filter(([id]) => (id === sessionId) !== others)
        .flatMap(([, messages]) => messages)
        .filter(({ role, origin = 'person' }) => role === 'user' && origin === 'person')
        .map((message) => ({ ...message, text: said(message) }))
        .toReversed()
        .slice(0, limit),
    markSession: async (id, marks) => {
      stage.calls.push(`mark ${id} ${JSON.stringify(marks)}`);
      const session = stage.sessions.get(id);
      if (session !== undefined) stage.sessions.set(id, { ...session, ...marks });
    },
  };
}

const said = ({ parts }: Pick<Message, 'parts'>): string =>
  parts.flatMap((part) => (part.type === 'text' ? [readableText(part.text)] : [])).join('\n');
