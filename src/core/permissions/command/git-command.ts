import { risky, unknown } from './finding.ts';
import type { Finding, PathUse } from './finding.ts';
import { gitContents } from './git-contents.ts';
import { readArguments } from './options.ts';
import type { OptionText, ReadArguments } from './options.ts';
import type { ShellWord } from './shell-word.ts';

/** How a subcommand may be called so that it only reads. */
interface ReadOnly {
  readonly options: OptionText;
  /** How many operands keep it harmless; more (or others) change something. Absent: any. */
  readonly most?: number;
  /** The first operand must be one of these. */
  readonly first?: readonly string[];
}

const DIFF = `-p -u -s -U: -z -w -b -a -R -M? -C? -D -B? -l: -S: -G: -W --patch --no-patch --unified: --raw
  --patch-with-raw --patch-with-stat --indent-heuristic --no-indent-heuristic --minimal --patience
  --histogram --diff-algorithm: --stat? --compact-summary --numstat --shortstat --dirstat? --summary
  --name-only --name-status --color? --no-color --color-words? --word-diff? --word-diff-regex:
  --color-moved? --no-renames --find-renames? --find-copies? --find-copies-harder --full-index --binary
  --abbrev? --diff-filter: --pickaxe-all --pickaxe-regex --ignore-space-at-eol --ignore-space-change
  --ignore-all-space --ignore-blank-lines --ignore-cr-at-eol --inter-hunk-context: --function-context
  --exit-code --quiet --no-ext-diff --no-textconv --text --src-prefix: --dst-prefix: --no-prefix
  --ignore-submodules? --submodule? --relative? --check --cc -c --combined-all-paths`;

const LOG = `${DIFF} -n: -i -E -F -P -L: -g --oneline --graph --decorate? --no-decorate --all --branches? --tags? --remotes?
  --max-count: --skip: --since: --after: --until: --before: --author: --committer: --grep: --all-match
  --invert-grep --regexp-ignore-case --merges --no-merges --first-parent --follow --reverse
  --date-order --topo-order --author-date-order --date: --relative-date --format: --pretty? --abbrev-commit
  --no-abbrev-commit --left-right --cherry-pick --cherry --cherry-mark --simplify-by-decoration
  --full-history --ancestry-path? --source --no-notes --parents --children --boundary --not
  --left-only --right-only --walk-reflogs --no-walk? --encoding: --stdin --simplify-merges --dense
  --sparse --min-parents: --max-parents: --glob: --exclude: --decorate-refs: --full-diff --log-size`;

const LIST = `--sort: --format: --contains: --no-contains: --merged? --no-merged? --points-at: --color? --no-color
  --column? --no-column -i --ignore-case`;

const SUBCOMMANDS: Readonly<Record<string, ReadOnly>> = {
  status: {
    options: `-s -b -u? -z -v --short --branch --show-stash --porcelain? --long --verbose
      --untracked-files? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames
      --no-renames --find-renames? --ignore-submodules?`,
  },
  diff: { options: `${DIFF} --cached --staged --merge-base --no-index -1 -2 -3 -0` },
  log: { options: LOG },
  show: { options: LOG },
  whatchanged: { options: LOG },
  shortlog: { options: `${LOG} -s -e -n -w? --summary --numbered --email --group:` },
  'rev-list': { options: `${LOG} --count --objects` },
  reflog: { options: LOG, first: ['show'] },
  blame: {
    options: `-b -l -t -s -e -w -p -f -n -c -L: -M? -C? --root --show-stats --porcelain --line-porcelain
      --incremental --show-email --show-name --show-number --date: --abbrev: --since: --color-lines
      --color-by-age --minimal --encoding:`,
  },
  grep: {
    options: `-a -i -w -v -E -G -P -F -n -l -L -z -o -c -p -W -h -H -q -A: -B: -C: -e: -m: --cached --untracked
      --text --ignore-case --word-regexp --invert-match --extended-regexp --basic-regexp --perl-regexp
      --fixed-strings --line-number --column --files-with-matches --name-only --files-without-match
      --null --only-matching --count --color? --no-color --break --heading --show-function
      --after-context: --before-context: --context: --function-context --and --or --not --all-match
      --quiet --max-depth: --full-name --threads: --max-count: -I -r --recursive`,
  },
  'ls-files': {
    options: `-c -d -m -o -i -s -u -k -z -t -v -x: --cached --deleted --modified --others --ignored --stage
      --unmerged --killed --directory --no-empty-directory --exclude: --exclude-standard
      --error-unmatch --full-name --abbrev? --eol --deduplicate --format:`,
  },
  'ls-tree': {
    options:
      '-d -r -t -l -z --long --name-only --name-status --full-name --full-tree --abbrev? --format:',
  },
  'rev-parse': {
    options: `-q --verify --short? --abbrev-ref? --symbolic --symbolic-full-name --show-toplevel
      --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree
      --is-inside-git-dir --is-bare-repository --is-shallow-repository --all --branches? --tags?
      --remotes? --quiet --revs-only --no-revs --show-superproject-working-tree --show-object-format?`,
  },
  'merge-base': { options: '-a --all --is-ancestor --fork-point --octopus --independent' },
  'name-rev': { options: '--name-only --tags --refs: --always --no-undefined' },
  describe: {
    options: `--all --tags --long --always --abbrev: --dirty? --broken? --contains --exact-match --match:
      --exclude: --candidates: --first-parent --debug`,
  },
  'cat-file': { options: '-t -s -e -p', most: 2 },
  'for-each-ref': { options: `${LIST} --count:` },
  'show-ref': {
    options:
      '-q -d -s --head --heads --tags --branches --dereference --hash? --verify --quiet --abbrev?',
  },
  'check-ignore': { options: '-q -v -n -z --quiet --verbose --non-matching --no-index' },
  'count-objects': { options: '-v -H --verbose --human-readable' },
  'diff-tree': {
    options: `${DIFF} -r -t -m --root --no-commit-id --name-only --stdin --pretty? --always --merge-base`,
  },
  // Operands would make a branch, a tag, another address.
  branch: {
    options: `${LIST} -a -r -v -l --all --remotes --verbose --list --show-current --abbrev: --no-abbrev`,
    most: 0,
  },
  tag: { options: `${LIST} -l -n? --list`, most: 0 },
  remote: { options: '-v --verbose', most: 0 },
  stash: { options: `${DIFF} --oneline --format: --pretty? --date:`, first: ['list', 'show'] },
  worktree: { options: '-v -z --verbose --porcelain', first: ['list'], most: 1 },
};

/** With one of these the operands are patterns of names to be listed. */
const LISTING: ReadonlySet<string> = new Set(['-l', '--list']);
/** `git grep` has its pattern from here, not from its first operand. */
const PATTERNS: ReadonlySet<string> = new Set(['-e']);

/** Placeholders that have signatures checked, by a program that the repository may choose. */
const SIGNATURES = /%(?:[-+ ])?G|%\((?:signature|if|describe)/u;

/** `git …`: the subcommands and options that only read; what the repository configures is judged apart. */
export function gitFinding(words: readonly ShellWord[]): Finding {
  const { folder, rest, problem } = globalOptions(words);
  if (problem !== undefined) return risky(problem);
  const [subcommand, ...more] = rest;
  if (subcommand === undefined) return risky('git without a subcommand');
  if (subcommand.value === '--version' && more.length === 0) return { kind: 'harmless', uses: [] };
  const known = Object.hasOwn(SUBCOMMANDS, subcommand.value)
    ? SUBCOMMANDS[subcommand.value]
    : undefined;
  if (known === undefined) return unknown(`git ${subcommand.value} may change something`);
  const finding = subcommandFinding(subcommand.value, known, more);
  if (finding.kind !== 'harmless' || folder === undefined) return finding;
  const uses = [{ word: folder }, ...finding.uses.map((use) => within(folder, use))];
  return { kind: 'harmless', uses, git: { ...finding.git, folder } };
}

function subcommandFinding(
  subcommand: string,
  known: ReadOnly,
  words: readonly ShellWord[],
): Finding {
  const name = `git ${subcommand}`;
  const read = readArguments(known.options, words, { numbers: known.options.startsWith(DIFF) });
  if (typeof read === 'string') return risky(`${name} may change or run something with ${read}`);
  const signed = read.options.find(({ value }) => SIGNATURES.test(value?.value ?? ''));
  if (signed !== undefined) return risky(`${name} may run a program with ${signed.name}`);
  const has = (options: ReadonlySet<string>): boolean =>
    read.options.some((option) => options.has(option.name));
  const [first] = read.operands;
  const isBare = first === undefined && subcommand === 'reflog';
  if (known.first !== undefined && !isBare && !known.first.includes(first?.value ?? ''))
    return unknown(`${name} may change something`);
  if (known.most !== undefined && read.operands.length > known.most && !has(LISTING))
    return unknown(`${name} with ${first?.text ?? ''} may change something`);
  const uses = optionUses(read.options);
  const contents = gitContents(subcommand, read, words);
  const git = contents === undefined ? {} : { contents };
  if (NO_PATHS.has(subcommand)) return { kind: 'harmless', uses, git };
  const begins = subcommand === 'grep' && !has(PATTERNS) ? 1 : 0;
  const named = usesOf(read.operands.slice(begins)).map((use) =>
    isCompared(subcommand, read, use) ? { ...use, below: 'all' as const } : use,
  );
  return { kind: 'harmless', uses: [...named, ...uses], git };
}

/** With `--no-index`, and with a path that may lead out of the repository, whole folders are compared as they are. */
function isCompared(subcommand: string, { options }: ReadArguments, { word }: PathUse): boolean {
  if (subcommand !== 'diff') return false;
  const leavesFolder = /^[/~]|(?:^|\/)\.\.(?:\/|$)/u.test(word.value);
  return leavesFolder || options.some(({ name }) => name === '--no-index');
}

interface Global {
  readonly folder?: ShellWord;
  readonly rest: readonly ShellWord[];
  readonly problem?: string;
}

const GLOBAL = new Set([
  '--no-pager',
  '-P',
  '--no-optional-locks',
  '--literal-pathspecs',
  '--no-replace-objects',
]);

/** What stands before the subcommand: `-c`, `--git-dir`, `--exec-path` … choose what is run. */
function globalOptions(words: readonly ShellWord[]): Global {
  let folder: ShellWord | undefined;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (word.value === '-C') {
      const next = words[at + 1];
      if (folder !== undefined || next === undefined || next.glob !== undefined)
        return { rest: [], problem: 'git in several folders' };
      folder = next;
      at += 1;
      continue;
    }
    if (GLOBAL.has(word.value)) continue;
    if (word.value.startsWith('-') && word.value !== '--version')
      return { rest: [], problem: `git may run something with ${word.text}` };
    const rest = words.slice(at);
    return folder === undefined ? { rest } : { folder, rest };
  }
  return { rest: [] };
}

const NO_PATHS = new Set([
  'branch',
  'tag',
  'remote',
  'stash',
  'worktree',
  'submodule',
  'for-each-ref',
  'show-ref',
  'merge-base',
  'name-rev',
  'describe',
  'count-objects',
]);

/** Operands are revisions or paths: what could be a path is judged as one, also that of `HEAD:path`. */
function usesOf(words: readonly ShellWord[]): PathUse[] {
  return words.flatMap((word) => {
    const inTree = /^[^:/]*:(?:\.\/)?(?<path>.+)$/u.exec(word.value)?.groups?.['path'];
    return inTree === undefined
      ? [{ word }]
      : [{ word: { text: word.text, value: inTree } }, { word }];
  });
}

/** `-L 1,5:file` of log. */
function optionUses(
  options: readonly { readonly name: string; readonly value?: ShellWord }[],
): PathUse[] {
  return options.flatMap(({ name, value }) => {
    if (name !== '-L' || value === undefined) return [];
    const file = value.value.slice(value.value.lastIndexOf(':') + 1);
    return [{ word: { text: value.text, value: file } }];
  });
}

/** With `-C` the other paths begin at that folder. */
function within(folder: ShellWord, { word, ...use }: PathUse): PathUse {
  if (/^[/~]/u.test(word.value)) return { ...use, word };
  const home = folder.home === true ? { home: true as const } : {};
  const glob =
    word.glob === undefined ? {} : { glob: [{ literal: `${folder.value}/` }, ...word.glob] };
  return {
    ...use,
    word: { text: word.text, value: `${folder.value}/${word.value}`, ...home, ...glob },
  };
}
