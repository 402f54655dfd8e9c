import { told, type Told } from '../../../domain/text/told.ts';
import { getBracketReadings } from '../../../domain/glob/bracket-names.ts';
import { glob } from '../../../domain/glob/glob.ts';
import { nameOf, normalizePath, parentOf, pathBelow, resolvePath } from '../../../domain/paths.ts';
import { listOf, readFrontMatter, textOf } from '../../customizations/front-matter.ts';
import { filesBelow } from '../../customizations/places.ts';
import { findImports } from './import-lines.ts';
import type { PromptFiles } from './prompt-files.ts';

/** Files of a folder's instructions, the first that has a text counts. */
export const INSTRUCTION_NAMES = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'];
/** Beside them, in the root only: of other clients, and notes on the project's own tools. */
const ROOT_FILES = ['.github/copilot-instructions.md', '.cursorrules', 'TOOLS.md'];
/** Folders of instructions for some files, in the root only. */
const SCOPED = [
  { folder: '.github/instructions', ending: '.instructions.md' },
  { folder: '.cursor/rules', ending: '.mdc' },
] as const;
const DEEPEST = 4;
/** Files of which the imports are followed, as Claude Code does, and how deep: a file that is imported is at 1. */
const IMPORTING = /\/CLAUDE\.md$/u;
const MAX_IMPORT_DEPTH = 5;
/** Paths that are tried for one file; further ones are passed over. */
const MAX_IMPORTS = 100;

/** Bytes of a file that are looked at. */
const MOST_BYTES = 256 * 1024;

export interface InstructionsInput {
  readonly files: Pick<PromptFiles, 'read' | 'list'>;
  /** Workspace folders, absolute, with `/` between their parts. */
  readonly roots: readonly string[];
  /** Nothing of an untrusted workspace is obeyed. */
  readonly trusted: boolean;
  /** Files the person works on, absolute: the instructions of the folders above them count. */
  readonly focus?: readonly string[];
  /** Every other file of instructions in the workspace, absolute, where the host can find them quickly. */
  readonly nested?: readonly string[];
  /** Files that the person switched off, absolute. */
  readonly off?: ReadonlySet<string>;
}

/**
 * A file of instructions. `in_force`: its text is in the prompt. `elsewhere`: only its name, for other folders or files
 * than those the person works on. `second`: another file of its folder counts.
 */
export interface InstructionFile {
  readonly path: string;
  readonly state: 'in_force' | 'elsewhere' | 'second' | 'off' | 'refused' | 'untrusted';
  readonly text: string;
  /** The file of instructions that imports it, itself or by others. */
  readonly importedBy?: string;
  /** Why it is refused, for which files it is, or which one counts instead; empty otherwise. */
  readonly why: string | Told;
}

/** Every file of instructions in the order in which they stand in the prompt; empty ones are none. */
export async function lookForInstructions(
  input: InstructionsInput,
): Promise<readonly InstructionFile[]> {
  const { roots, focus = [], nested = [], trusted } = input;
  if (!trusted) return [];
  const folders = new Set<string>(roots);
  for (const root of roots)
    for (const file of focus) for (const folder of foldersBetween(root, file)) folders.add(folder);
  const looked = await Promise.all([
    ...[...folders].map(async (folder) => ofFolder(input, folder)),
    ...roots.map(async (root) =>
      Promise.all(ROOT_FILES.map(async (name) => one(input, `${root}/${name}`))),
    ),
    ...roots.flatMap((root) => SCOPED.map(async (place) => scoped(input, root, place))),
  ]);
  const all = looked.flat().filter((file) => file !== undefined);
  const known = new Set(all.map(({ path }) => path));
  // A file may also be imported by another one.
  const found = [...known].flatMap((path) => {
    const same = all.filter((file) => file.path === path);
    return same.find((file) => file.state === 'in_force') ?? same[0] ?? [];
  });
  const others = nested
    .filter((path) => !known.has(path) && !folders.has(path.slice(0, path.lastIndexOf('/'))))
    .toSorted()
    .map((path): InstructionFile => {
      const state = input.off?.has(path) === true ? 'off' : 'elsewhere';
      return { path, state, text: '', why: '' };
    });
  return [...found, ...others];
}

/** Files of an untrusted workspace that would be instructions: their names alone are looked at. */
export async function untrustedInstructions({
  files,
  roots,
}: Pick<InstructionsInput, 'files' | 'roots'>): Promise<readonly string[]> {
  const found = await Promise.all(
    roots.flatMap((root) => [
      ...['', '/.github'].map(async (folder) =>
        (await files.list(`${root}${folder}`, 10_000))
          .map(({ name }) => `${root}${folder}/${name}`)
          .filter((path) =>
            [...INSTRUCTION_NAMES, ...ROOT_FILES].some((name) => path === `${root}/${name}`),
          ),
      ),
      ...SCOPED.map(async ({ folder, ending }) =>
        filesBelow(files, `${root}/${folder}`, ending, DEEPEST),
      ),
    ]),
  );
  return found.flat();
}

/** One folder's instructions: the first that is on and has a text. */
async function ofFolder(
  input: InstructionsInput,
  folder: string,
): Promise<readonly InstructionFile[]> {
  const found: InstructionFile[] = [];
  let first: string | undefined;
  const read = INSTRUCTION_NAMES.map(async (name) => one(input, `${folder}/${name}`));
  for (const file of await Promise.all(read)) {
    if (file === undefined) continue;
    const isSecond = first !== undefined && file.state === 'in_force';
    found.push(isSecond ? { ...file, state: 'second', why: first ?? '' } : file);
    if (file.state !== 'in_force') continue;
    if (first === undefined && IMPORTING.test(file.path))
      found.push(...(await importedFiles(input, file)));
    first ??= file.path;
  }
  return found;
}

/** The files that a file of instructions imports by `@path`, and those that they import. */
async function importedFiles(
  input: InstructionsInput,
  importer: InstructionFile,
): Promise<readonly InstructionFile[]> {
  const found: InstructionFile[] = [];
  const visited = new Set([importer.path]);
  const refuse = (path: string, why: Told): void => {
    found.push({ path, state: 'refused', text: '', why, importedBy: importer.path });
  };
  const follow = async (from: InstructionFile, depth: number): Promise<void> => {
    for (const name of findImports(from.text)) {
      const isOfHome = name.startsWith('~');
      const path = isOfHome ? name : normalizePath(resolvePath(parentOf(from.path), name));
      if (visited.has(path)) continue;
      visited.add(path);
      if (isOfHome) refuse(path, told`imports from the home folder are not followed`);
      else if (depth > MAX_IMPORT_DEPTH) refuse(path, told`it is imported too deep`);
      else if (visited.size > MAX_IMPORTS) return;
      else {
        const file = await one(input, path);
        // Words such as `@src` may name a folder.
        if (file === undefined || (await input.files.list(path, 1)).length > 0) continue;
        found.push({ ...file, importedBy: importer.path });
        if (file.state === 'in_force') await follow(file, depth + 1);
      }
    }
  };
  await follow(importer, 1);
  return found;
}

/** `undefined`: it is not there, or empty. */
async function one(
  { files, off }: InstructionsInput,
  path: string,
): Promise<InstructionFile | undefined> {
  const read = await files.read(path, MOST_BYTES);
  if (!('text' in read))
    return read.refused === undefined
      ? undefined
      : { path, state: 'refused', text: '', why: read.refused };
  const text = read.text.trim();
  if (text === '') return undefined;
  return { path, state: off?.has(path) === true ? 'off' : 'in_force', text, why: '' };
}

/** Instructions for some files: in force where the person works on one of them, or where they are for all. */
async function scoped(
  input: InstructionsInput,
  root: string,
  { folder, ending }: (typeof SCOPED)[number],
): Promise<readonly InstructionFile[]> {
  const paths = await filesBelow(input.files, `${root}/${folder}`, ending, DEEPEST);
  const read = await Promise.all(paths.map(async (path) => one(input, path)));
  return read.flatMap((file) => {
    if (file === undefined) return [];
    const head = readFrontMatter(file.text);
    const patterns = listOf(head, ending === '.mdc' ? 'globs' : 'applyTo') ?? [];
    const why = patterns.join(', ') || textOf(head, 'description').replaceAll(/\s+/gu, ' ');
    const isFor = textOf(head, 'alwaysApply') === 'true' || fits(patterns, root, input.focus ?? []);
    if (file.state === 'off' || file.state === 'refused') return [file];
    if (head.body === '') return [];
    return [{ ...file, state: isFor ? 'in_force' : 'elsewhere', text: head.body, why }];
  });
}

function fits(patterns: readonly string[], root: string, focus: readonly string[]): boolean {
  const below = focus.flatMap((file) => pathBelow(root, file) ?? []);
  return patterns.some((pattern) => {
    if (['**', '**/*', '*'].includes(pattern)) return true;
    const globs = getBracketReadings(pattern).map((one) => glob(one));
    // A pattern without a folder is one of names.
    return below.some((path) =>
      globs.some(({ matches }) => matches(pattern.includes('/') ? path : nameOf(path))),
    );
  });
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
