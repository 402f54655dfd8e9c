import { type Told, joined, told } from '../../domain/text/told.ts';

type Value = string | Told;

/** The sentences of a question about a command line or a path, by code, the gravest first. */
const SENTENCES = {
  // Paths that no tool may use.
  records: (path: Value) =>
    told`${path} may not be used by a tool: it belongs to Belay’s own records.`,
  repository: (path: Value) =>
    told`${path} may not be used by a tool: only git changes the files of a repository.`,
  hidden: (path: Value, why: Value) => told`${path} may not be used by a tool: ${why}.`,
  process: (path: Value) =>
    told`${path} may not be used by a tool: it belongs to a running process and may hold secrets.`,
  device: (path: Value) => told`${path} may not be used by a tool: it is a device.`,
  machine: (path: Value) =>
    told`${path} may not be used by a tool: it is on another machine, or is a device.`,
  // Effects of a line, by its programs.
  privileged: () => told`Runs with administrator rights.`,
  'deletes-folder': (paths: Value) => told`Deletes ${paths} and everything in it.`,
  deletes: (paths: Value) => told`Deletes ${paths}.`,
  'deletes-found': () => told`Deletes files that are not named in the command.`,
  secret: (path: Value) => told`Reads ${path}, which may hold passwords or keys.`,
  obeyed: (path: Value) => told`Changes ${path}, which other programs run or obey.`,
  executable: (path: Value) => told`Changes ${path}, which is a program.`,
  schema: (path: Value) =>
    told`Writes ${path}, and the editor fetches the schema that it names from the network.`,
  'hard-link': (path: Value) =>
    told`Uses ${path}, which has another name (a hard link) that may be outside the workspace.`,
  protected: (path: Value) => told`Names ${path}, which is protected.`,
  'outside-write': (path: Value) => told`Changes files outside the workspace: ${path}.`,
  'outside-read': (path: Value) => told`Reads outside the workspace: ${path}.`,
  'hidden-below': (why: Value) => told`Reads a file that is hidden from the agent: ${why}.`,
  'git-runs': (what: Value) => told`This repository makes git run programs of its own: ${what}.`,
  discards: () => told`Can discard uncommitted changes.`,
  rewrites: () => told`Rewrites commits.`,
  'pushes-to': (remote: Value) => told`Pushes commits to ${remote}.`,
  pushes: () => told`Pushes commits to a remote repository.`,
  publishes: () => told`Publishes something that others can download.`,
  remote: (program: Value) => told`Can change remote systems with ${program}.`,
  containers: (program: Value) => told`Controls containers with ${program}.`,
  system: (program: Value) => told`Changes this computer with ${program}.`,
  stops: () => told`Stops running programs.`,
  permissions: () => told`Changes who may use files.`,
  installs: () => told`Installs packages and runs their install scripts.`,
  downloads: (program: Value) => told`Runs ${program}, and downloads it if it isn’t installed.`,
  contacts: (host: Value) => told`Contacts ${host}.`,
  network: () => told`Connects to the network.`,
  'git-fetches': () => told`Downloads commits from a remote repository.`,
  'given-code': () => told`Runs code that is part of the command.`,
  'input-code': () => told`Runs code that it reads from its input.`,
  'runs-code': () => told`Runs code from this repository.`,
  'runs-file': (path: Value) => told`Runs ${path}.`,
  'runs-found': () => told`Runs a program for each file that it finds.`,
  'chosen-program': (file: Value) => told`${file} chooses which program runs.`,
  variable: (name: Value) => told`Sets ${name}, which may change what runs.`,
  commits: () => told`Creates a commit and runs the hooks of this repository.`,
  'git-config': () => told`Changes or shows settings of git.`,
  'git-changes': (subcommand: Value) => told`Changes the repository with git ${subcommand}.`,
  'in-place': (path: Value) => told`Changes ${path} in place.`,
  replaces: (path: Value) => told`Replaces ${path}.`,
  moves: (paths: Value) => told`Moves or copies ${paths}.`,
  writes: (path: Value) => told`Writes ${path}.`,
  changes: (paths: Value) => told`Creates or changes ${paths}.`,
  environment: () => told`Can show environment variables, which may hold passwords.`,
  evaluates: (program: Value) => told`Can run code through the arguments of ${program}.`,
  // Reasons why the effects are not known.
  unclear: () => told`Can’t be checked automatically.`,
  'unknown-program': (program: Value) => told`Belay does not know what ${program} does.`,
  'unknown-option': (program: Value, word: Value) =>
    told`Belay does not know what ${program} does with ${word}.`,
  'unknown-files': (word: Value) => told`Belay can’t tell which files ${word} uses.`,
  'too-many-files': (folder: Value) => told`There are too many files to check in ${folder}.`,
  'unknown-folder': () => told`Belay can’t tell in which folder this runs.`,
  'unknown-git': () => told`Belay can’t tell what git would show here.`,
  'git-object': (name: Value) => told`Belay can’t tell which file git would show for ${name}.`,
  'option-name': (path: Value) => told`${path} may be taken for an option.`,
  link: (path: Value) => told`${path} is a link, which may mean another file elsewhere.`,
} as const;

export type RiskCode = keyof typeof SENTENCES;

/** One reason for a question or a refusal, with the values of its sentence. */
export interface Risk {
  readonly code: RiskCode;
  readonly values: readonly Value[];
}

export function createRisk(code: RiskCode, ...values: readonly Value[]): Risk {
  return { code, values };
}

/** Returns the risk with another name for its path, which is its first value. */
export function renameRisk({ code, values }: Risk, name: string): Risk {
  return { code, values: [name, ...values.slice(1)] };
}

/** Sentences of one question. */
const MAX_SENTENCES = 3;
const GRAVITY: readonly string[] = Object.keys(SENTENCES);

/** Returns each risk once, the gravest first. */
export function sortRisks(risks: readonly Risk[]): readonly Risk[] {
  const once = new Map(risks.map((risk) => [JSON.stringify(risk), risk]));
  return [...once.values()].toSorted(
    (left, right) => GRAVITY.indexOf(left.code) - GRAVITY.indexOf(right.code),
  );
}

/** Describes the gravest risks, a sentence each. */
export function describeRisks(risks: readonly Risk[]): Told {
  return joined(sortRisks(risks).slice(0, MAX_SENTENCES).map(describeRisk), ' ');
}

/** Describes why a path requires approval or is refused. */
export function describePath({
  path,
  risk = createRisk('protected', path),
}: {
  readonly path: string;
  readonly risk?: Risk;
}): Told {
  return describeRisk(risk);
}

function describeRisk({ code, values }: Risk): Told {
  const sentence: (...values: readonly Value[]) => Told = SENTENCES[code];
  return sentence(...values);
}
