import { cleanText } from '../../../domain/text/honest-text.ts';
import type { PromptFiles } from './prompt-files.ts';

/** Files of project instructions, the first that exists in a folder counts. */
const NAMES = ['AGENTS.md', 'CLAUDE.md'];
/** Notes on the project's own tools; in the root only. */
const TOOL_NOTES = 'TOOLS.md';

/** Characters; some 8,000 tokens, about what peers allow (32 KiB). */
const MOST_CHARACTERS = 32_000;
/** Bytes of a file that are looked at. */
const MOST_BYTES = 256 * 1024;
/** Nested files named in the list of those not read. */
const MOST_LISTED = 20;

export interface InstructionsInput {
  readonly files: Pick<PromptFiles, 'read'>;
  /** Workspace folders, absolute, with `/` between their parts. */
  readonly roots: readonly string[];
  /** Nothing of an untrusted workspace is obeyed. */
  readonly trusted: boolean;
  /** Files the person works on, absolute: the instructions of the folders above them count. */
  readonly focus?: readonly string[];
  /** Every other file of instructions in the workspace, absolute, where the host can find them quickly. */
  readonly nested?: readonly string[];
}

/** The instructions of the project, for the system prompt and for the panel. */
export interface Instructions {
  readonly text: string;
  /** Files it comes from, absolute. */
  readonly files: readonly string[];
}

interface Found {
  readonly path: string;
  readonly text: string;
}

/** One folder's instructions, and the files left out, each with the reason. */
interface Looked {
  readonly found?: Found;
  readonly refused: readonly { readonly path: string; readonly why: string }[];
}

/** The first of these files that has a text. */
async function look(
  files: InstructionsInput['files'],
  folder: string,
  names: readonly string[],
): Promise<Looked> {
  const refused: { readonly path: string; readonly why: string }[] = [];
  for (const name of names) {
    const path = `${folder}/${name}`;
    const read = await files.read(path, MOST_BYTES);
    if ('text' in read) {
      const text = read.text.trim();
      if (text !== '') return { found: { path, text }, refused };
    } else if (read.refused !== undefined) refused.push({ path, why: read.refused });
  }
  return { refused };
}

/** Folders from just below the root down to a file's own, outermost first. */
function foldersBetween(root: string, file: string): string[] {
  if (!file.startsWith(`${root}/`)) return [];
  const parts = file
    .slice(root.length + 1)
    .split('/')
    .slice(0, -1);
  return parts.map((_, index) => `${root}/${parts.slice(0, index + 1).join('/')}`);
}

function relative(path: string, roots: readonly string[]): string {
  const root = roots.find((one) => path.startsWith(`${one}/`));
  if (root === undefined) return path;
  const inner = path.slice(root.length + 1);
  return roots.length === 1 ? inner : `${root.slice(root.lastIndexOf('/') + 1)}/${inner}`;
}

/** A name as it may stand in a prompt: what it hides is shown, and it stays on its line. */
function shownName(path: string, roots: readonly string[]): string {
  return cleanText(relative(path, roots)).replaceAll(/[\n"<>]/gu, ' ');
}

/**
 * Reads the project's instructions (A7), bounded: AGENTS.md of each root, else CLAUDE.md; those of the folders the
 * person works in; TOOLS.md. Others are named, to be read when their folder is worked in. Outer files come first, inner
 * ones refine them.
 */
export async function loadInstructions({
  files,
  roots,
  trusted,
  focus = [],
  nested = [],
}: InstructionsInput): Promise<Instructions> {
  if (!trusted || roots.length === 0) return { text: '', files: [] };
  const folders = new Set<string>(roots);
  for (const root of roots) {
    for (const file of focus) for (const folder of foldersBetween(root, file)) folders.add(folder);
  }
  const looked = await Promise.all([
    ...[...folders].map((folder) => look(files, folder, NAMES)),
    ...roots.map((root) => look(files, root, [TOOL_NOTES])),
  ]);
  const found = looked.flatMap((one) => one.found ?? []);

  const sections: string[] = [];
  let left = MOST_CHARACTERS;
  for (const { path, text } of found) {
    const name = shownName(path, roots);
    if (left <= 0) {
      sections.push(
        `${name} is left out: the instructions are too long. Read it when you need it.`,
      );
      continue;
    }
    const cut = text.length > left;
    const shown = cut ? text.slice(0, left).toWellFormed() : text;
    left -= shown.length;
    sections.push(
      `<instructions file="${name}">\n${shown}\n</instructions>${cut ? `\n${name} is cut here; read the rest when you need it.` : ''}`,
    );
  }
  for (const { path, why } of looked.flatMap(({ refused }) => refused))
    sections.push(`${shownName(path, roots)} is left out: ${cleanText(why)}.`);
  const alreadyRead = new Set(found.map((one) => one.path));
  const others = nested
    .filter((path) => !alreadyRead.has(path) && !folders.has(path.slice(0, path.lastIndexOf('/'))))
    .toSorted();
  if (others.length > 0) {
    const names = others.slice(0, MOST_LISTED).map((path) => shownName(path, roots));
    const more = others.length > MOST_LISTED ? ` and ${others.length - MOST_LISTED} more` : '';
    sections.push(
      `Some folders have instructions of their own; read them before you change files there: ${names.join(', ')}${more}.`,
    );
  }
  if (sections.length === 0) return { text: '', files: [] };
  return {
    text: `Instructions of this project:\n\n${sections.join('\n\n')}`,
    files: found.map((one) => one.path),
  };
}
