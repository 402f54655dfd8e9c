import { told } from '../../domain/text/told.ts';
import { fault } from '../../domain/failure.ts';
import { imageReading, imageType } from './image.ts';
import { isPdf, pdfReading } from './pdf.ts';
import { type Found, PROBE, type ReadableDisk, type Reading } from './reading.ts';
import { isSheet, sheetReading, textReading } from './text.ts';

/** Lines of one file that are given when none are asked for. */
export const PAGE = 2000;

export interface Range {
  readonly start_line?: number | undefined;
  readonly end_line?: number | undefined;
}

/** @throws BelayError `invalid` */
export function rangeOf(
  { start_line, end_line }: Range,
  shown: string,
): Pick<Found, 'from' | 'to' | 'isRange'> {
  const from = start_line ?? 1;
  const to = end_line ?? from + PAGE - 1;
  if (to < from)
    throw fault(
      'invalid',
      told`The lines ${String(from)} to ${String(to)} of ${shown} are no range: end_line is before start_line.`,
    );
  return { from, to, isRange: end_line !== undefined };
}

/** Reads a file by its kind, which its first bytes tell. */
export async function readOne(
  disk: ReadableDisk,
  found: Found,
  signal: AbortSignal,
): Promise<Reading> {
  const probe = await disk.files.readPart(found.real, 0, PROBE);
  const mediaType = imageType(probe);
  if (mediaType !== undefined) return imageReading(disk, found, mediaType);
  if (isPdf(probe)) return pdfReading(disk, found, signal);
  if (isSheet(found.path, probe)) return sheetReading(disk, found, signal);
  return textReading(disk, found, probe, signal);
}
