import { harmless, risky } from './finding.ts';
import type { Finding, PathUse } from './finding.ts';
import { readArguments } from './options.ts';
import type { OptionText, ReadArguments } from './options.ts';
import type { ShellWord } from './shell-word.ts';

/** A program that only reads, with the options that keep it so. */
interface Reader {
  readonly options: OptionText;
  /** `-20` is an option. */
  readonly numbers?: true;
  /** `pattern`: the first operand is no file, unless one of `patternOptions` gives it. */
  readonly operands: 'files' | 'pattern' | 'texts' | 'none';
  readonly most?: number;
  /** Without operands it reads the current folder. */
  readonly here?: true;
  /** Reads everything below its operands: always, or with one of these options. */
  readonly below?: 'visible' | readonly string[];
  /** With one of these options hidden files are read, too. */
  readonly hidden?: readonly string[];
}

const PATTERN_OPTIONS = new Set(['-e', '--regexp', '-f', '--file', '--files', '--type-list']);

const GREP: Reader = {
  options: `-E -F -G -i -v -w -x -c -l -L -n -H -h -o -q -s -r -b -z -a -I -A: -B: -C: -e: -m: -f@
    --extended-regexp --fixed-strings --basic-regexp --ignore-case --no-ignore-case --invert-match
    --word-regexp --line-regexp --count --files-with-matches --files-without-match --line-number
    --with-filename --no-filename --only-matching --quiet --silent --no-messages --recursive
    --byte-offset --null --null-data --text --color? --colour? --after-context: --before-context:
    --context? --regexp: --max-count: --file@ --include: --exclude: --exclude-dir: --line-buffered
    -P --perl-regexp --initial-tab --label:`,
  numbers: true,
  operands: 'pattern',
  below: ['-r', '--recursive'],
  hidden: ['-r', '--recursive'],
};

const SUMS: Reader = {
  options: '-b --binary -t --text --tag -z --zero',
  operands: 'files',
};

export const READERS: Readonly<Record<string, Reader>> = {
  ls: {
    options: `-a -A -l -h -1 -f -t -r -R -S -d -F -i -s -n -g -o -p -c -u -U -X -v -C -x -m -k -G -q -Q -b -L -H
      --all --almost-all --human-readable --recursive --reverse --sort: --time: --time-style: --format:
      --directory --classify? --color? --inode --size --group-directories-first --full-time --no-group
      --numeric-uid-gid --quote-name --indicator-style: --hide: --ignore: --si --width: --zero`,
    operands: 'files',
    here: true,
  },
  cat: {
    options: `-n -b -s -e -t -v -A -E -T -u --number --number-nonblank --squeeze-blank --show-all
      --show-ends --show-tabs --show-nonprinting`,
    operands: 'files',
  },
  head: {
    options: '-n: -c: -q -v -z --lines: --bytes: --quiet --silent --verbose --zero-terminated',
    numbers: true,
    operands: 'files',
  },
  tail: {
    options: '-n: -c: -q -v -z -r --lines: --bytes: --quiet --silent --verbose --zero-terminated',
    numbers: true,
    operands: 'files',
  },
  wc: {
    options: '-l -w -c -m -L --lines --words --bytes --chars --max-line-length --total:',
    operands: 'files',
  },
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rg: {
    options: `-i -S -s -v -w -x -c -l -n -N -H -I -o -q -F -P -U -p -a -u -. -0 -A: -B: -C: -e: -f@ -g: -m: -t: -T: -r: -j: -d: -M: -E:
      --ignore-case --smart-case --case-sensitive --invert-match --word-regexp --line-regexp --count
      --count-matches --files-with-matches --files-without-match --line-number --no-line-number
      --with-filename --no-filename --only-matching --quiet --fixed-strings --pcre2 --multiline
      --multiline-dotall --pretty --text --unrestricted --hidden --no-hidden --null --after-context:
      --before-context: --context: --regexp: --file@ --glob: --iglob: --max-count: --type: --type-not:
      --replace: --threads: --max-depth: --max-columns: --max-columns-preview --encoding: --files
      --type-list --no-ignore --no-ignore-vcs --no-ignore-parent --no-ignore-dot --no-heading --heading
      --color: --colors: --column --no-column --json --stats --sort: --sortr: --trim --vimgrep
      --no-config --no-messages --passthru --stop-on-nonmatch --max-filesize: --one-file-system
      --crlf --debug --version -V --engine: --auto-hybrid-regex --byte-offset --context-separator:
      --field-match-separator: --glob-case-insensitive --include-zero --line-buffered --null-data
      --no-unicode --path-separator:`,
    operands: 'pattern',
    here: true,
    below: 'visible',
    hidden: ['-u', '--unrestricted', '--hidden', '-.'],
  },
  sort: {
    options: `-n -r -u -f -b -d -i -g -h -M -V -R -s -c -C -m -z -k: -t:
      --numeric-sort --reverse --unique --ignore-case --ignore-leading-blanks --dictionary-order
      --ignore-nonprinting --general-numeric-sort --human-numeric-sort --month-sort --version-sort
      --random-sort --stable --check? --merge --zero-terminated --key: --field-separator: --sort:
      --parallel:`,
    operands: 'files',
  },
  // A second operand would be written to.
  uniq: {
    options: `-c -d -u -i -z -f: -s: -w: -D --count --repeated --unique --ignore-case --skip-fields:
      --skip-chars: --check-chars: --zero-terminated --all-repeated? --group?`,
    operands: 'files',
    most: 1,
  },
  cut: {
    options: `-d: -f: -c: -b: -s -n -z --delimiter: --fields: --characters: --bytes: --only-delimited
      --complement --output-delimiter: --zero-terminated`,
    operands: 'files',
  },
  tr: {
    options: '-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1',
    operands: 'texts',
  },
  nl: { options: '-b: -n: -w: -s: -v: -i: -h: -f: -d: -l: -p', operands: 'files' },
  tac: { options: '-b -r -s: --before --regex --separator:', operands: 'files' },
  rev: { options: '', operands: 'files' },
  fold: { options: '-w: -s -b --width: --spaces --bytes', numbers: true, operands: 'files' },
  paste: { options: '-d: -s -z --delimiters: --serial --zero-terminated', operands: 'files' },
  column: { options: '-t -s: -c: -x', operands: 'files' },
  comm: { options: '-1 -2 -3 -i --check-order --nocheck-order --total', operands: 'files' },
  join: { options: '-1: -2: -t: -a: -v: -o: -e: -i', operands: 'files' },
  diff: {
    options: `-u -U: -c -C: -i -w -b -B -q -r -N -s -y -a -E -Z -t -T -p -d -W: -x: -I: --unified? --context?
      --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --brief --recursive
      --new-file --report-identical-files --side-by-side --text --color? --width: --exclude: --minimal
      --suppress-common-lines --strip-trailing-cr --label: --show-c-function --no-dereference
      --ignore-matching-lines: --normal --ed`,
    numbers: true,
    operands: 'files',
    below: ['-r', '--recursive'],
    hidden: ['-r', '--recursive'],
  },
  cmp: { options: '-s -l -b -n: -i: --silent --quiet --verbose --print-bytes', operands: 'files' },
  file: {
    options: '-b -i -L -h -k -r -N -0 --brief --mime --mime-type --mime-encoding --dereference -I',
    operands: 'files',
  },
  stat: {
    options: '-L -f -c: -t -x -s -r -l -n -q --format: --printf: --dereference --terse',
    operands: 'files',
  },
  du: {
    options: `-s -h -a -c -d: -k -m -b -x -0 --summarize --human-readable --all --total --max-depth:
      --bytes --apparent-size --one-file-system --exclude: --si --time?`,
    operands: 'files',
    here: true,
  },
  df: {
    options: '-h -k -m -T -i -P -a -l --human-readable --total --print-type',
    operands: 'files',
  },
  tree: {
    options: `-a -d -f -i -L: -P: -I: -C -n -s -h -p -u -g -D -F -r -t -J --noreport --dirsfirst --du
      --prune --gitignore --filelimit: --charset: --ignore-case --matchdirs`,
    operands: 'files',
    here: true,
  },
  basename: { options: '-a -s: -z --multiple --suffix: --zero', operands: 'texts' },
  dirname: { options: '-z --zero', operands: 'texts' },
  realpath: {
    options: '-e -m -s -q -z -L -P --canonicalize-existing --canonicalize-missing --no-symlinks',
    operands: 'files',
  },
  readlink: { options: '-f -e -m -n -q -z --canonicalize --no-newline', operands: 'files' },
  od: { options: '-A: -t: -N: -j: -c -x -d -o -b -v -w?', operands: 'files' },
  xxd: { options: '-l: -s: -c: -g: -p -u -b -i -e -a', operands: 'files', most: 1 },
  hexdump: { options: '-C -c -b -d -o -x -v -n: -s:', operands: 'files' },
  strings: { options: '-a -n: -t: -o -e: --all --bytes: --radix:', operands: 'files' },
  md5sum: SUMS,
  sha1sum: SUMS,
  sha256sum: SUMS,
  sha512sum: SUMS,
  cksum: { options: '', operands: 'files' },
  shasum: { options: '-a: -b -t', operands: 'files' },
  jq: {
    options: `-r -c -M -C -S -s -n -e -a -j --raw-output --compact-output --monochrome-output
      --color-output --sort-keys --slurp --null-input --exit-status --ascii-output --join-output --tab
      --indent:`,
    operands: 'pattern',
  },
  seq: { options: '-w -s: -f: --equal-width --separator: --format:', operands: 'texts' },
  sleep: { options: '', operands: 'texts' },
  whoami: { options: '', operands: 'none' },
  uname: { options: '-a -s -n -r -v -m -p -o -i --all', operands: 'none' },
  arch: { options: '', operands: 'none' },
  nproc: { options: '--all', operands: 'none' },
  uptime: { options: '-p -s', operands: 'none' },
  // With an operand it sets the name; `date` with one sets the clock.
  hostname: { options: '-s -f', operands: 'none' },
  which: { options: '-a', operands: 'texts' },
  pwd: { options: '-P -L', operands: 'none' },
  true: { options: '', operands: 'texts' },
  false: { options: '', operands: 'texts' },
};

/** Judges a call of one of `READERS`. */
export function readWith(name: string, reader: Reader, words: readonly ShellWord[]): Finding {
  const read = readArguments(reader.options, words, { numbers: reader.numbers === true });
  if (typeof read === 'string') return risky(`${name} is not known to be harmless with ${read}`);
  const { operands, files } = read;
  if (reader.operands === 'none' && operands.length > 0)
    return risky(`${name} changes something when it is given ${operands[0]?.text ?? ''}`);
  if (reader.most !== undefined && operands.length > reader.most)
    return risky(`${name} writes to its last argument`);
  if (reader.operands === 'texts') return harmless();
  const paths = reader.operands === 'pattern' ? afterPattern(read) : operands;
  const below = reachOf(reader, read);
  const uses: PathUse[] = [...files.map((word) => ({ word })), ...usesOf(paths, below)];
  // A recursive search without a folder is one of the current folder.
  if (paths.length === 0 && (reader.here === true || below !== undefined))
    uses.push(...usesOf([{ text: '.', value: '.' }], below));
  return harmless(uses);
}

function usesOf(words: readonly ShellWord[], below: PathUse['below']): PathUse[] {
  return words
    .filter(({ value }) => value !== '-')
    .map((word) => (below === undefined ? { word } : { word, below }));
}

function afterPattern({ options, operands }: ReadArguments): readonly ShellWord[] {
  return options.some(({ name }) => PATTERN_OPTIONS.has(name)) ? operands : operands.slice(1);
}

function reachOf(reader: Reader, { options }: ReadArguments): PathUse['below'] {
  const has = (names: readonly string[] = []): boolean =>
    options.some(({ name }) => names.includes(name));
  if (reader.below === undefined) return undefined;
  if (reader.below !== 'visible' && !has(reader.below)) return undefined;
  const unhides = options.some(
    ({ name, value }) => GLOB_OPTIONS.has(name) && value !== undefined && mayUnhide(value.value),
  );
  return has(reader.hidden) || unhides ? 'all' : 'visible';
}

const GLOB_OPTIONS = new Set(['-g', '--glob', '--iglob']);

/** ripgrep finds hidden files that a glob names: all but globs that end in a plain extension may. */
function mayUnhide(glob: string): boolean {
  if (glob.startsWith('!')) return false;
  const extensions = /\.(?:\w+|\{[\w,]+\})$/u.exec(glob)?.[0] ?? '';
  return (
    extensions === '' ||
    /env|pem|p12|pfx|key|rc\b/iu.test(extensions) ||
    /\/?\.[^/]*$/u.test(glob.slice(0, -extensions.length))
  );
}
