import type { TextFormat } from '../../files/text-file.ts';
import type { Content, FileReview } from './file-review.ts';

/** A file as it is. */
export interface FileNow {
  readonly content: Content;
  /** Absent: there is no file. */
  readonly bytes?: Uint8Array;
  /** Only of a text. */
  readonly text?: string;
  readonly format?: TextFormat;
}

/** Bytes that a proposal may hold beside the lines of its file; they are stored with it. */
export const LARGEST_MADE = 10 * 1024 * 1024;

/** True when a proposal changes a text's line ends or encoding. */
export function isRemade({ baseline, document, proposedBytes: made }: FileReview): boolean {
  return made?.says !== undefined && baseline.kind === 'text' && document.kind === 'text';
}

/** Without it: the file is made of what it is on disk. */
export function withoutProposedBytes(review: FileReview): FileReview {
  if (review.proposedBytes === undefined) return review;
  const { proposedBytes: _, ...rest } = review;
  return rest;
}

/** Line ends and encoding before and after, in words: "line ends: LF → CR LF, encoding: UTF-8 → UTF-16 LE". */
export function formWords(before: FileNow, after: FileNow): string {
  const [was, is] = [endsOf(before), endsOf(after)];
  const words = [
    ...(was.ends === is.ends ? [] : [`line ends: ${was.ends} → ${is.ends}`]),
    ...(was.encoding === is.encoding ? [] : [`encoding: ${was.encoding} → ${is.encoding}`]),
  ];
  return words.length === 0 ? 'line ends of some lines' : words.join(', ');
}

function endsOf({ text = '', format }: FileNow): {
  readonly ends: string;
  readonly encoding: string;
} {
  const crlf = text.includes('\r\n');
  const lf = /(?:^|[^\r])\n/u.test(text);
  const ends = crlf && lf ? 'mixed' : crlf ? 'CR LF' : lf ? 'LF' : 'none';
  if (format === undefined) return { ends, encoding: 'none' };
  if (format.encoding === 'editor') return { ends, encoding: format.name };
  const name = ENCODINGS[format.encoding];
  const isMarked = format.bom && format.encoding === 'utf-8';
  return { ends, encoding: isMarked ? `${name} with byte order mark` : name };
}

const ENCODINGS = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
} as const;

/** The words for a whole-file change where its lines do not tell; empty: they do. */
function binaryWords(baseline: Content, document: Content): string {
  if (baseline.kind !== 'binary' && document.kind !== 'binary') return '';
  const [was, is] = [sizeOf(baseline), sizeOf(document)];
  if (baseline.kind === 'absent' || document.kind === 'absent') return `binary, ${was || is}`;
  return was === ''
    ? `text → binary, ${is}`
    : is === ''
      ? `binary, ${was} → text`
      : `binary, ${was} → ${is}`;
}

function sizeOf(content: Content): string {
  if (content.kind !== 'binary') return '';
  const { bytes } = content;
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)} kB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

/** The parts of changes that lines do not show, in words; `null`: none. */
export function formOf(
  { baseline, document, proposedBytes: made }: FileReview,
  hunks: readonly { readonly kind: string }[],
): string | null {
  if (hunks.some(({ kind }) => kind === 'form')) return made?.says ?? null;
  return hunks.length === 0 ? null : binaryWords(baseline, document) || null;
}
