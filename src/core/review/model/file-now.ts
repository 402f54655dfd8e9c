import type { TextFormat } from '../../files/text-file.ts';
import type { Content } from './file-review.ts';

/** A file as it is. */
export interface FileNow {
  readonly content: Content;
  /** Absent: there is no file. */
  readonly bytes?: Uint8Array;
  /** Only of a text. */
  readonly text?: string;
  readonly format?: TextFormat;
}
