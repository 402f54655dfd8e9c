import type { PromptFiles } from '../context/prompt/prompt-files.ts';
import type { CustomizationKind } from './customization.ts';

/** A folder of files for agents: those with this ending, or one of this name in each of its folders. */
export interface Place {
  /** Below a workspace folder or the home folder. */
  readonly folder: string;
  readonly file: { readonly ending: string } | { readonly name: string };
}

const files = (folder: string, ending = '.md'): Place => ({ folder, file: { ending } });
const skills = (folder: string): Place => ({ folder, file: { name: 'SKILL.md' } });

/** The places of each kind, Belay's own first: of two of one name the first counts. */
export const PLACES: Readonly<
  Record<
    CustomizationKind,
    { readonly user: readonly Place[]; readonly workspace: readonly Place[] }
  >
> = {
  skill: {
    user: ['.belay/skills', '.claude/skills', '.agents/skills', '.copilot/skills'].map(skills),
    workspace: ['.belay/skills', '.claude/skills', '.github/skills', '.agents/skills'].map(skills),
  },
  command: {
    user: [files('.belay/commands'), files('.claude/commands')],
    workspace: [
      files('.belay/commands'),
      files('.github/prompts', '.prompt.md'),
      files('.claude/commands'),
    ],
  },
  persona: {
    user: [files('.belay/personas')],
    workspace: [
      files('.belay/personas'),
      files('.github/agents', '.agent.md'),
      files('.github/chatmodes', '.chatmode.md'),
    ],
  },
};

/** Files of one place; more are left out. */
const MOST_FILES = 200;
/** Entries of a folder that are looked at. */
const MOST_ENTRIES = 1000;
const DEEPEST = 3;

/** A file of a place, and the name that it has by its path. */
export interface PlacedFile {
  readonly path: string;
  readonly name: string;
}

/** The files of a place, by path; bounded. */
export async function filesOf(
  door: Pick<PromptFiles, 'list'>,
  root: string,
  { folder, file }: Place,
): Promise<readonly PlacedFile[]> {
  const at = `${root}/${folder}`;
  if ('name' in file) {
    const entries = await door.list(at, MOST_ENTRIES);
    return entries
      .filter(({ type }) => type === 'directory' || type === 'symlink')
      .slice(0, MOST_FILES)
      .map(({ name }) => ({ path: `${at}/${name}/${file.name}`, name }));
  }
  const paths = await filesBelow(door, at, file.ending, DEEPEST);
  return paths.slice(0, MOST_FILES).map((path) => ({
    path,
    name: path.slice(at.length + 1, -file.ending.length).replaceAll('/', ':'),
  }));
}

/** Files below a folder with this ending, sorted; links to folders are not followed. */
export async function filesBelow(
  door: Pick<PromptFiles, 'list'>,
  folder: string,
  ending: string,
  depth: number,
): Promise<readonly string[]> {
  const entries = await door.list(folder, MOST_ENTRIES);
  const found: string[] = [];
  for (const { name, type } of entries) {
    if (found.length >= MOST_FILES) break;
    const path = `${folder}/${name}`;
    if (type === 'directory' && depth > 1)
      found.push(...(await filesBelow(door, path, ending, depth - 1)));
    else if (type !== 'directory' && name.endsWith(ending) && name.length > ending.length)
      found.push(path);
  }
  return found;
}
