import type { Message } from '../../domain/message.ts';
import type { QueuedMessage } from '../../domain/session.ts';
import { partsOf } from './opening.ts';
import type { Recorder, Write } from '../ports/store/recorder.ts';
import type { NewMessage, Transcript } from '../session/transcript.ts';

export interface ModelNotice {
  readonly about: 'background' | 'review';
  /** A sentence. */
  readonly text: string;
  /** Stored in the same moment: that it was told. */
  readonly told?: Write;
}

/** News beside the run since the model was last told; who takes one tells it. */
export interface ModelNotices {
  background(sessionId: string): readonly ModelNotice[];
  review(sessionId: string): Promise<readonly ModelNotice[]>;
}

export interface BetweenTurns {
  readonly sessionId: string;
  /** The note of a resumed run that had calls open: it goes in behind their results. */
  readonly note: string | undefined;
  readonly recorder: Pick<Recorder, 'commit'>;
}

export interface BetweenPorts {
  readonly news?: ModelNotices;
  readonly takeSteering: (sessionId: string) => readonly QueuedMessage[];
  /** Steering that could not be recorded waits again. */
  readonly putBackSteering: (queued: readonly QueuedMessage[]) => void;
}

/** News and messages between two turns; behind the last answer, decisions alone wait. */
export async function betweenTurns(
  transcript: Transcript,
  { sessionId, note, recorder }: BetweenTurns,
  { news: desk, takeSteering, putBackSteering }: BetweenPorts,
): Promise<readonly Message[]> {
  const isGoingOn = transcript.messages.at(-1)?.role === 'tool' || note !== undefined;
  const background = desk?.background(sessionId) ?? [];
  const queued = takeSteering(sessionId);
  const goesOn = isGoingOn || background.length > 0 || queued.length > 0;
  const news = [...background, ...(goesOn ? ((await desk?.review(sessionId)) ?? []) : [])];
  const noted = [
    ...(note === undefined ? [] : [transcript.append(noteMessage(note))]),
    ...(news.length === 0 ? [] : [transcript.append(newsMessage(news))]),
  ];
  const messages = queued.map(({ text, attachments }) =>
    transcript.append({ role: 'user', origin: 'person', parts: partsOf(text, attachments) }),
  );
  if (noted.length + messages.length === 0) return [];
  try {
    await recorder.commit([
      ...[...noted, ...messages].map((message) => ({ kind: 'message', message }) as const),
      ...toldOf(news),
      ...queued.map(({ id }) => ({ kind: 'dequeued', id }) as const),
    ]);
  } catch (error) {
    putBackSteering(queued);
    throw error;
  }
  return [...noted, ...messages];
}

/** News that count as told when they are part of the transcript. */
export function toldOf(news: readonly ModelNotice[]): readonly Write[] {
  return news.flatMap(({ told }) => told ?? []);
}

/** All that is news, as one message; there is at least one. */
export function newsMessage(news: readonly ModelNotice[]): NewMessage {
  const notes = (['background', 'review'] as const).flatMap((about) => {
    const texts = news.filter((one) => one.about === about).map(({ text }) => text);
    return texts.length === 0 ? [] : `<${about}>\n${texts.join('\n')}\n</${about}>`;
  });
  return noteMessage(notes.join('\n'));
}

/** Sentences about decisions of the person that messages told the model. */
export function decisionsTold(messages: readonly Message[]): readonly string[] {
  return messages
    .filter(({ role, origin }) => role === 'user' && (origin ?? 'person') !== 'person')
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === 'text' ? decisionsIn(part.text) : []));
}

const OPENING = '<review>\n';
const CLOSING = '\n</review>';

/** Those in a note for the model. */
export function decisionsIn(text: string): readonly string[] {
  const from = text.indexOf(OPENING);
  const to = text.lastIndexOf(CLOSING);
  return from === -1 || to < from + OPENING.length ? [] : [text.slice(from + OPENING.length, to)];
}

export function noteMessage(text: string): NewMessage {
  return { role: 'user', origin: 'policy', parts: [{ type: 'text', text }] };
}
