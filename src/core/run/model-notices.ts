import type { Message } from '../../domain/message.ts';
import type { QueuedMessage } from '../../domain/session/session.ts';
import { attachmentWrites } from './attached-parts.ts';
import { partsOf } from './opening.ts';
import type { Recorder, Write } from '../ports/store/recorder.ts';
import type { NewMessage, Transcript } from '../session/transcript.ts';

export interface ModelNotice {
  readonly about: 'background' | 'review' | 'journal';
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
  /** Notes for a resumed run that had calls open: they go in behind their results. */
  readonly notes: readonly NewMessage[];
  readonly recorder: Pick<Recorder, 'commit'>;
}

/** Messages that go in while a run works. */
export interface Steering {
  take(sessionId: string): readonly QueuedMessage[];
  /** Those that could not be recorded wait again. */
  putBack(queued: readonly QueuedMessage[]): void;
}

export interface BetweenPorts {
  readonly news?: ModelNotices;
  readonly steering: Steering;
}

/** News and messages between two turns; behind the last answer, decisions alone wait. */
export async function betweenTurns(
  transcript: Transcript,
  { sessionId, notes, recorder }: BetweenTurns,
  { news: desk, steering }: BetweenPorts,
): Promise<readonly Message[]> {
  const isGoingOn = transcript.messages.at(-1)?.role === 'tool' || notes.length > 0;
  const background = desk?.background(sessionId) ?? [];
  const queued = steering.take(sessionId);
  const goesOn = isGoingOn || background.length > 0 || queued.length > 0;
  const news = [...background, ...(goesOn ? ((await desk?.review(sessionId)) ?? []) : [])];
  const noted = [
    ...notes.map((note) => transcript.append(note)),
    ...(news.length === 0 ? [] : [transcript.append(newsMessage(news))]),
  ];
  const messages = queued.map(({ text, attachments }) =>
    transcript.append({ role: 'user', origin: 'person', parts: partsOf(text, attachments) }),
  );
  if (noted.length + messages.length === 0) return [];
  try {
    await recorder.commit([
      ...[...noted, ...messages].map((message) => ({ kind: 'message', message }) as const),
      ...queued.flatMap(({ attachments }) => attachmentWrites(sessionId, attachments)),
      ...toldOf(news),
      ...queued.map(({ id }) => ({ kind: 'dequeued', id }) as const),
    ]);
  } catch (error) {
    steering.putBack(queued);
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
  const notes = (['background', 'review', 'journal'] as const).flatMap((about) => {
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
