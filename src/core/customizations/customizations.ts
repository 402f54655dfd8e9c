import { fault } from '../../domain/failure.ts';
import { inWords, told } from '../../domain/text/told.ts';
import type { Json } from '../../domain/data/json.ts';
import { pathBelow, resolvePath } from '../../domain/paths.ts';
import {
  type InstructionFile,
  type InstructionsInput,
  lookForInstructions,
  untrustedInstructions,
} from '../context/prompt/instruction-files.ts';
import { type Instructions, loadInstructions } from '../context/prompt/instructions.ts';
import { PromptFiles } from '../context/prompt/prompt-files.ts';
import type { PathGuard } from '../permissions/path-guard.ts';
import type { FileSystem } from '../ports/files/file-system.ts';
import type { Values } from '../ports/store/values.ts';
import type { CustomCommand, Customization, CustomizationKind, Skill } from './customization.ts';
import { filesBelow, filesOf, PLACES } from './places.ts';
import { type Persona, type PersonaInForce, chosenPersona, defaultPersona } from './persona.ts';
import { type FoundFile, readCommand, readSkill } from './read-files.ts';
import { type PersonaRules, readPersona, settingPersona } from './read-persona.ts';

export interface CustomizationPorts {
  readonly files: FileSystem;
  readonly guard: Pick<PathGuard, 'judge'>;
  readonly roots: () => readonly string[];
  readonly trusted: () => boolean;
  /** The person's home folder; absent: only the workspace is looked at. */
  readonly home: string | undefined;
  readonly values: Values;
  readonly personas: PersonaRules & {
    /** Those of the person's settings, as they are written. */
    readonly settings: () => readonly unknown[];
    /** `vscode`, `headless`. */
    readonly platform: string;
  };
  /** Files the person works on, absolute. */
  readonly focus: () => readonly string[];
  /** Instructions in the workspace's folders, absolute. */
  readonly nested: (roots: readonly string[]) => Promise<readonly string[]>;
}

/** Everything that people wrote for agents, as it is on disk now. */
export interface FoundCustomizations {
  readonly skills: readonly Skill[];
  readonly commands: readonly CustomCommand[];
  readonly personas: readonly Persona[];
}

/** Bytes of a file; larger ones are refused. */
const MOST_BYTES = 256 * 1024;
/** Files beside a skill's own that are named with it. */
const MOST_BESIDE = 50;
const OFF_KEY = 'customizations/off';

/** Finds the skills and commands of the workspace and of the person, and keeps which of them are switched off. */
export class Customizations {
  readonly #ports: CustomizationPorts;
  readonly #workspace: PromptFiles;
  readonly #own: PromptFiles;

  constructor(ports: CustomizationPorts) {
    this.#ports = ports;
    const { files, guard, roots } = ports;
    this.#workspace = new PromptFiles({ files, roots }, guard);
    this.#own = new PromptFiles(
      { files, roots: () => this.#ownFolders(), outside: told`it leads out of its folder` },
      guard,
    );
  }

  /** Never rejects for a file: one that cannot be read says why. Nothing of an untrusted workspace is read. */
  async found(): Promise<FoundCustomizations> {
    const off = await this.off();
    const [skills, commands, personas] = await Promise.all([
      this.#skills(off),
      this.#filesOf('command', off),
      this.#personas(off),
    ]);
    return { skills, commands: firstOfName(commands.map(readCommand)), personas };
  }

  async #skills(off: ReadonlySet<string>): Promise<readonly Skill[]> {
    return firstOfName((await this.#filesOf('skill', off)).map(readSkill));
  }

  async #skillsInForce(): Promise<readonly Skill[]> {
    return (await this.#skills(await this.off())).filter(({ state }) => state === 'on');
  }

  async #personas(off: ReadonlySet<string>): Promise<readonly Persona[]> {
    const { personas: rules } = this.#ports;
    const files = await this.#filesOf('persona', off);
    return firstOfName([
      ...rules.settings().map((raw, index) => settingPersona(raw, index, rules)),
      ...files.map((file) => readPersona(file, rules)),
    ]);
  }

  /** The project's instructions for the next request. */
  async instructions(only?: readonly string[]): Promise<Instructions> {
    return loadInstructions(await this.#instructionsInput(), only);
  }

  /** Every file of instructions, with what becomes of it in the next request. */
  async instructionFiles(): Promise<readonly InstructionFile[]> {
    const input = await this.#instructionsInput();
    if (input.trusted) return lookForInstructions(input);
    const paths = await untrustedInstructions(input);
    return paths.map((path) => ({ path, state: 'untrusted', text: '', why: '' }));
  }

  /** The skills that the model may read by itself. */
  async offeredSkills(): Promise<readonly Skill[]> {
    return (await this.#skillsInForce()).filter(({ offered }) => offered);
  }

  /** The persona of a session. @param chosen as the session has it; empty: the cascade decides */
  async persona(chosen: string): Promise<PersonaInForce> {
    const personas = await this.#personas(await this.off());
    const place = { roots: this.#ports.roots(), platform: this.#ports.personas.platform };
    if (chosen === '') return defaultPersona(personas, place);
    const found = chosenPersona(personas, chosen, place);
    if (found !== undefined) return found;
    const why = personas.find(({ name }) => name === chosen)?.state;
    const message =
      why === 'untrusted'
        ? told`The persona “${chosen}” belongs to this workspace, which is not trusted. Choose another persona, or none.`
        : told`The persona “${chosen}” of this session is not there any more, or switched off. Choose another persona, or none.`;
    throw fault('config', message);
  }

  /** Resolves to `true` if the user has a persona of their own, in the settings or as a file. */
  async hasOwnPersonas(): Promise<boolean> {
    return (await this.#personas(await this.off())).some(({ source }) => source !== 'workspace');
  }

  async hasSkills(): Promise<boolean> {
    return (await this.#skillsInForce()).length > 0;
  }

  /** A skill with the names of the files beside it, or one of those. Rejects with a sentence for the model. */
  async readSkill(name: string, file?: string): Promise<string> {
    const skills = await this.#skillsInForce();
    const skill = skills.find((one) => one.name === name);
    if (skill === undefined) {
      const names = skills.map((one) => one.name).join(', ') || 'none';
      throw fault(
        'not_found',
        told`There is no skill ${JSON.stringify(name)} here. Skills: ${names}.`,
      );
    }
    const folder = skill.path.slice(0, skill.path.lastIndexOf('/'));
    const door = skill.source === 'user' ? this.#own : this.#workspace;
    if (file === undefined) {
      const beside = (await filesBelow(door, folder, '', 2))
        .filter((path) => path !== skill.path)
        .slice(0, MOST_BESIDE)
        .map((path) => `- ${path.slice(folder.length + 1)}`);
      const list = beside.length === 0 ? '' : `\n\nFiles beside it:\n${beside.join('\n')}`;
      return `${skill.text}\n\n[Skill ${name}, in ${folder}]${list}`;
    }
    const path = resolvePath(folder, file);
    const read =
      pathBelow(folder, path) === undefined
        ? { refused: told`it is not in the folder of the skill` }
        : await door.read(path, MOST_BYTES);
    if ('text' in read) return read.text;
    throw fault(
      'not_found',
      told`${file} cannot be read: ${read.refused ?? told`it is not there`}.`,
    );
  }

  /** Paths that the person switched off in this workspace. */
  async off(): Promise<ReadonlySet<string>> {
    return new Set(pathsIn(await this.#ports.values.get(OFF_KEY)));
  }

  async switch(path: string, on: boolean): Promise<void> {
    const before = [...(await this.off())].filter((one) => one !== path);
    await this.#ports.values.set(OFF_KEY, on ? before : [...before, path].toSorted());
  }

  async #instructionsInput(): Promise<InstructionsInput> {
    const { roots, trusted, focus, nested } = this.#ports;
    const [now, isTrusted] = [roots(), trusted()];
    return {
      files: this.#workspace,
      roots: now,
      trusted: isTrusted,
      focus: focus(),
      nested: isTrusted ? await nested(now) : [],
      off: await this.off(),
    };
  }

  /** The person's own folders; one that lies in a workspace is the workspace's. */
  #ownFolders(): readonly string[] {
    const { home, roots } = this.#ports;
    if (home === undefined || roots().some((root) => pathBelow(root, home) !== undefined))
      return [];
    return ['.belay', '.claude', '.agents', '.copilot'].map((name) => `${home}/${name}`);
  }

  async #filesOf(kind: CustomizationKind, off: ReadonlySet<string>): Promise<readonly FoundFile[]> {
    const { home, roots, trusted } = this.#ports;
    const isOwn = home !== undefined && this.#ownFolders().length > 0;
    const own = isOwn ? PLACES[kind].user.map((place) => ({ root: home, place })) : [];
    const theirs = roots().flatMap((root) =>
      PLACES[kind].workspace.map((place) => ({ root, place })),
    );
    const found = await Promise.all([
      ...own.map(async ({ root, place }) =>
        this.#read('user', await filesOf(this.#own, root, place), off, true),
      ),
      ...theirs.map(async ({ root, place }) =>
        this.#read('workspace', await filesOf(this.#workspace, root, place), off, trusted()),
      ),
    ]);
    return found.flat();
  }

  async #read(
    source: Customization['source'],
    files: readonly { readonly path: string; readonly name: string }[],
    off: ReadonlySet<string>,
    trusted: boolean,
  ): Promise<readonly FoundFile[]> {
    const door = source === 'user' ? this.#own : this.#workspace;
    const read = files.map(async ({ path, name }): Promise<FoundFile | undefined> => {
      const file = { path, name, source, why: '' };
      if (!trusted) {
        const isThere =
          (await this.#ports.files.stat(path).catch(() => undefined))?.type === 'file';
        return isThere ? { ...file, state: 'untrusted', content: undefined } : undefined;
      }
      const got = await door.read(path, MOST_BYTES);
      if ('text' in got) return { ...file, state: off.has(path) ? 'off' : 'on', content: got.text };
      return got.refused === undefined
        ? undefined
        : { ...file, state: 'refused', why: inWords(got.refused), content: undefined };
    });
    return (await Promise.all(read)).filter((file) => file !== undefined);
  }
}

/** Of those of one name the first that is on counts; the others say so. */
function firstOfName<One extends Pick<Customization, 'name' | 'path' | 'state' | 'why'>>(
  all: readonly One[],
): readonly One[] {
  const first = new Map<string, string>();
  return all.map((one) => {
    if (one.state !== 'on') return one;
    const counts = first.get(one.name);
    if (counts !== undefined) return { ...one, state: 'second' as const, why: counts };
    first.set(one.name, one.path);
    return one;
  });
}

const pathsIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
