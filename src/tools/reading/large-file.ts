import { throwIfAborted } from '../../domain/lifetime/abort.ts';
import type { FileSystem } from '../../core/ports/files/file-system.ts';

const CHUNK = 1024 * 1024;
/** Bytes that are looked through behind the wanted lines to tell how many lines there are. */
const COUNTED_BEHIND = 64 * 1024 * 1024;
const LINE_FEED = 0x0a;

export interface LinesOfFile {
  readonly bytes: Uint8Array;
  /** Lines of the whole file; absent when it is too large to count them. */
  readonly lines?: number;
  /** The wanted lines are larger than what is given of them. */
  readonly isCut: boolean;
}

/** The lines `from` to `to` (1-based, inclusive) of any file, at most `mostBytes`. */
export async function linesOfLargeFile(
  files: Pick<FileSystem, 'readPart'>,
  file: { readonly path: string; readonly size: number },
  range: { readonly from: number; readonly to: number; readonly mostBytes: number },
  signal: AbortSignal,
): Promise<LinesOfFile> {
  const kept: Uint8Array[] = [];
  let keptBytes = 0;
  let isCut = false;
  let line = 1;
  let endedAt = Infinity;
  let lastByte = LINE_FEED;
  let offset = 0;
  for (; offset < file.size && offset - endedAt < COUNTED_BEHIND; offset += CHUNK) {
    throwIfAborted(signal);
    const chunk = await files.readPart(file.path, offset, CHUNK);
    if (chunk.length === 0) break;
    let begin = line >= range.from && line <= range.to ? 0 : -1;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) {
      line += 1;
      if (line === range.from) begin = at + 1;
      if (line === range.to + 1 && begin !== -1) {
        keep(chunk.subarray(begin, at + 1));
        begin = -1;
        endedAt = Math.min(endedAt, offset + at);
      }
    }
    if (begin !== -1) keep(chunk.subarray(begin));
    lastByte = chunk.at(-1) ?? LINE_FEED;
  }
  const counted = offset >= file.size;
  return {
    bytes: joined(kept, keptBytes),
    isCut,
    ...(counted ? { lines: lastByte === LINE_FEED ? line - 1 : line } : {}),
  };

  function keep(piece: Uint8Array): void {
    const room = range.mostBytes - keptBytes;
    isCut ||= piece.length > room;
    if (room <= 0) return;
    const part = piece.slice(0, room);
    kept.push(part);
    keptBytes += part.length;
    if (keptBytes >= range.mostBytes) endedAt = Math.min(endedAt, offset);
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
