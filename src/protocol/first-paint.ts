import { isJsonObject } from '../domain/data/json.ts';
import { EMPTY_REVIEW } from './review-view.ts';
import {
  EMPTY_SESSION,
  isLive,
  type SessionRow,
  type SessionView,
  type Snapshot,
} from './snapshot.ts';
import type { BinaryView, MessageView, PartView, Preview, ToolView } from './view.ts';

/** Characters of JSON for messages, for one message alone, and for the draft: with the lists less than 40,000 in all. */
const MESSAGES = 18_000;
const MESSAGE = 8000;
const DRAFT = 8000;
/** Messages and sessions at most. */
const LAST = 10;
const ROWS = 20;

/**
 * The part of a snapshot that a panel is painted from before its host has read anything: the list of sessions, and the
 * conversation where the person reads it, without anything that can be answered. What stays out of sight, such as
 * results of folded cards, is left out. `undefined`: there is nothing to paint.
 */
export function firstPaintOf({ app, models, sessions, session }: Snapshot): Snapshot | undefined {
  if (session.loading || session.error !== null) return undefined;
  const { id, title, options, meter, todo, saved } = session;
  const messages = lastOf(session);
  const scroll = messages.some((one) => one.id === saved.scroll?.messageId) ? saved.scroll : null;
  const isShort = saved.draft.length <= DRAFT;
  return {
    app: { ...app, serverProblems: [] },
    models: models.filter((model) => model.id === options.model),
    sessions: {
      rows: sessions.rows
        .toSorted((left, right) => right.updatedAt - left.updatedAt)
        .slice(0, ROWS)
        .map(atRest),
      total: sessions.total,
      error: null,
      deleted: null,
    },
    session: {
      ...EMPTY_SESSION,
      id,
      title,
      options,
      meter,
      todo: todo.slice(0, ROWS),
      messages,
      saved: isShort ? { ...saved, scroll } : { draft: '', scroll },
    },
    review: EMPTY_REVIEW,
  };
}

/** A first paint that was kept, as far as it is one; `mark`: what it was kept with, by the same version of Belay. */
export function readFirstPaint(kept: unknown, mark: string): Snapshot | undefined {
  if (!isJsonObject(kept) || kept['mark'] !== mark) return undefined;
  const { paint } = kept;
  if (!isJsonObject(paint)) return undefined;
  const { app, models, sessions, session } = paint;
  const isWhole =
    isJsonObject(app) &&
    Array.isArray(models) &&
    isJsonObject(sessions) &&
    Array.isArray(sessions['rows']) &&
    isJsonObject(session) &&
    Array.isArray(session['messages']) &&
    isJsonObject(session['saved']);
  return isWhole ? (paint as unknown as Snapshot) : undefined;
}

/** The messages from where the person reads, or the last ones. */
function lastOf({ messages, saved }: SessionView): MessageView[] {
  const whole = messages.filter(({ open }) => !open);
  const from = whole.findIndex(({ id }) => id === saved.scroll?.messageId);
  const wanted = from < 0 ? whole.slice(-LAST).toReversed() : whole.slice(from, from + LAST);
  const kept: MessageView[] = [];
  let size = 0;
  for (const message of wanted) {
    const small = { ...message, parts: message.parts.map(inSight) };
    const characters = JSON.stringify(small).length;
    if (kept.length > 0 && size + characters > MESSAGES) break;
    size += characters;
    kept.push(characters > MESSAGES ? { ...small, parts: endOf(small.parts) } : small);
  }
  return from < 0 ? kept.toReversed() : kept;
}

/** The last parts of a message that is long alone. */
function endOf(parts: readonly PartView[]): PartView[] {
  let room = MESSAGE;
  return parts
    .toReversed()
    .map((part): PartView => {
      const size = JSON.stringify(part).length;
      const left = room;
      room = Math.max(0, room - size);
      if (size <= left) return part;
      return { type: 'text', text: part.type === 'text' && left > 0 ? part.text.slice(-left) : '' };
    })
    .toReversed();
}

/** A part as it is seen while nothing is unfolded. */
function inSight(part: PartView): PartView {
  switch (part.type) {
    case 'reasoning':
      return { ...part, text: part.text.slice(0, 200) };
    case 'tool':
      return folded(part);
    case 'binary':
      return withoutData(part);
    case 'mention':
      return { ...part, text: without(part.text) };
    default:
      return part;
  }
}

const withoutData = ({ type, mediaType, name, size }: BinaryView): BinaryView => ({
  type,
  mediaType,
  size,
  ...(name === undefined ? {} : { name }),
});

const folded = (tool: ToolView): ToolView => ({
  ...tool,
  input: without(tool.input),
  output: '',
  result: tool.result === null ? null : without(tool.result),
  details: tool.details.slice(0, ROWS),
  media: [],
  server: null,
});

const without = ({ total }: Preview): Preview => ({ text: '', total });

/** Who is at work is told by the host. */
const atRest = (row: SessionRow): SessionRow => (isLive(row) ? { ...row, state: 'idle' } : row);
