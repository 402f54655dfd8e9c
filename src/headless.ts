#!/usr/bin/env node
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CarryOut } from './compose/node/commands/command.ts';
import { oneLine } from './compose/node/headless-host.ts';
import { ArgumentError, readCommandLine } from './hosts/node/headless/arguments.ts';
import type { CommandName } from './hosts/node/headless/commands.ts';
import { helpText, usageOf } from './hosts/node/headless/help.ts';
import { printedProblem } from './hosts/node/headless/printed.ts';
import { EXIT } from './hosts/node/headless/run-headless.ts';

/** Put in by the bundler. */
declare const BELAY_VERSION: string | undefined;

/** The code of each command, loaded when it is called. */
const CODE: Readonly<Record<CommandName, () => Promise<{ readonly carryOut: CarryOut }>>> = {
  run: async () => import('./compose/node/commands/run.ts'),
  acp: async () => import('./compose/node/commands/acp.ts'),
  'serve-context': async () => import('./compose/node/commands/serve-context.ts'),
  sessions: async () => import('./compose/node/commands/sessions.ts'),
  export: async () => import('./compose/node/commands/export.ts'),
  import: async () => import('./compose/node/commands/import.ts'),
  patch: async () => import('./compose/node/commands/patch.ts'),
  background: async () => import('./compose/node/commands/background.ts'),
};

/** The headless host: the same engine on plain Node, for scripts, CI, benchmarks and fault tests. */
async function main(): Promise<number> {
  const version = typeof BELAY_VERSION === 'string' ? BELAY_VERSION : 'source';
  let named: CommandName | undefined;
  try {
    const line = readCommandLine(process.argv.slice(2));
    if (line.kind === 'command') {
      named = line.command;
      const { carryOut } = await CODE[line.command]();
      return await carryOut(line.given, { version, workerFile });
    }
    process.stdout.write(line.kind === 'version' ? `${version}\n` : helpText(line.command));
    return EXIT.done;
  } catch (error) {
    const wrong = error instanceof ArgumentError;
    const help =
      named === undefined
        ? helpText()
        : `${usageOf(named)}\nbelay help ${named} tells the options.\n`;
    process.stderr.write(`${wrong ? help : ''}${printedProblem(oneLine(error))}\n`);
    return wrong ? EXIT.badArguments : EXIT.error;
  }
}

/** Beside the bundle; from source, the worker's source. */
function workerFile(source: string, bundle: string): string | URL {
  return import.meta.url.endsWith('.ts')
    ? new URL(source, import.meta.url)
    : path.join(path.dirname(fileURLToPath(import.meta.url)), bundle);
}

void (async () => {
  process.exitCode = await main();
})();
