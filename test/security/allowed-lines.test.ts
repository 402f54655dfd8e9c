import assert from 'node:assert/strict';
import fc from 'fast-check';
import { optionSpecs } from '../../src/core/permissions/command/arguments.ts';
import { GIT_PROGRAMS } from '../../src/core/permissions/command/git/git-programs.ts';
import { PROGRAMS } from '../../src/core/permissions/command/program.ts';
import { runs, SEED } from '../support/seed.ts';
import { findReasonToSkip } from './checked-versions.ts';
import { CANARY, Scratch, SECRET_OBJECT } from './scratch.ts';

/** Lines made up for each program. */
const RUNS = runs(2);

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
  'data.json',
  '.',
  '-',
  '--',
  '.env',
  'docs/linked.ts',
  'docs/away',
  '../outside/canary.ts',
  '~/.ssh/id_rsa',
  '@src/list',
  'out',
  '.git/hooks/out',
  '/proc/self/environ',
  '*',
  '*.txt',
  '.e*',
  '2',
  'evil',
];
/** What some programs alone read as something of their own. */
const OWN_WORDS: Readonly<Record<string, readonly string[]>> = {
  awk: ["'{print}'", "'{print > $1}'", '\'BEGIN{print ENVIRON["BELAY_KEY"]}\'', "'{print $1}'"],
  sed: ["'s/o/0/w out'", "'s/o/0/'", "'1,2p'", "'w out'", "'r .env'", "'1e touch out'"],
  jq: ["'$ENV'", "'$ ENV'", "'env'", "'.env'", "'.a'", '\'"\\(env)"\''],
  git: [
    'HEAD',
    'HEAD:a.txt',
    ':a.txt',
    'main',
    'HEAD~1',
    'list',
    'show',
    SECRET_OBJECT,
    'stash@{0}',
    'stash@{0}^3',
    'stash',
    'refs/stash^@',
  ],
  ps: ['e', 'aux', 'pid,environ', 'auxe'],
};
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

function wordsOf(program: string): readonly string[] {
  const [name = ''] = program.split(' ');
  const own = Object.hasOwn(OWN_WORDS, name) ? (OWN_WORDS[name] ?? []) : [];
  return [...WORDS, ...own, ...own];
}

/** One word of a line: an option as it is declared, with a value, in a cluster; a file; something else. */
function wordOf(program: string): fc.Arbitrary<string> {
  const options = optionsOf(program);
  const word = fc.constantFrom(...wordsOf(program));
  const known = options.length === 0 ? word : fc.constantFrom(...options);
  const letters = options
    .filter((option) => /^-\w$/u.test(option))
    .map((option) => option.slice(1));
  const cluster =
    letters.length === 0
      ? known
      : fc
          .array(fc.constantFrom(...letters, 'o', 'e'), { minLength: 2, maxLength: 3 })
          .map((all) => `-${all.join('')}`);
  return fc.oneof(
    { weight: 4, arbitrary: known },
    { weight: 6, arbitrary: word },
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
    .array(wordOf(program), { minLength: 0, maxLength: 4 })
    .map((words) => [program, ...words.map(quoted)].join(' '));
}

/** Each option alone before what could be taken for its value. */
function eachOption(program: string): readonly string[] {
  return optionsOf(program).flatMap((option) =>
    ['evil', 'out a.txt', '. src', '.env a.txt'].map((words) => `${program} ${option} ${words}`),
  );
}

/** As many as are wanted, of both kinds. */
function sampled(program: string, seed: number): readonly string[] {
  const made = fc.sample(linesOf(program), { numRuns: RUNS, seed });
  const each = eachOption(program);
  const some =
    each.length === 0 ? [] : fc.sample(fc.constantFrom(...each), { numRuns: RUNS, seed });
  const lines =
    RUNS > 300 ? [...each, ...made] : made.flatMap((line, at) => [line, some[at] ?? line]);
  return [...new Set(lines)];
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
  let scratch: Scratch;
  let untouched: string;
  let ran = 0;

  before(async () => {
    scratch = await Scratch.create();
    untouched = scratch.tree();
  });

  after(() => {
    console.log(`      ${ran} lines were run`);
    scratch.dispose();
  });

  for (const [index, program] of PROGRAM_NAMES.entries()) {
    if (NOT_RUN.has(program)) continue;
    const reason = findReasonToSkip(program.split(' ')[0] ?? '');
    if (reason !== undefined) {
      it.skip(`${program} (${reason})`);
      continue;
    }
    it(`${program}: writes nothing, shows nothing that is kept back`, async () => {
      for (const line of sampled(program, SEED + index)) {
        const { verdict } = await scratch.judge(line);
        if (verdict !== 'allow') continue;
        ran += 1;
        const output = scratch.run(line);
        const told = `${line}\n${output.slice(0, 500)}`;
        assert.ok(!output.includes(CANARY), `shows what is kept back: ${told}`);
        assert.equal(scratch.tree(), untouched, `changes a file: ${told}`);
      }
    });
  }
});
