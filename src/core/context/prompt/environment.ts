import { cleanText } from '../../../domain/text/honest-text.ts';
import type { PromptFiles } from './prompt-files.ts';
import { shorten } from '../compaction/shorten.ts';

/** Surroundings of the person's message, as the host sees them; optional, and bounded here. */
export interface EnvironmentSnapshot {
  /** "Linux", "macOS", "Windows", with the shell where it is known. */
  readonly system: string;
  /** `2026-11-21`: the day is enough, and changes once a day. */
  readonly date: string;
  /** Workspace folders, absolute. Empty: no folder is open. */
  readonly roots: readonly string[];
  /** Name of the persona in force; absent: none. */
  readonly persona?: string;
  /** Open editors, relative, the active one first. */
  readonly editors?: readonly string[];
  readonly selection?: EditorSelection;
  readonly diagnostics?: readonly string[];
  /** Commands in the background: what runs, and what ended since the model was last told; a line each. */
  readonly background?: readonly string[];
  /** The restores before this message, for the model. */
  readonly restored?: string;
  /** Digest of the run's journal (C10), about 500 characters; empty sections are left out. */
  readonly journal?: string;
}

export interface EditorSelection {
  readonly path: string;
  /** 1-based. */
  readonly fromLine: number;
  readonly toLine: number;
  readonly text: string;
}

/** The absolute paths that the person has before them. */
export interface SeenFiles {
  /** Open editors, the active one first. */
  readonly editors: readonly { readonly file: string; readonly name: string }[];
  readonly selection?: EditorSelection & { readonly file: string };
  readonly diagnostics?: { readonly file: string; readonly lines: readonly string[] };
}

/** Of what the person has before them, what may stand in a prompt; the rest is left out without a word. */
export async function mayBeShown(
  { editors, selection, diagnostics }: SeenFiles,
  door: Pick<PromptFiles, 'keptOut'>,
): Promise<Pick<EnvironmentSnapshot, 'editors' | 'selection' | 'diagnostics'>> {
  const known = new Map<string, Promise<boolean>>();
  const may = (file: string): Promise<boolean> => {
    const asked = known.get(file) ?? door.keptOut(file).then((why) => why === undefined);
    known.set(file, asked);
    return asked;
  };
  const names: string[] = [];
  for (const { file, name } of editors) {
    if (names.length === MOST_EDITORS) break;
    if (await may(file)) names.push(name);
  }
  return {
    editors: names,
    ...(selection !== undefined && (await may(selection.file)) ? { selection } : {}),
    ...(diagnostics !== undefined && (await may(diagnostics.file))
      ? { diagnostics: diagnostics.lines }
      : {}),
  };
}

/** Bounds, so that the note stays a note. */
const MOST_EDITORS = 12;
const SELECTION_CHARACTERS = 4000;
const MOST_DIAGNOSTICS = 10;
const MOST_COMMANDS = 10;
const COMMAND_CHARACTERS = 200;
const DIAGNOSTIC_CHARACTERS = 300;

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${title}\n${items.map((item) => `- ${item}`).join('\n')}`];
}

function selectionText({ path, fromLine, toLine, text }: EditorSelection): string {
  const lines = fromLine === toLine ? `line ${fromLine}` : `lines ${fromLine} to ${toLine}`;
  return `Selected in ${path}, ${lines}:\n${shorten(text, SELECTION_CHARACTERS)}`;
}

function render(snapshot: EnvironmentSnapshot): string {
  const { roots } = snapshot;
  const where = roots.length === 0 ? 'No folder is open.' : `Workspace: ${roots.join(', ')}`;
  const sections = [
    `${where}\nSystem: ${snapshot.system}\nDate: ${snapshot.date}${snapshot.persona === undefined ? '' : `\nPersona: ${snapshot.persona}`}`,
    ...list('Open editors, the active one first:', (snapshot.editors ?? []).slice(0, MOST_EDITORS)),
    ...(snapshot.selection === undefined ? [] : [selectionText(snapshot.selection)]),
    ...list(
      'Problems shown in the editor:',
      (snapshot.diagnostics ?? [])
        .slice(0, MOST_DIAGNOSTICS)
        .map((text) => shorten(text, DIAGNOSTIC_CHARACTERS)),
    ),
    ...(snapshot.restored === undefined ? [] : [snapshot.restored]),
    ...list(
      'Commands in the background:',
      (snapshot.background ?? [])
        .slice(0, MOST_COMMANDS)
        .map((text) => shorten(text, COMMAND_CHARACTERS)),
    ),
    ...(snapshot.journal === undefined
      ? []
      : [`Run journal, in short (get_run_journal has all):\n${snapshot.journal}`]),
  ];
  return `<environment>\n${sections.join('\n\n')}\n</environment>`;
}

/**
 * The note beside a message of the person, stored as origin `environment`: what is sent once must stay the same, or the
 * prompt cache is lost from there on. `undefined`: it would say the same as `previous`.
 */
export function environmentText(
  snapshot: EnvironmentSnapshot,
  previous?: string,
): string | undefined {
  // File names, selections and messages of tools are strangers' text.
  const text = cleanText(render(snapshot));
  return text === previous ? undefined : text;
}
