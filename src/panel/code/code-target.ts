import { filledLines } from '../../domain/text/text-end.ts';

/** A code block with what stands around it. */
export interface CodeBlock {
  readonly text: string;
  /** The info string of its fence. */
  readonly info: string;
  /** The end of the text before it. */
  readonly before: string;
}

/** Paths that a code block may be about. */
export interface CodePaths {
  /** It says so itself, in its info string or its first line. */
  readonly named: string | undefined;
  /** Named before it, the nearest first. */
  readonly near: readonly string[];
  /** The first line is nothing but the path: it is no part of the file. */
  readonly label: boolean;
}

/** A path with an extension, or with a folder; no scheme, nothing that leads out. */
const PATH =
  /^(?:[a-z]:[\\/]|\/)?(?:[\p{L}\p{N}_.@+()[\]-]+[\\/])*(?:[\p{L}\p{N}_.@+()[\]-]*\.[a-z][\w-]{0,15}|Dockerfile|Makefile)$/iu;
/** A comment of one line: what stands in it is the second group. */
const COMMENT =
  /^\s*(?:\/\/|#+|--|;+|%+|\/\*+|<!--|\{\/\*|"{3})\s*(?:file(?:name|path)?|path)?\s*:?\s*(?<path>\S{1,300}?)\s*(?:\*\/\}?|-->|"{3})?\s*$/iu;
/** Characters of a line that may stand for others. */
const LONGEST_LINE = 300;
/** Names looked at before a block. */
const MOST_NEAR = 20;

/** Finds the paths that a code block may be about. */
export function codePaths({ text, info, before }: CodeBlock): CodePaths {
  const inInfo = info
    .split(/[\s"'`{}=,]+|(?<=^[\w+#-]+):(?=\S)|(?<=^\d+:\d+):/u)
    .slice(0, 20)
    .find((word) => isPath(word) && (/[./\\]/u.test(word.slice(1)) || info.trim() !== word));
  const inComment = COMMENT.exec(text.slice(0, 500).split('\n', 1)[0] ?? '')?.groups?.['path'];
  const label = inComment !== undefined && isPath(inComment) ? inComment : undefined;
  const near = [...before.matchAll(/[^\s"'`<>{}|,;*=…]+/gu)]
    .map(([word]) => word.replace(/[.:!?)]+$/u, '').replace(/:\d+(?:[:-]\d+)?$/u, ''))
    .map((word) => (word.includes(')') ? word : word.replace(/^\(/u, '')))
    .filter((word) => isPath(word))
    .toReversed();
  return {
    named: inInfo ?? label,
    near: [...new Set(near)].slice(0, MOST_NEAR),
    label: label !== undefined && (inInfo === undefined || sameEnd(inInfo, label)),
  };
}

function isPath(word: string): boolean {
  return word.length <= 300 && PATH.test(word) && !word.split(/[\\/]/u).includes('..');
}

function sameEnd(left: string, right: string): boolean {
  return left.endsWith(right) || right.endsWith(left);
}

/** A line that stands for lines which were left out: "// ... existing code ...", without blanks around it. */
const LEFT_OUT =
  /^(?:\/\/|#|--|;|\/\*|<!--|\{\/\*)?\s*(?:(?:\.{3}|…).{0,80}|(?:the )?(?:rest|remainder) of .{0,80}|.{0,40}existing (?:code|content).{0,40})$/iu;

/** True when a block says that it leaves lines out. */
export function leavesOut(text: string): boolean {
  return filledLines(text).some((line) => line.length <= LONGEST_LINE && LEFT_OUT.test(line));
}
