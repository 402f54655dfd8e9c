import { type Json, type JsonObject, isJsonObject } from '../../../domain/data/json.ts';
import { type LineChange, applyLineChanges } from '../../merge/line-changes.ts';
import { differences } from '../model/differences.ts';
import { ABSENT } from '../model/file-review.ts';
import type { Attribution, Content, FileReview, Mark } from '../model/file-review.ts';

/** The form in which reviews are stored; others are left alone. */
const VERSION = 2;

/** A review as JSON: the baseline whole, the document as what differs from it. */
export function storedReview(review: FileReview): JsonObject {
  const {
    path,
    renamedFrom,
    baseline,
    document,
    knownToModel: told,
    knownToSession: toldTo,
    marks,
    wholeFileBy: whole,
    looked,
  } = review;
  const authors = new Map<Attribution, number>();
  const numbered = (by: Attribution): number => {
    const known = authors.get(by) ?? authors.size;
    authors.set(by, known);
    return known;
  };
  const storedMarks = marks.map(({ from, to, by }): Json => [
    from,
    to,
    typeof by === 'string' ? by : numbered(by),
  ]);
  const storedWhole = whole.map(numbered);
  return {
    version: VERSION,
    path,
    ...(renamedFrom === undefined ? {} : { renamedFrom }),
    baseline: storedContent(baseline),
    document: differenceFrom(baseline, document),
    told: differenceFrom(document, told),
    ...(toldTo === undefined ? {} : { toldTo }),
    ...(looked.length === 0 ? {} : { looked }),
    marks: storedMarks,
    whole: storedWhole,
    authors: [...authors.keys()].map((one): Json => ({ ...one })),
    ...(review.kept === undefined ? {} : { kept: { ...review.kept } }),
  };
}

/** The review that was stored; `undefined`: it is in another form. */
export function reviewFrom(stored: Json): FileReview | undefined {
  const record = objectOf(stored);
  if (record?.['version'] !== VERSION) return undefined;
  const { path, renamedFrom, toldTo } = record;
  const baseline = contentFrom(record['baseline']);
  const document = appliedTo(baseline, record['document']);
  const told = appliedTo(document, record['told']);
  const authors = listOf(record['authors']).map(attributionFrom);
  const marks = listOf(record['marks']).map((mark) => markFrom(mark, authors));
  const whole = listOf(record['whole']).map((index) => authors[Number(index)]);
  if (typeof path !== 'string' || baseline === undefined) return undefined;
  if (document === undefined || told === undefined) return undefined;
  return {
    path,
    ...(typeof renamedFrom === 'string' ? { renamedFrom } : {}),
    baseline,
    document,
    knownToModel: told,
    ...(typeof toldTo === 'string' ? { knownToSession: toldTo } : {}),
    looked: listOf(record['looked']).filter((id) => typeof id === 'string'),
    // Who made what is less than the texts: what cannot be read of it is left out.
    marks: marks.filter((mark) => mark !== undefined),
    wholeFileBy: whole.filter((one) => one !== undefined),
    ...keptFrom(record['kept']),
  };
}

function storedContent(content: Content): JsonObject {
  switch (content.kind) {
    case 'text':
      return { kind: 'text', text: content.lines.join('\n') };
    case 'binary':
      return { kind: 'binary', hash: content.hash, bytes: content.bytes };
    case 'absent':
      return { kind: 'absent' };
    default:
      return content satisfies never;
  }
}

function contentFrom(stored: Json | undefined): Content | undefined {
  const record = objectOf(stored);
  const { kind, text, hash, bytes } = record ?? {};
  if (kind === 'text' && typeof text === 'string') return { kind, lines: text.split('\n') };
  if (kind === 'binary' && typeof hash === 'string' && typeof bytes === 'number')
    return { kind, hash, bytes };
  return kind === 'absent' ? ABSENT : undefined;
}

export function keptFrom(stored: Json | undefined): Pick<FileReview, 'kept'> {
  const { hash, bytes, mode } = objectOf(stored) ?? {};
  if (typeof hash !== 'string' || typeof bytes !== 'number' || typeof mode !== 'number') return {};
  return { kept: { hash, bytes, mode } };
}

/** A content as what differs from another one. */
export function differenceFrom(base: Content, content: Content): JsonObject {
  if (base.kind !== 'text' || content.kind !== 'text') return storedContent(content);
  const changes = base === content ? [] : differences(base, content);
  return { changes: changes.map(({ from, to, lines }): Json => [from, to, lines]) };
}

/** A content that was stored as what differs from another one; `undefined`: it is in another form. */
export function appliedTo(
  base: Content | undefined,
  stored: Json | undefined,
): Content | undefined {
  const changes = objectOf(stored)?.['changes'];
  if (changes === undefined) return contentFrom(stored);
  if (base?.kind !== 'text') return undefined;
  const read = listOf(changes).map(changeFrom);
  if (read.includes(undefined)) return undefined;
  const lines = applyLineChanges(
    base.lines,
    read.filter((change) => change !== undefined),
  );
  return { kind: 'text', lines };
}

function changeFrom(stored: Json): LineChange | undefined {
  const [from, to, lines] = listOf(stored);
  if (typeof from !== 'number' || typeof to !== 'number') return undefined;
  const texts = listOf(lines).filter((line) => typeof line === 'string');
  return texts.length === listOf(lines).length ? { from, to, lines: texts } : undefined;
}

function markFrom(stored: Json, authors: readonly (Attribution | undefined)[]): Mark | undefined {
  const [from, to, by] = listOf(stored);
  if (typeof from !== 'number' || typeof to !== 'number') return undefined;
  if (by === 'user') return { from, to, by };
  const author = typeof by === 'number' ? authors[by] : undefined;
  return author === undefined ? undefined : { from, to, by: author };
}

function attributionFrom(stored: Json): Attribution | undefined {
  const record = objectOf(stored);
  const text = (key: string): string => {
    const value = record?.[key];
    return typeof value === 'string' ? value : '';
  };
  const { by, at } = record ?? {};
  if (by !== 'agent') return undefined;
  return {
    by,
    sessionId: text('sessionId'),
    messageId: text('messageId'),
    callId: text('callId'),
    tool: text('tool'),
    why: text('why'),
    at: typeof at === 'number' ? at : 0,
  };
}

function objectOf(value: Json | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
