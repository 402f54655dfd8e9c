import { readFile } from 'node:fs/promises';
import { takenInWords } from '../../../core/review/transfer/taken-in-words.ts';
import { printed, printedJson, printedProblem } from '../../../hosts/node/headless/printed.ts';
import { importLines, linesIn } from '../../review/transfer.ts';
import type { CarryOut } from './command.ts';
import { withEngine } from './with-engine.ts';

/** Takes a session in from a file and prints its id here; says what is not pending as it was. */
export const carryOut: CarryOut = async (given, program) =>
  withEngine(given, program, async (engine, { engine: host }) => {
    const text = await readFile(given.from ?? '', 'utf8');
    const options = {
      partial: given.partial === true,
      approval: {
        allowAll: async () => given.apply === true,
        allowProtected: async () => false,
      },
    };
    const imported = await importLines(engine, host, linesIn(text), options);
    const { sessionId, skipped, taken } = imported;
    process.stdout.write(
      given.json === true
        ? `${printedJson(JSON.stringify(imported))}\n`
        : `${printed(sessionId)}\n`,
    );
    const lost = skipped === 0 ? [] : [`${skipped} lines of the file could not be read.`];
    for (const words of [...lost, ...takenInWords(taken)])
      process.stderr.write(`${printedProblem(words)}\n`);
  });
