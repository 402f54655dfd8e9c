import assert from 'node:assert/strict';
import { optionSpecs } from '../../src/core/permissions/command/arguments.ts';
import type { OptionSpec } from '../../src/core/permissions/command/arguments.ts';
import { GIT_PROGRAMS } from '../../src/core/permissions/command/git/git-programs.ts';
import { PROGRAMS } from '../../src/core/permissions/command/program.ts';
import { findReasonToSkip, isChecked } from './checked-versions.ts';
import { Scratch } from './scratch.ts';

/** What programs say when an option has no value. */
const LACKS_VALUE =
  /requires an? (?:argument|value)|option requires|requires a parameter|expects a|missing (?:argument|value)|needs an? (?:argument|value)|takes (?:one|two) parameter|must be an? |usage: jq|argument required|lacks argument/iu;
/** And when a flag has one. */
const TAKES_NONE = /doesn't allow an argument|takes no value|does not take|unexpected argument/iu;
/** The program does not know the option here: it is another version, which then refuses it. */
const NOT_KNOWN =
  /unrecognized|invalid option|unknown (?:option|argument|switch)|illegal option|not recognized|wasn't expected|unsupported|bad option|usage:/iu;

/** They tell nothing about their options, or print what they do not know. */
const SILENT = new Set(['xxd', 'true', 'false', 'ps', 'uptime', 'sleep', 'git rev-parse']);

interface Declared {
  /** As it is called. */
  readonly name: string;
  readonly words: readonly string[];
  readonly option: string;
  readonly spec: OptionSpec;
}

function declared(): readonly Declared[] {
  const programs = Object.entries(PROGRAMS).map(([name, { options }]) => ({
    name,
    words: name.split(' '),
    options,
  }));
  const git = Object.entries(GIT_PROGRAMS).map(([name, { options }]) => ({
    name: `git ${name}`,
    words: ['git', ...name.split(' ')],
    options,
  }));
  return [...programs, ...git].flatMap(({ name, words, options }) =>
    [...optionSpecs(options)].map(([option, spec]) => ({ name, words, option, spec })),
  );
}

/** What is wrong with a declaration, by the answer of the program itself; `undefined`: nothing that it tells. */
function problemOf({ words, option, spec }: Declared, scratch: Scratch): string | undefined {
  const [program = '', ...rest] = words;
  const alone = scratch.answer(program, [...rest, option]);
  if (NOT_KNOWN.test(alone) && !LACKS_VALUE.test(alone)) return undefined;
  const lacks = LACKS_VALUE.test(alone);
  const wants = spec.arity === 'value' || spec.arity === 'pair';
  if (wants && !lacks) return `is declared to take a value, and takes none: ${alone.slice(0, 120)}`;
  if ((spec.arity === 'flag' || spec.arity === 'optional') && lacks)
    return `is declared to stand alone, and takes a value: ${alone.slice(0, 120)}`;
  if (spec.arity !== 'flag' || !option.startsWith('--')) return undefined;
  const given = scratch.answer(program, [...rest, `${option}=x`]);
  return TAKES_NONE.test(given) || NOT_KNOWN.test(given) || given === alone
    ? undefined
    : `is declared to be a flag, and may have a value: ${given.slice(0, 120)}`;
}

/** Each option that is declared, beside the parser of the program itself. */
describe('how programs take their arguments apart, beside their own parsers', function styles() {
  this.timeout(120_000);
  const all = declared();
  const names = [...new Set(all.map(({ name }) => name))];
  let scratch: Scratch;

  before(async () => {
    scratch = await Scratch.create();
  });
  after(() => scratch.dispose());

  it('a program of another version or maker is not compared', () => {
    for (const line of [
      'cat (GNU coreutils) 9.1',
      'git version 2.39.5',
      'ripgrep 15.0.0 (rev 3a61)',
    ])
      assert.ok(isChecked(line), line);
    for (const line of ['', 'ripgrep 13.0.0', 'git version 2.45.2', 'cat (uutils coreutils) 0.2.2'])
      assert.ok(!isChecked(line), line);
  });

  for (const name of names) {
    const [program = ''] = name.split(' ');
    if (SILENT.has(name)) continue;
    const reason = findReasonToSkip(program);
    if (reason !== undefined) {
      it.skip(`${name} (${reason})`);
      continue;
    }
    it(`${name}: each option takes what it is declared to take`, () => {
      const problems = all
        .filter((one) => one.name === name)
        .flatMap((one) => {
          const problem = problemOf(one, scratch);
          return problem === undefined ? [] : [`${one.option} ${problem}`];
        });
      assert.deepEqual(problems, []);
    });
  }
});
