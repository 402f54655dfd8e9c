import { canonicalJson } from '../../../domain/json.ts';
import type { Json } from '../../../domain/json.ts';
import { readRule, sameRule } from '../../../domain/permission-rule.ts';
import type { PermissionRule } from '../../../domain/permission-rule.ts';
import type { FileSystem } from '../../ports.ts';

/** Where the yeses of a workspace are kept. */
export interface ProjectMemory {
  read(): Promise<Json | undefined>;
  write(value: Json): Promise<void>;
}

interface Kept {
  readonly rule: PermissionRule;
  /** What the project's tests were when the person said yes. */
  readonly scripts: string;
}

/** Files in which a project says what its tests are. */
const SCRIPT_FILES = [
  'Makefile',
  'GNUmakefile',
  'makefile',
  'Rakefile',
  'tox.ini',
  'noxfile.py',
  'deno.json',
  'deno.jsonc',
  'build.gradle',
  'build.gradle.kts',
  'pom.xml',
];

/** Bytes of such a file that are compared; one that is longer is never the same. */
const COMPARED = 1_000_000;

/**
 * Yeses to the project's own tests: asked once in a project, and again when what they run has changed. Each
 * belongs to the folder of its command and to what the files there said when the person saw it.
 */
export class ProjectYes {
  readonly #files: Pick<FileSystem, 'stat' | 'read'>;
  readonly #memory: ProjectMemory;
  #known: Promise<readonly Kept[]> | undefined;

  constructor(files: Pick<FileSystem, 'stat' | 'read'>, memory: ProjectMemory) {
    this.#files = files;
    this.#memory = memory;
  }

  async add(rules: readonly PermissionRule[]): Promise<void> {
    const added = await Promise.all(
      rules.map(async (rule) => ({ rule, scripts: await this.#scriptsOf(rule) })),
    );
    const others = (await this.#all()).filter(
      (one) => !rules.some((rule) => sameRule(one.rule, rule)),
    );
    await this.#keep([...others, ...added]);
  }

  /** Whether there was one like it. */
  async remove(rule: PermissionRule): Promise<boolean> {
    const all = await this.#all();
    const left = all.filter((one) => !sameRule(one.rule, rule));
    if (left.length === all.length) return false;
    await this.#keep(left);
    return true;
  }

  /** Those that still count, as the files are now. */
  async list(): Promise<readonly PermissionRule[]> {
    const all = await this.#all();
    const now = await Promise.all(all.map(({ rule }) => this.#scriptsOf(rule)));
    return all.filter(({ scripts }, index) => scripts === now[index]).map(({ rule }) => rule);
  }

  #all(): Promise<readonly Kept[]> {
    this.#known ??= this.#memory.read().then(keptIn);
    return this.#known;
  }

  async #keep(all: readonly Kept[]): Promise<void> {
    this.#known = Promise.resolve(all);
    await this.#memory.write(all.map(({ rule, scripts }) => ({ rule: { ...rule }, scripts })));
  }

  /** What says, in the folder of a rule, what its command runs. */
  async #scriptsOf({ in: folder = '' }: PermissionRule): Promise<string> {
    const parts = [await this.#packageScripts(folder)];
    for (const name of SCRIPT_FILES) parts.push(await this.#text(`${folder}/${name}`));
    return parts.join('\0');
  }

  /** The scripts alone: another version of a dependency is no other script. */
  async #packageScripts(folder: string): Promise<string> {
    const text = await this.#text(`${folder}/package.json`);
    try {
      const { scripts = {} } = JSON.parse(text) as { readonly scripts?: Json };
      return canonicalJson(scripts);
    } catch {
      return text;
    }
  }

  async #text(file: string): Promise<string> {
    try {
      if ((await this.#files.stat(file)) === undefined) return '';
      return new TextDecoder().decode(await this.#files.read(file, COMPARED));
    } catch {
      // Not to be read: never the same.
      return `${file} ${Math.random()}`;
    }
  }
}

function keptIn(value: Json | undefined): readonly Kept[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((one) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return [];
    const { rule, scripts } = one as { readonly [key: string]: Json };
    const read = readRule(rule);
    return 'rule' in read && typeof scripts === 'string' ? [{ rule: read.rule, scripts }] : [];
  });
}
