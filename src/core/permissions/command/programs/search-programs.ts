import { isPlainAwk, isPlainJq, isPlainSed } from '../scripts.ts';
import type { Program } from './form.ts';

const GREP: Program = {
  options: `-E -F -G -i -v -w -x -c -l -L -n -H -h -o -q -s -r -R -b -z -a -I -A:number -B:number -C:number
    -e: -m:number -f:file
    --extended-regexp --fixed-strings --basic-regexp --ignore-case --no-ignore-case --invert-match
    --word-regexp --line-regexp --count --files-with-matches --files-without-match --line-number
    --with-filename --no-filename --only-matching --quiet --silent --no-messages --recursive
    --dereference-recursive --byte-offset --null --null-data --text --color? --colour?
    --after-context=number --before-context=number --context=number --regexp= --max-count=number
    --file=file --include= --exclude= --exclude-dir= --line-buffered -P --perl-regexp --initial-tab
    --label=`,
  numbers: true,
  operands: 'pattern',
  patternOptions: ['-e', '--regexp', '-f', '--file'],
  recurses: ['-r', '-R', '--recursive', '--dereference-recursive'],
  include: ['--include'],
  exclude: ['--exclude'],
  excludeFolders: ['--exclude-dir'],
  // Some follow links with -r, too.
  follows: true,
};

const FD: Program = {
  options: `-H -I -s -i -g -F -a -0 -p -e: -t: -d:number -E: --hidden --no-ignore --case-sensitive
    --ignore-case --glob --fixed-strings --absolute-path --print0 --full-path --extension= --type=
    --max-depth=number --exclude=`,
  operands: 'pattern',
  here: true,
  namesOnly: true,
};

/** Programs that search, and those that take a program in a language of its own. */
export const SEARCH_PROGRAMS: Readonly<Record<string, Program>> = {
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rg: {
    options: `-i -S -s -v -w -x -c -l -n -N -H -I -o -q -F -P -U -p -a -u -. -0 -A:number -B:number
      -C:number -e: -f:file -g: -m:number -t: -T: -r: -j:number -d:number -M:number -E:
      --ignore-case --smart-case --case-sensitive --invert-match --word-regexp --line-regexp --count
      --count-matches --files-with-matches --files-without-match --line-number --no-line-number
      --with-filename --no-filename --only-matching --quiet --fixed-strings --pcre2 --multiline
      --multiline-dotall --pretty --text --unrestricted --hidden --no-hidden --null
      --after-context:number --before-context:number --context:number --regexp: --file:file --glob:
      --iglob: --max-count:number --type: --type-not: --replace: --threads:number --max-depth:number
      --max-columns:number --max-columns-preview --encoding: --files --type-list --no-ignore
      --no-ignore-vcs --no-ignore-parent --no-ignore-dot --no-heading --heading --color: --colors:
      --column --no-column --json --stats --sort: --sortr: --trim --vimgrep --no-config --no-messages
      --passthru --stop-on-nonmatch --max-filesize:number --one-file-system --crlf --engine:
      --auto-hybrid-regex --byte-offset --glob-case-insensitive --include-zero --line-buffered
      --null-data --no-unicode`,
    operands: 'pattern',
    patternOptions: ['-e', '--regexp', '-f', '--file', '--files', '--type-list'],
    here: true,
    recurses: true,
    types: ['-t', '--type'],
    unhides: ['-u', '--unrestricted', '--hidden', '-.'],
    ignores: [
      '-u',
      '--unrestricted',
      '--no-ignore',
      '--no-ignore-vcs',
      '--no-ignore-parent',
      '--no-ignore-dot',
    ],
    include: ['-g', '--glob', '--iglob'],
  },
  fd: FD,
  fdfind: FD,
  awk: {
    options: '-F: -v:',
    style: 'posix',
    operands: 'pattern',
    plain: isPlainAwk,
    // Some take options behind the program as well, and another program with one of them.
    problem: ({ operands }) =>
      operands.some(({ value }) => /^-[^-]/u.test(value)) ? 'evaluates' : undefined,
  },
  sed: {
    options: `-n -E -r -u -s -z -e: --quiet --silent --regexp-extended --expression= --posix --sandbox
      --null-data --separate --unbuffered`,
    operands: 'pattern',
    patternOptions: ['-e', '--expression'],
    plain: isPlainSed,
  },
  jq: {
    options: `-r -c -M -C -S -s -n -e -a -j -R --raw-output --compact-output --monochrome-output
      --color-output --sort-keys --slurp --null-input --exit-status --ascii-output --join-output
      --raw-input --tab --indent:number --arg:: --argjson::`,
    style: 'alone',
    operands: 'pattern',
    plain: isPlainJq,
  },
};
