import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  ArgumentError,
  readCommandLine,
  runArguments,
} from '../../../src/hosts/node/headless/arguments.ts';
import { type CommandName, COMMANDS } from '../../../src/hosts/node/headless/commands.ts';
import { helpText } from '../../../src/hosts/node/headless/help.ts';
import { type Option, type OptionName, OPTIONS } from '../../../src/hosts/node/headless/options.ts';
import { EXIT } from '../../../src/hosts/node/headless/run-headless.ts';
import { root } from '../../rig/processes.ts';

const commands = Object.keys(COMMANDS) as CommandName[];
const docs = readFileSync(path.join(root, 'docs/cli.md'), 'utf8');

/** A command line with a value for everything that is named. */
function lineOf(command: CommandName, names: readonly OptionName[]): string[] {
  return [
    command,
    ...names.flatMap((name) => {
      const { value }: Option = OPTIONS[name];
      return value === undefined ? [`--${name}`] : [`--${name}`, 'x'];
    }),
  ];
}

/** Options in a text, each once. */
function optionsIn(text: string): Set<string> {
  return new Set(
    Array.from(
      text.matchAll(/(?<![\w-])--(?<name>[a-z][a-z-]*)/gu),
      (one) => one.groups?.['name'] ?? '',
    ),
  );
}

/** The section of a command. */
function sectionOf(command: CommandName): string {
  const section = docs.split(/^## /mu).find((one) => one.startsWith(`\`belay ${command}\`\n`));
  assert.ok(section !== undefined, `docs/cli.md has no section of ${command}`);
  return section;
}

describe('the command line', () => {
  for (const command of commands) {
    const options: readonly OptionName[] = COMMANDS[command].options;
    it(`${command}: parser, help and docs/cli.md know the same options`, () => {
      const line = readCommandLine(lineOf(command, options));
      assert.ok(line.kind === 'command');
      const given = new Set([...Object.keys(line.given), 'help']);
      assert.deepEqual(given, new Set([...options, 'help']));
      const [, help = ''] = helpText(command).split('\n\n');
      const told = new Set(
        help
          .split('\n')
          .flatMap((one) => /^ {2}--(?<name>[a-z-]+)/u.exec(one)?.groups?.['name'] ?? []),
      );
      assert.deepEqual(told, given);
      const rows = sectionOf(command)
        .split('\n')
        .filter((one) => one.startsWith('| `--'));
      const documented = new Set(
        rows.map((row) => /^\| `--(?<name>[a-z-]+)/u.exec(row)?.groups?.['name']),
      );
      assert.deepEqual(documented, new Set(options));
      for (const one of Object.keys(OPTIONS) as OptionName[])
        if (!options.includes(one) && one !== 'help')
          assert.throws(() => readCommandLine(lineOf(command, [one])), ArgumentError);
    });

    it(`${command}: says what is missing`, () => {
      for (const need of COMMANDS[command].needs) {
        const others = COMMANDS[command].needs.filter((one) => one !== need);
        const says = (error: unknown): boolean =>
          error instanceof ArgumentError && error.message.startsWith(`--${need} `);
        assert.throws(() => readCommandLine(lineOf(command, others)), says);
      }
    });
  }

  it('docs/cli.md names no option that there is not, and every exit code', () => {
    const known = new Set<string>([...Object.keys(OPTIONS), 'version']);
    // Options of other programs stand in the examples.
    const own = docs.replaceAll(/^.*(?:docker|kubectl|git|npm) .*$/gmu, '');
    assert.deepEqual(
      [...optionsIn(own)].filter((name) => !known.has(name)),
      [],
    );
    for (const code of Object.values(EXIT))
      assert.match(docs, new RegExp(`^\\| ${code} \\|`, 'mu'));
  });

  it('without a command it is run, and the flag of an older one still serves', () => {
    const run = readCommandLine(['--workspace', 'w', '--data', 'd', '--prompt', 'p']);
    assert.deepEqual(run.kind === 'command' && run.command, 'run');
    const serve = readCommandLine(['--workspace', 'w', '--data', 'd', '--serve-context']);
    assert.deepEqual(serve.kind === 'command' && serve.command, 'serve-context');
    assert.throws(
      () => readCommandLine(['walk']),
      /There is no command "walk"\. The commands are run, /u,
    );
  });

  it('tells help and version, also beside other options', () => {
    assert.deepEqual(readCommandLine(['--version']), { kind: 'version' });
    assert.deepEqual(readCommandLine(['--help']), { kind: 'help', command: undefined });
    assert.deepEqual(readCommandLine(['help', 'patch']), { kind: 'help', command: 'patch' });
    assert.deepEqual(readCommandLine(['patch', '--help']), { kind: 'help', command: 'patch' });
    for (const command of commands) {
      const isTold = new RegExp(`^ {2}${command}\\b`, 'mu').test(helpText());
      assert.equal(isTold, !('hidden' in COMMANDS[command]), command);
    }
    assert.ok(
      helpText()
        .split('\n')
        .every((line) => line.length <= 120),
    );
  });

  it('refuses two things on standard output', () => {
    const given = { workspace: 'w', data: 'd', prompt: 'p' };
    assert.throws(() => runArguments({ ...given, patch: '-', json: true }), ArgumentError);
    assert.throws(() => runArguments({ ...given, patch: '-', export: '-' }), ArgumentError);
    assert.equal(runArguments({ ...given, patch: 'p' }).reviewed, true);
    assert.equal(runArguments(given).reviewed, false);
  });
});
