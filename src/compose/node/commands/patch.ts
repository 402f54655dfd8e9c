import { sessionNamed, writePatch } from '../session-files.ts';
import type { CarryOut } from './command.ts';
import { withEngine } from './with-engine.ts';

/** Writes what a session changed as a patch. */
export const carryOut: CarryOut = async (given, program) =>
  withEngine(given, program, async (engine, host) => {
    const id = await sessionNamed(engine, given.session);
    await writePatch(engine, host.engine, id, given.to ?? '-');
  });
