import type { KeptFile } from '../../ports/files/kept-contents.ts';
import type { Mark, ProposedBytes } from './file-review.ts';

/** What an edit is beside its lines. */
export interface EditDetails {
  /** What was kept of the file before, where more than its lines counts. */
  readonly kept?: KeptFile | undefined;
  /** What a proposal is made of, where that is another thing than the file. */
  readonly made?: ProposedBytes | undefined;
  /** Who else made lines of the text after it. */
  readonly marks?: readonly Mark[] | undefined;
}
