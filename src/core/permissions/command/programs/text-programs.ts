import type { Program } from './form.ts';

const SUMS: Program = {
  options: '-b -t -z --binary --text --tag --zero',
  operands: 'content',
};

/** Programs that print text: no option writes, runs something, or takes more files. */
export const TEXT_PROGRAMS: Readonly<Record<string, Program>> = {
  cat: {
    options: `-n -b -s -e -t -v -A -E -T -u --number --number-nonblank --squeeze-blank --show-all
      --show-ends --show-tabs --show-nonprinting`,
    operands: 'content',
  },
  head: {
    options:
      '-n:number -c:number -q -v -z --lines:number --bytes:number --quiet --silent --verbose --zero-terminated',
    numbers: true,
    operands: 'content',
  },
  tail: {
    options:
      '-n:number -c:number -q -v -z --lines:number --bytes:number --quiet --silent --verbose --zero-terminated',
    numbers: true,
    operands: 'content',
  },
  wc: {
    options: '-l -w -c -m -L --lines --words --bytes --chars --max-line-length --total=',
    operands: 'content',
  },
  sort: {
    options: `-n -r -u -f -b -d -i -g -h -M -V -R -s -c -C -m -z -k: -t:char
      --numeric-sort --reverse --unique --ignore-case --ignore-leading-blanks --dictionary-order
      --ignore-nonprinting --general-numeric-sort --human-numeric-sort --month-sort --version-sort
      --random-sort --stable --check? --merge --zero-terminated --key= --field-separator= --sort=
      --parallel=number`,
    operands: 'content',
  },
  // Its second operand is written to, and so is what looks like an option behind the first.
  uniq: {
    options: `-c -d -u -i -z -f:number -s:number -w:number -D --count --repeated --unique --ignore-case
      --skip-fields=number --skip-chars=number --check-chars=number --zero-terminated --all-repeated?
      --group?`,
    style: 'posix',
    operands: 'content',
    most: 1,
  },
  cut: {
    options: `-d:char -f: -c: -b: -s -n -z --delimiter=char --fields= --characters= --bytes=
      --only-delimited --complement --output-delimiter= --zero-terminated`,
    operands: 'content',
  },
  tr: {
    options: '-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1',
    style: 'posix',
    operands: 'texts',
  },
  nl: {
    options: '-b: -n: -w:number -s: -v:number -i:number -h: -f: -d: -l:number -p',
    operands: 'content',
  },
  tac: { options: '-b -r -s: --before --regex --separator=', operands: 'content' },
  rev: { options: '', operands: 'content' },
  fold: {
    options: '-w:number -s -b --width=number --spaces --bytes',
    numbers: true,
    operands: 'content',
  },
  expand: { options: '-t: -i --tabs= --initial', operands: 'content' },
  paste: { options: '-d: -s -z --delimiters= --serial --zero-terminated', operands: 'content' },
  column: { options: '-t -s: -c:number -x', operands: 'content' },
  comm: {
    options: '-1 -2 -3 --check-order --nocheck-order --total',
    style: 'posix',
    operands: 'content',
    most: 2,
  },
  join: {
    options: '-1:number -2:number -t:char -a:number -v:number -o: -e: -i',
    style: 'posix',
    operands: 'content',
    most: 2,
  },
  // Of folders it reads everything below, whatever the options.
  diff: {
    options: `-u -U:number -c -C:number -i -w -b -B -q -r -N -s -y -a -E -Z -t -T -p -d -W:number -x: -I:
      --unified?number --context?number --ignore-case --ignore-all-space --ignore-space-change
      --ignore-blank-lines --brief --recursive --new-file --report-identical-files --side-by-side --text
      --color? --width=number --exclude= --minimal --suppress-common-lines --strip-trailing-cr --label=
      --show-c-function --no-dereference --ignore-matching-lines= --normal --ed`,
    numbers: true,
    operands: 'content',
    recurses: true,
    follows: true,
  },
  cmp: {
    options:
      '-s -l -b -n:number -i: --silent --quiet --verbose --print-bytes --bytes=number --ignore-initial=',
    style: 'posix',
    operands: 'content',
    most: 2,
  },
  file: {
    options: '-b -i -L -h -k -r -N -0 --brief --mime --mime-type --mime-encoding --dereference',
    operands: 'content',
  },
  od: {
    options: '-A: -t: -N:number -j:number -c -x -d -o -b -v -w?number',
    operands: 'content',
  },
  // It looks at the first letters of a word alone, and writes to its second operand.
  xxd: {
    options: '-a -b -c:number -e -g:number -i -l:number -p -ps -plain -s:number -u',
    style: 'words',
    operands: 'content',
    most: 1,
  },
  hexdump: {
    options: '-C -c -b -d -o -x -v -n:number -s:number',
    style: 'posix',
    operands: 'content',
  },
  strings: {
    options: '-a -n:number -t: -o -e: --all --bytes=number --radix=',
    operands: 'content',
  },
  base64: {
    options: '-d -w:number --decode --wrap=number',
    style: 'posix',
    operands: 'content',
    most: 1,
  },
  md5sum: SUMS,
  sha1sum: SUMS,
  sha224sum: SUMS,
  sha256sum: SUMS,
  sha384sum: SUMS,
  sha512sum: SUMS,
  b2sum: SUMS,
  shuf: {
    options: '-n:number -r -z -i: --head-count=number --repeat --zero-terminated --input-range=',
    operands: 'content',
    most: 1,
  },
  // Without `-l` it writes the files of the archive.
  unzip: {
    options: '-l',
    style: 'posix',
    operands: 'content',
    most: 1,
    problem: ({ options }) => (options.length > 0 ? undefined : 'unknown-files'),
  },
  cksum: { options: '', operands: 'content' },
  shasum: { options: '-a:number -b -t', operands: 'content' },
};
