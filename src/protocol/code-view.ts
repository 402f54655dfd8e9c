import * as z from 'zod/mini';
import { MESSAGE_LIMIT } from './limits.ts';

const code = z.string().check(z.maxLength(MESSAGE_LIMIT));
/** The info string of a fence: "ts", "ts title=src/a.ts". */
const info = z.string().check(z.maxLength(500));
const id = z.string().check(z.maxLength(200));

/** Paths of one request. */
export const ASKED_PATHS = 100;
/** Characters of a path that is asked about. */
export const LONGEST_PATH = 300;
/** Characters before a code block in which its file is looked for. */
export const BEFORE_CODE = 2000;

/** Characters of a diagram; a longer one is not drawn. */
export const MAX_DIAGRAM_CHARS = 20_000;

/** Requests about what an answer says: its code blocks, and the files that it names. */
export const codeRequests = {
  /** Asks which of these paths are files of the workspace, on disk. */
  findFiles: z.strictObject({
    paths: z
      .array(z.string().check(z.minLength(1), z.maxLength(LONGEST_PATH)))
      .check(z.minLength(1), z.maxLength(ASKED_PATHS)),
  }),
  useCode: z.strictObject({ how: z.enum(['insert', 'open', 'terminal']), text: code, info }),
  /** Draws a block, in a tab of its own. */
  openDiagram: z.strictObject({ text: code }),
  /** The program that draws diagrams: a page loads it with its first one. */
  loadDiagramCode: z.strictObject({}),
  /** Makes a block a pending change of a file. */
  applyCode: z.strictObject({
    text: code,
    info,
    /** The text before the block, its end. */
    before: z.string().check(z.maxLength(BEFORE_CODE)),
    sessionId: id,
    /** The person's message that is answered; empty: not known. */
    messageId: id,
  }),
} as const;

export interface CodeResults {
  /** For each path, in order. */
  readonly findFiles: { readonly found: readonly boolean[] };
  readonly loadDiagramCode: { readonly code: string };
}
