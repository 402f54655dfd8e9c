/** A code block of an answer. */
export interface CodeBlockProps {
  /** The info string of the fence: "ts", "ts title=a.ts". */
  readonly language: string;
  readonly text: string;
  /** It is still being written. */
  readonly open: boolean;
}
