import type { Attachment } from '../../../domain/session/session.ts';

/** Big tool results and attachments, kept whole (E3, A6). */
export interface Blobs {
  putResult(sessionId: string, resultId: string, text: string): Promise<void>;
  /** Characters `offset` to `offset + length`, and the size of the whole. */
  result(
    sessionId: string,
    resultId: string,
    offset: number,
    length: number,
  ): Promise<{ readonly text: string; readonly total: number } | undefined>;
  attachment(sessionId: string, id: string): Promise<Attachment | undefined>;
}
