import type { Ids } from '../../core/ports/ids.ts';
import type { OutputSpool, SpooledText } from '../../core/ports/commands/output-spool.ts';

/** Characters up to which an output is kept whole in memory and needs no file. */
const IN_MEMORY = 512 * 1024;
/** Share of the shown characters that comes from the beginning. */
const HEAD_SHARE = 0.7;

/** A long output with the middle left out, and where the whole is. */
export interface CutOutput {
  readonly text: string;
  readonly cut: { readonly resultId: string; readonly shown: number; readonly total: number };
}

/** Puts a command's output on disk while it comes, once it is too long for memory (E3). */
export class OutputRecord {
  readonly #open: (() => { readonly id: string; readonly text: SpooledText }) | undefined;
  #early: string | undefined = '';
  #spooled: { readonly id: string; readonly text: SpooledText } | undefined;

  /** Without a spool nothing is put on disk. */
  constructor(spool: OutputSpool | undefined, ids: Ids, sessionId: string) {
    if (spool === undefined) return;
    this.#open = () => {
      const id = ids.next('result');
      return { id, text: spool.open(sessionId, id) };
    };
  }

  /** A promise: wait before giving more. */
  add(text: string): Promise<void> | undefined {
    if (this.#open === undefined) return undefined;
    if (this.#early === undefined) return this.#spooled?.text.write(text);
    this.#early += text;
    if (this.#early.length <= IN_MEMORY) return undefined;
    this.#spooled = this.#open();
    const early = this.#early;
    this.#early = undefined;
    return this.#spooled.text.write(early);
  }

  /** Ends the record; of a long output gives beginning, end and place. */
  async close(shown: string, total: number, limit: number): Promise<CutOutput | undefined> {
    if (this.#spooled === undefined) return undefined;
    const { id, text } = this.#spooled;
    const kept = await text.close();
    if (kept === 0) return undefined;
    const head = shown.slice(0, lineBefore(shown, Math.floor(limit * HEAD_SHARE)));
    const tail = shown.slice(shown.length - (limit - head.length));
    const known = head.length + tail.length;
    const lost = kept < total ? ` Only its first ${kept} characters fit on the disk.` : '';
    const notice = `[This output is too long: ${known} of ${total} characters are shown, the middle is left out.${lost} The rest begins at offset ${head.length}: read_result {"result_id": "${id}", "offset": ${head.length}}.]`;
    return {
      text: `${head}\n\n${notice}\n\n${tail}`,
      cut: { resultId: id, shown: known, total: kept },
    };
  }

  /** Nobody will read it. */
  async discard(): Promise<void> {
    await this.#spooled?.text.discard();
  }
}

/** At or before a place, after a line break where one is near. */
function lineBefore(text: string, at: number): number {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  return line > at * 0.8 ? line : at;
}
