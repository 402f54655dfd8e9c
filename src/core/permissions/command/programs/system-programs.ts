import type { RiskCode } from '../../risks.ts';
import type { Program } from './form.ts';
import type { ReadArguments } from '../arguments.ts';

/** Columns of ps; there are others that show the environment. */
const PS_COLUMNS =
  /^(?:(?:pid|ppid|pgid|sid|uid|user|ruser|euser|gid|group|comm|args|cmd|command|%cpu|pcpu|%mem|pmem|stat|state|etime|etimes|time|cputime|rss|rssize|vsz|vsize|tty|tt|start|stime|lstart|nice|ni|pri|psr|nlwp|wchan)=?(?:,|$))+$/u;
/** BSD words of ps; with `e` it shows the environment. */
const PS_WORDS = /^(?:[auxfwjlr]+|--sort=[\w%+,-]+)$/u;

function psProblem({ options, operands }: ReadArguments): RiskCode | undefined {
  const columns = options.find(
    ({ name, value }) => name.endsWith('o') && !PS_COLUMNS.test(value?.value ?? ''),
  );
  const word = operands.find(
    ({ value, patterns }) => patterns !== undefined || !PS_WORDS.test(value),
  );
  return columns === undefined && word === undefined ? undefined : 'environment';
}

/** Variables that hold no secret. */
const PUBLIC_VARIABLE = /^(?:PATH|PWD|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TERM|TZ|HOSTNAME)$/u;

const VERSION: Program = { options: '', operands: 'none' };

/** Programs that tell about files without reading them, and about the machine. */
export const SYSTEM_PROGRAMS: Readonly<Record<string, Program>> = {
  ls: {
    options: `-a -A -l -h -1 -f -t -r -R -S -d -F -i -s -n -g -o -p -c -u -U -X -v -C -x -m -k -G -q -Q -b
      --all --almost-all --human-readable --recursive --reverse --sort= --time= --time-style= --format=
      --directory --classify? --color? --inode --size --group-directories-first --full-time --no-group
      --numeric-uid-gid --quote-name --indicator-style= --hide= --ignore= --si --width=number --zero`,
    operands: 'names',
    here: true,
  },
  stat: {
    options: '-L -f -c: -t -x --format= --printf= --dereference --terse',
    operands: 'names',
  },
  du: {
    options: `-s -h -a -c -d:number -k -m -b -x -0 --summarize --human-readable --all --total
      --max-depth=number --bytes --apparent-size --one-file-system --exclude= --si --time?`,
    operands: 'names',
    here: true,
  },
  df: {
    options: '-h -k -m -T -i -P -a -l --human-readable --total --print-type',
    operands: 'names',
  },
  // Values of options in a cluster are the words behind it.
  tree: {
    options: `-a -d -f -i -L:number -P: -I: -C -n -s -h -p -u -g -D -F -r -t -J --noreport --dirsfirst --du
      --prune --gitignore --ignore-case --matchdirs`,
    style: 'alone',
    operands: 'names',
    here: true,
  },
  basename: { options: '-a -s: -z --multiple --suffix= --zero', style: 'posix', operands: 'texts' },
  dirname: { options: '-z --zero', style: 'posix', operands: 'texts' },
  realpath: {
    options: '-e -m -s -q -z -L -P --canonicalize-existing --canonicalize-missing --no-symlinks',
    operands: 'names',
  },
  readlink: { options: '-f -e -m -n -q -z --canonicalize --no-newline', operands: 'names' },
  seq: {
    options: '-w -s: -f: --equal-width --separator= --format=',
    style: 'posix',
    operands: 'texts',
  },
  sleep: { options: '', operands: 'texts' },
  whoami: VERSION,
  arch: VERSION,
  groups: VERSION,
  tty: { options: '-s', operands: 'none' },
  id: {
    options: '-u -g -G -n -r -z --user --group --groups --name --real --zero',
    operands: 'texts',
  },
  uname: { options: '-a -s -n -r -v -m -p -o -i --all', operands: 'none' },
  nproc: { options: '--all', operands: 'none' },
  uptime: { options: '-p -s', operands: 'none' },
  free: { options: '-b -k -m -g -h -t -w', operands: 'none' },
  ps: {
    // Arguments that ps cannot read one way, such as -x, it reads another way, in which -e is the environment.
    options: '-A -a -e -f -F -l -ef -eF -A -p:number -o: -eo: -Ao: --forest',
    style: 'words',
    operands: 'texts',
    problem: psProblem,
  },
  pgrep: { options: '-f -l -a -x -n -o -c', style: 'posix', operands: 'texts' },
  ss: {
    // Not `-r`, nor netstat and lsof: they ask the network for names.
    options: '-t -u -l -n -p -a -x -4 -6 -s -e -m -o -i -H',
    operands: 'texts',
  },
  printenv: {
    options: '',
    operands: 'texts',
    // Without a name it prints the whole environment.
    problem: ({ operands }) =>
      operands.length > 0 && operands.every(({ value }) => PUBLIC_VARIABLE.test(value))
        ? undefined
        : 'environment',
  },
  lsof: {
    options: '-n -P -t -i?',
    operands: 'texts',
    problem: ({ options }) =>
      ['-n', '-P'].every((flag) => options.some(({ name }) => name === flag))
        ? undefined
        : 'network',
  },
  lscpu: { options: '', operands: 'none' },
  sw_vers: { options: '', operands: 'none' },
  locale: { options: '-a', operands: 'none' },
  expr: { options: '', style: 'posix', operands: 'texts' },
  // Its input says what it calculates.
  bc: { options: '-l -q --mathlib --quiet', operands: 'none' },
  // Of the person's own service; what runs inside is not asked.
  'docker ps': {
    options: `-a -q -l -s -n:number -f: --all --quiet --latest --size --no-trunc --last:number --filter:
      --format:`,
    operands: 'none',
  },
  'docker images': {
    options: '-a -q -f: --all --quiet --digests --no-trunc --filter: --format:',
    operands: 'texts',
  },
  'docker logs': {
    options: '-n:number -t --tail:number --timestamps --since: --until:',
    operands: 'texts',
  },
  'npm ls': {
    options: '-a -l --all --long --json --depth:number',
    operands: 'texts',
    chosenBy: [
      { name: '.npmrc', when: /onload|node-options/u },
      { name: 'package.json', when: /"volta"/u },
    ],
  },
  // With an operand it sets the name.
  hostname: { options: '-s -f', operands: 'none' },
  which: { options: '-a', operands: 'texts' },
  pwd: { options: '-P -L', operands: 'none' },
  true: { options: '', operands: 'texts' },
  false: { options: '', operands: 'texts' },
  // Without an operand it sets the clock with most others.
  date: {
    options:
      '-u -R -I? -d:moment --date=moment --utc --universal --rfc-email --iso-8601? --rfc-3339=',
    operands: 'texts',
    problem: ({ operands }) =>
      operands.every(({ value, patterns }) => value.startsWith('+') && patterns === undefined)
        ? undefined
        : 'system',
  },
};
