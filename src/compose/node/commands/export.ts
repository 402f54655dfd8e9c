import { sessionNamed, writeSession } from '../session-files.ts';
import type { CarryOut } from './command.ts';
import { withEngine } from './with-engine.ts';

/** Writes a session with its pending changes. */
export const carryOut: CarryOut = async (given, program) =>
  withEngine(given, program, async (engine, host) => {
    const id = await sessionNamed(engine, given.session);
    await writeSession(engine, host.engine, id, given.to ?? '-');
  });
