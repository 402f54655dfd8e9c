import type { OptionText } from '../arguments.ts';

/** The harmless ways to call a subcommand of git. */
export interface GitProgram {
  readonly options: OptionText;
  /** `-20` is an option. */
  readonly numbers?: true;
  /** Operands that keep it harmless; absent: any number. */
  readonly most?: number;
  readonly needs?: readonly string[];
  /** With one of these the operands are patterns of names to be listed, as many as there are. */
  readonly listing?: readonly string[];
  readonly noPaths?: true;
}

/** Git takes most values of options attached only: what stands behind them is a revision or a path. */
const DIFF = `-p -u -s -U?number -z -w -b -a -R -M?number -C?number -D -B? -l:number -S: -G: -W --patch
  --no-patch --unified=number --raw --patch-with-raw --patch-with-stat --indent-heuristic
  --no-indent-heuristic --minimal --patience --histogram --diff-algorithm= --stat? --compact-summary
  --numstat --shortstat --dirstat? --summary --name-only --name-status --color? --no-color --color-words?
  --word-diff? --word-diff-regex= --color-moved? --no-renames --find-renames? --find-copies?
  --find-copies-harder --full-index --binary --abbrev?number --diff-filter= --pickaxe-all
  --pickaxe-regex --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines
  --ignore-cr-at-eol --inter-hunk-context=number --function-context --exit-code --quiet --no-ext-diff
  --no-textconv --text --src-prefix= --dst-prefix= --no-prefix --ignore-submodules?
  --relative? --check --cc -c --combined-all-paths`;

const LOG = `${DIFF} -n:number -i -E -F -P -g --oneline --graph --decorate? --no-decorate --all
  --branches? --tags? --remotes? --max-count:number --skip:number --since: --after: --until: --before:
  --author: --committer: --grep: --all-match --invert-grep --regexp-ignore-case --merges --no-merges
  --first-parent --follow --reverse --date-order --topo-order --author-date-order --date=
  --relative-date --format= --pretty? --abbrev-commit --no-abbrev-commit --left-right --cherry-pick
  --cherry --cherry-mark --simplify-by-decoration --full-history --ancestry-path? --source --no-notes
  --parents --children --boundary --not --left-only --right-only --walk-reflogs --no-walk? --encoding=
  --simplify-merges --dense --sparse --min-parents=number --max-parents=number --glob= --exclude=
  --decorate-refs= --full-diff --log-size`;

const LIST = `--sort: --format: --contains* --no-contains* --merged* --no-merged* --points-at* --color?
  --no-color --column? --no-column -i --ignore-case`;

const log = { options: LOG, numbers: true } as const;

/** Subcommands and options that only read. What the repository configures is judged apart. */
export const GIT_PROGRAMS: Readonly<Record<string, GitProgram>> = {
  status: {
    options: `-s -b -u? -z --short --branch --show-stash --porcelain? --long
      --untracked-files? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames
      --no-renames --find-renames? --ignore-submodules?`,
  },
  diff: {
    options: `${DIFF} --cached --staged --merge-base -1 -2 -3 -0`,
    numbers: true,
  },
  log,
  show: log,
  whatchanged: log,
  shortlog: {
    options: `${LOG} -s -n -e -w? --summary --numbered --email --committer --group=`,
    numbers: true,
  },
  'rev-list': { options: `${LOG} --count --objects`, numbers: true },
  reflog: { options: LOG, numbers: true, most: 0 },
  'reflog show': log,
  blame: {
    options: `-b -l -t -s -e -w -p -f -n -c -L: -M?number -C?number --root --show-stats --porcelain
      --line-porcelain --incremental --show-email --show-name --show-number --date= --abbrev?number
      --since= --color-lines --color-by-age --minimal --encoding=`,
  },
  grep: {
    options: `-a -i -w -v -E -G -P -F -n -l -L -z -o -c -p -W -h -H -q -A:number -B:number -C:number -e:
      -m:number --cached --text --ignore-case --word-regexp --invert-match
      --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column
      --files-with-matches --name-only --files-without-match --null --only-matching --count --color?
      --no-color --break --heading --show-function --after-context=number --before-context=number
      --context=number --function-context --and --or --not --all-match --quiet --max-depth=number
      --full-name --threads=number --max-count=number -I -r --recursive`,
    numbers: true,
  },
  'ls-files': {
    options: `-c -d -m -o -i -s -u -k -z -t -v -x: --cached --deleted --modified --others --ignored --stage
      --unmerged --killed --directory --no-empty-directory --exclude= --exclude-standard
      --error-unmatch --full-name --abbrev?number --eol --deduplicate --format=`,
  },
  'ls-tree': {
    options:
      '-d -r -t -l -z --long --name-only --name-status --full-name --full-tree --abbrev?number --format=',
  },
  'rev-parse': {
    options: `-q --verify --short?number --abbrev-ref? --symbolic --symbolic-full-name --show-toplevel
      --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree
      --is-inside-git-dir --is-bare-repository --is-shallow-repository --all --branches? --tags?
      --remotes? --quiet --revs-only --no-revs --show-superproject-working-tree --show-object-format?`,
  },
  'merge-base': {
    options: '-a --all --is-ancestor --fork-point --octopus --independent',
    noPaths: true,
  },
  'name-rev': { options: '--name-only --tags --refs= --always --no-undefined', noPaths: true },
  describe: {
    options: `--all --tags --long --always --abbrev?number --dirty? --broken? --contains --exact-match
      --match= --exclude= --candidates=number --first-parent --debug`,
    noPaths: true,
  },
  'cat-file': { options: '-t -s -e', most: 2, noPaths: true },
  'for-each-ref': { options: `${LIST} --count=number`, noPaths: true },
  'show-ref': {
    options:
      '-q -d -s --head --heads --tags --branches --dereference --hash? --verify --quiet --abbrev?number',
    noPaths: true,
  },
  'check-ignore': { options: '-q -v -n -z --quiet --verbose --non-matching --no-index' },
  'count-objects': { options: '-v -H --verbose --human-readable', noPaths: true },
  'diff-tree': {
    options: `${DIFF} -r -t -m --root --no-commit-id --pretty? --always --merge-base`,
    numbers: true,
  },
  // Operands would make a branch, a tag, another address, another value.
  branch: {
    options: `${LIST} -a -r -v --all --remotes --verbose --list --show-current --abbrev?number --no-abbrev`,
    most: 0,
    listing: ['--list'],
    noPaths: true,
  },
  tag: {
    options: `${LIST} -l -n?number --list`,
    most: 0,
    listing: ['-l', '--list'],
    noPaths: true,
  },
  remote: { options: '-v --verbose', most: 0, noPaths: true },
  'remote get-url': { options: '--push --all', most: 1, noPaths: true },
  config: {
    options: `--get --get-all --local --global --system --bool --int --type= --show-origin --show-scope -z
      --null`,
    most: 1,
    needs: ['--get', '--get-all'],
    noPaths: true,
  },
  'symbolic-ref': { options: '-q --quiet --short', most: 1, needs: ['--short'], noPaths: true },
  cherry: { options: '-v --verbose --abbrev?number', noPaths: true },
  'stash list': {
    options:
      '--oneline --date= --format= --pretty? -p --patch --stat? --name-only --name-status --no-color',
    most: 0,
  },
  'stash show': { options: DIFF, numbers: true },
  'worktree list': { options: '-v -z --verbose --porcelain', most: 0, noPaths: true },
};
