import * as l10n from '@vscode/l10n';
import type { InstructionFile } from '../../core/context/prompt/instruction-files.ts';
import type { Customization } from '../../core/customizations/customization.ts';
import { type Persona, unknownTools } from '../../core/customizations/persona.ts';
import type { Customizations } from '../../core/customizations/customizations.ts';
import { fault } from '../../domain/failure.ts';
import { inWords, told } from '../../domain/text/told.ts';
import { pathBelow } from '../../domain/paths.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import type { CustomizationRow } from '../../protocol/center/customizations-view.ts';
import type { CenterHandlers } from '../../protocol/center/requests.ts';
import { tokensOfCharacters } from '../input/source.ts';
import { problemWords } from './customization-words.ts';

type Named = Parameters<typeof unknownTools>[1][number];

export interface CustomizationsSectionParts {
  readonly customizations: Pick<Customizations, 'found' | 'instructionFiles' | 'switch'>;
  readonly trusted: () => boolean;
  readonly roots: () => readonly string[];
  /** Every tool there is, for what a persona names. */
  readonly tools: () => Promise<readonly Named[]>;
  /** Shows a file in an editor. */
  readonly open: (path: string) => Promise<void>;
}

type Requests = 'readCustomizations' | 'switchCustomization' | 'openCustomization';

/** The instructions, skills and commands that were found, each with its state and its switch. */
export function customizationsSection(
  parts: CustomizationsSectionParts,
): Pick<CenterHandlers, Requests> {
  const { customizations, trusted, open, tools } = parts;
  const rows = async (): Promise<readonly CustomizationRow[]> => {
    const [instructions, { skills, commands, personas }, all] = await Promise.all([
      customizations.instructionFiles(),
      customizations.found(),
      tools(),
    ]);
    return [
      ...instructions.map((file) => instructionRow(file, parts)),
      ...personas.map((persona) => personaRow(persona, all, parts)),
      ...skills.map((skill) => rowOf(skill, parts)),
      ...commands.map((command) => rowOf(command, parts)),
    ];
  };
  const known = async (path: string): Promise<CustomizationRow> => {
    const row = (await rows()).find((one) => one.path === path);
    if (row === undefined) throw fault('not_found', told`This file is not there any more.`);
    return row;
  };
  return {
    readCustomizations: async () => ({ rows: await rows(), trusted: trusted() }),
    switchCustomization: async ({ path, on }) => {
      await customizations.switch((await known(path)).path, on);
      return null;
    },
    openCustomization: async ({ path }) => {
      await open((await known(path)).path);
      return null;
    },
  };
}

function instructionRow(
  { path, state, text, why }: InstructionFile,
  parts: CustomizationsSectionParts,
): CustomizationRow {
  const source = shownPath(path, parts.roots());
  return {
    kind: 'instructions',
    name: makeVisible(path.slice(path.lastIndexOf('/') + 1)),
    description: '',
    path,
    source,
    said: instructionWords(state, inWords(why), parts),
    inForce: state === 'in_force',
    on: state === 'untrusted' ? null : state !== 'off',
    tokens: text === '' ? null : tokensOfCharacters(text.length),
    problems: [],
  };
}

function instructionWords(
  state: InstructionFile['state'],
  why: string,
  { roots }: CustomizationsSectionParts,
): string {
  switch (state) {
    case 'in_force':
      return why === '' ? l10n.t('in force') : l10n.t('in force: for {0}', makeVisible(why));
    case 'elsewhere':
      return why === ''
        ? l10n.t('named to the model; in force for files below its folder')
        : l10n.t('named to the model; in force for {0}', makeVisible(why));
    case 'second':
      return l10n.t('not in force: {0} counts', shownPath(why, roots()));
    default:
      return stateWords(state, why, roots());
  }
}

function stateWords(state: Customization['state'], why: string, roots: readonly string[]): string {
  switch (state) {
    case 'on':
      return l10n.t('on');
    case 'off':
      return l10n.t('off');
    case 'untrusted':
      return l10n.t('not used: the workspace is not trusted');
    case 'second':
      return l10n.t('not used: {0} has the same name', shownPath(why, roots));
    case 'refused':
      return l10n.t('not used: {0}', why);
    default:
      return state satisfies never;
  }
}

function rowOf(one: Customization, { roots }: CustomizationsSectionParts): CustomizationRow {
  const { kind, name, description, path, source, state, why, text, problems } = one;
  const place = shownPath(path, roots());
  return {
    kind,
    name: kind === 'command' ? `/${name}` : name,
    description,
    path,
    source: source === 'user' ? l10n.t('your own: {0}', place) : place,
    said: stateWords(state, why, roots()),
    inForce: state === 'on',
    on: state === 'untrusted' || state === 'refused' ? null : state !== 'off',
    tokens: text === '' ? null : tokensOfCharacters(text.length),
    problems: problems.map(problemWords),
  };
}

function personaRow(
  persona: Persona,
  known: readonly Named[],
  parts: CustomizationsSectionParts,
): CustomizationRow {
  const isSetting = persona.source === 'settings';
  const unknown = unknownTools(persona, known).map((about) =>
    problemWords({ line: null, kind: 'unknown_tool', about }),
  );
  const row = rowOf({ ...persona, source: isSetting ? 'user' : persona.source }, parts);
  return {
    ...row,
    source: isSetting ? l10n.t('your own: setting belay.personas') : row.source,
    on: isSetting ? null : row.on,
    problems: [...row.problems, ...unknown],
  };
}

/** A path below a workspace folder by what is below it; with several folders with its name. */
function shownPath(path: string, roots: readonly string[]): string {
  const root = roots.find((one) => pathBelow(one, path) !== undefined);
  const below = root === undefined ? undefined : pathBelow(root, path);
  if (root === undefined || below === undefined) return makeVisible(path);
  const folder = roots.length > 1 ? `${root.slice(root.lastIndexOf('/') + 1)}/` : '';
  return makeVisible(folder + below);
}
