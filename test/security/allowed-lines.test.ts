import assert from 'node:assert/strict';
import fc from 'fast-check';
import { optionSpecs } from '../../src/core/permissions/command/arguments.ts';
import { GIT_PROGRAMS } from '../../src/core/permissions/command/git-programs.ts';
import { PROGRAMS } from '../../src/core/permissions/command/program.ts';
import { CANARY, isInstalled, Scratch } from './scratch.ts';

/** Lines made up for each program; more with `BELAY_FUZZ_RUNS=5000`. */
const RUNS = Number(process.env['BELAY_FUZZ_RUNS'] ?? 60);
/** Milliseconds that all programs may take in an ordinary run. */
const LONGEST = 15_000;

/** Programs with a parser of their own that declare no options in a table. */
const OWN: Readonly<Record<string, string>> = {
  find: `-name -iname -path -type -maxdepth -exec -execdir -ok -delete -fprint -fprintf -printf -print -print0
    -newer -o -not ! ( ) {} ; + -prune -ls -fls -files0-from -L -H -regex -size`,
  xargs: '-0 -n -I -I{} -a -d -P -t -r -E -L cat wc head sort grep -l rm sh -c {}',
  timeout: '-k -s 1 0.5s sort cat touch -v --foreground',
  time: '-p -o -a sort cat',
  nice: '-n 5 cat sort -o',
  env: '-i -u -S X=1 cat sort printenv',
  stdbuf: '-oL -o cat sort',
  echo: '-n -e $? "$?"',
  printf: "'%s\\n' '%d' '%n' -v x",
  test: '-f -e -n -v = ! -d -nt',
  cd: '.. src docs/away -',
};

/** What may stand in any place of a line. */
const WORDS = [
  'a.txt',
  'b.txt',
  'src',
  'docs',
  'src/c.ts',
  'src/list',
  'docs/d.md',
  'data.json',
  '.',
  '..',
  '-',
  '--',
  '.env',
  'docs/linked.ts',
  'docs/away',
  'docs/away/canary.ts',
  '../outside/canary.ts',
  '~/.ssh/id_rsa',
  '~',
  '@src/list',
  '@.env',
  'out',
  '.git/hooks/out',
  '/etc/hostname',
  '/proc/self/environ',
  '*',
  '*.txt',
  'docs/*',
  '.e*',
  'one',
  '2',
  '1,2',
  '.',
  "'{print}'",
  "'{print $1}'",
  '\'BEGIN{print ENVIRON["BELAY_KEY"]}\'',
  "'$ENV'",
  "'env'",
  "'.env'",
  "'.a'",
  "'s/o/0/w out'",
  "'s/o/0/'",
  "'1,2p'",
  "'w out'",
  'HEAD',
  'HEAD:a.txt',
  ':a.txt',
  'main',
  'evil',
  'HEAD~1',
  'list',
  'show',
  '%H',
  'x=1',
];
/** Options that no table declares, and that some programs write, run or read with. */
const FOREIGN =
  '-o -oout -ofile -O -Oout -w -wout -i -e -f -f.env -f@ -R -r -N -L -U -X -D -d -a -p -c -C -T -x -s -S -k -b -z -Z -n -l --output=out --output --files0-from=src/list --from-file=.env --file=.env --pre=cat --exec=cat --compress-program=cat -0 -1 +1 -5 --help --version --abbrev --no-index --submodule=diff --textconv --ext-diff --contents=.env --open-files-in-pager=cat'.split(
    ' ',
  );

function optionsOf(program: string): readonly string[] {
  const [name = '', ...rest] = program.split(' ');
  if (Object.hasOwn(OWN, name)) return (OWN[name] ?? '').split(/\s+/u);
  const table = name === 'git' ? GIT_PROGRAMS[rest.join(' ')] : PROGRAMS[name];
  return [...optionSpecs(table?.options ?? '').keys()];
}

/** One word of a line: an option as it is declared, with a value, in a cluster; a file; something else. */
function wordOf(options: readonly string[]): fc.Arbitrary<string> {
  const known = options.length === 0 ? fc.constantFrom(...WORDS) : fc.constantFrom(...options);
  const letters = options
    .filter((option) => /^-\w$/u.test(option))
    .map((option) => option.slice(1));
  const cluster =
    letters.length === 0
      ? known
      : fc
          .array(fc.constantFrom(...letters, 'o', 'e'), { minLength: 2, maxLength: 3 })
          .map((all) => `-${all.join('')}`);
  const word = fc.constantFrom(...WORDS);
  return fc.oneof(
    { weight: 5, arbitrary: known },
    { weight: 5, arbitrary: word },
    { weight: 2, arbitrary: cluster },
    {
      weight: 2,
      arbitrary: fc
        .tuple(known, word)
        .map(([option, value]) =>
          option.startsWith('--') ? `${option}=${value}` : option + value,
        ),
    },
    { weight: 1, arbitrary: fc.constantFrom(...FOREIGN) },
  );
}

function linesOf(program: string): fc.Arbitrary<string> {
  const quoted = (word: string): string => (/^[()!;{}]+$/u.test(word) ? `'${word}'` : word);
  return fc
    .array(wordOf(optionsOf(program)), { minLength: 0, maxLength: 5 })
    .map((words) => [program, ...words.map(quoted)].join(' '));
}

const PROGRAM_NAMES = [
  ...Object.keys(PROGRAMS),
  ...Object.keys(OWN),
  ...Object.keys(GIT_PROGRAMS).map((name) => `git ${name}`),
  "find . -name '*.ts' | xargs",
  'ls | xargs',
  'git ls-files | xargs',
];
/** They wait, or do nothing at all. */
const NOT_RUN = new Set(['sleep', 'uptime']);

/**
 * For every program that may run without a question: lines that are made up, and that the guard lets pass, are
 * run for real. Nothing may be written, and nothing that is kept from the agent may be shown.
 */
describe('what is allowed without a question, beside the real programs', function allowed() {
  this.timeout(Math.max(120_000, RUNS * 4000));
  const seed = Number(process.env['BELAY_FUZZ_SEED'] ?? Date.now() % 1_000_000_007);
  const skipped = PROGRAM_NAMES.filter((name) => !isInstalled(name.split(' ')[0] ?? ''));
  let scratch: Scratch;
  let untouched: string;
  let ran = 0;
  let since: number;

  before(async () => {
    scratch = await Scratch.create();
    untouched = scratch.tree();
    since = Date.now();
    console.log(`      seed ${seed}; not installed: ${skipped.join(', ') || 'none'}`);
  });

  after(() => {
    console.log(`      ${ran} lines were run`);
    scratch.dispose();
  });

  for (const [index, program] of PROGRAM_NAMES.entries()) {
    if (skipped.includes(program) || NOT_RUN.has(program)) continue;
    it(`${program}: writes nothing, shows nothing that is kept back`, async () => {
      const lines = new Set(fc.sample(linesOf(program), { numRuns: RUNS, seed: seed + index }));
      for (const line of lines) {
        // A slow machine tries fewer of each, rather than none of the last.
        const share = (LONGEST * (index + 1)) / PROGRAM_NAMES.length;
        if (process.env['BELAY_FUZZ_RUNS'] === undefined && Date.now() - since > share) break;
        const { verdict } = await scratch.judge(line);
        if (verdict !== 'allow') continue;
        ran += 1;
        const output = scratch.run(line);
        const told = `${line}\n(BELAY_FUZZ_SEED=${seed})\n${output.slice(0, 500)}`;
        assert.ok(!output.includes(CANARY), `shows what is kept back: ${told}`);
        assert.equal(scratch.tree(), untouched, `changes a file: ${told}`);
      }
    });
  }
});
