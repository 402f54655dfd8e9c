import type { FileStat, FileSystem } from '../../core/ports/files/file-system.ts';
import type { BelayError } from '../../domain/failure.ts';
import type { FileLink, ResultContent } from '../../domain/message.ts';
import type { ToolDisk } from '../tool-parts.ts';
import type { ReadDisplay } from './read-file-face.ts';

/** Bytes by which the kind of a file is told; a shorter answer is the whole file, as it is of most source files. */
export const PROBE = 64 * 1024;

/** Where the bytes of a file are, and what reads those that are no text. */
export interface ReadableDisk extends Pick<ToolDisk, 'encodings' | 'pdf' | 'sheets'> {
  readonly files: Pick<FileSystem, 'read' | 'readPart'>;
}

export interface Found {
  readonly shown: string;
  /** Absolute, as it was asked for. */
  readonly path: string;
  readonly real: string;
  readonly stat: FileStat;
  /** 1-based; lines, and of a PDF file pages. */
  readonly from: number;
  readonly to: number;
  /** The model named a range. */
  readonly isRange: boolean;
  /** Bytes of images that this call may still hold. */
  readonly imageRoom: number;
}

export interface Reading {
  readonly content: readonly ResultContent[];
  readonly link?: FileLink;
  readonly display: ReadDisplay['files'][number];
  readonly failed?: BelayError;
  /** The whole file, where it was read whole. */
  readonly bytes?: Uint8Array;
  readonly imageBytes?: number;
}

/** A part of so many lines or pages as text; `isCut`: there is more of its line. */
export function linesReading(
  found: Pick<Found, 'shown' | 'path' | 'from'>,
  wanted: readonly string[],
  total: number | undefined,
  { what = '', isCut = false }: { readonly what?: string; readonly isCut?: boolean } = {},
): Reading {
  const { shown, path, from } = found;
  const to = from + wanted.length - 1;
  const whole = from === 1 && to === total;
  // Numbers cost a fifth of a file's tokens, and only a part of a file needs them to be found again.
  const lines = wanted.map(
    (line, index) => `${whole ? '' : `${from + index}\t`}${shortened(line, isCut)}`,
  );
  const span = whole ? `${total} lines` : `lines ${from}-${to} of ${total ?? 'many'}`;
  const more =
    total === undefined || to < total ? `\n[${shown} goes on: ask for start_line ${to + 1}.]` : '';
  return {
    content: [{ type: 'text', text: `${shown} (${what}${span})\n${lines.join('\n')}${more}\n` }],
    link: from === 1 ? { path } : { path, line: from },
    display: { path: shown, from, to, ...(total === undefined ? {} : { lines: total }) },
  };
}

/** Characters of one line that are shown; longer lines are generated or data. */
const LONGEST_LINE = 2000;

function shortened(line: string, isCut: boolean): string {
  if (line.length <= LONGEST_LINE) return line;
  return `${line.slice(0, LONGEST_LINE).toWellFormed()}… [the line has ${isCut ? 'more than ' : ''}${line.length} characters]`;
}
