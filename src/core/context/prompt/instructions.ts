import { cleanText } from '../../../domain/text/honest-text.ts';
import { inEnglish, isTold, type Told } from '../../../domain/text/told.ts';
import type { PromptTexts } from './changed-texts.ts';
import {
  type InstructionFile,
  type InstructionsInput,
  lookForInstructions,
} from './instruction-files.ts';

/** Characters; some 8,000 tokens, about what peers allow (32 KiB). */
const MOST_CHARACTERS = 32_000;
/** Files named in the list of those not read. */
const MOST_LISTED = 20;
/** Characters of the reason in that list. */
const LONGEST_WHY = 100;

/** The instructions of the project, for the system prompt and for the panel. */
export interface Instructions {
  readonly text: string;
  /** Files it comes from, absolute. */
  readonly files: readonly string[];
  /** The texts of files, by the names that they have in the prompt. */
  readonly texts: PromptTexts;
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
 * Reads the project's instructions (A7), bounded: AGENTS.md of each root, else CLAUDE.md or GEMINI.md; those of the
 * folders the person works in; those of other clients for the whole project and for the files the person works on.
 * Others are named, to be read when their files are worked on. Outer files come first, inner ones refine them.
 * @param only names of files of the roots; absent: all that there is
 */
export async function loadInstructions(
  input: InstructionsInput,
  only?: readonly string[],
): Promise<Instructions> {
  const { roots } = input;
  const every = await lookForInstructions(input);
  const wanted = (path: string): boolean =>
    only === undefined || roots.some((root) => only.some((name) => path === `${root}/${name}`));
  const all = every.filter(({ path, importedBy }) => wanted(importedBy ?? path));
  const found = all.filter(({ state }) => state === 'in_force');
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
  for (const { path, why } of all.filter(({ state }) => state === 'refused'))
    sections.push(`${shownName(path, roots)} is left out: ${cleanText(inPrompt(why))}.`);
  sections.push(...listed(all, roots));
  if (sections.length === 0) return { text: '', files: [], texts: { inForce: {}, elsewhere: [] } };
  return {
    text: `Instructions of this project:\n\n${sections.join('\n\n')}`,
    files: found.map((one) => one.path),
    texts: {
      inForce: Object.fromEntries(found.map(({ path, text }) => [shownName(path, roots), text])),
      elsewhere: all
        .filter(({ state }) => state === 'elsewhere')
        .map(({ path }) => shownName(path, roots)),
    },
  };
}

const inPrompt = (why: string | Told): string => (isTold(why) ? inEnglish(why) : why);

/** Names of the files for other folders and files than those the person works on. */
function listed(all: readonly InstructionFile[], roots: readonly string[]): readonly string[] {
  const others = all.filter(({ state }) => state === 'elsewhere');
  if (others.length === 0) return [];
  const names = others.slice(0, MOST_LISTED).map(({ path, why }) => {
    const name = shownName(path, roots);
    const said = cleanText(inPrompt(why))
      .replaceAll(/[\n"<>]/gu, ' ')
      .slice(0, LONGEST_WHY);
    return said === '' ? name : `${name} (for ${said})`;
  });
  const more = others.length > MOST_LISTED ? ` and ${others.length - MOST_LISTED} more` : '';
  return [
    `Some folders have instructions of their own; read them before you change files there: ${names.join(', ')}${more}.`,
  ];
}
