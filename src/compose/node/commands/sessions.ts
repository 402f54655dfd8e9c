import { printed, printedJson } from '../../../hosts/node/headless/printed.ts';
import type { CarryOut } from './command.ts';
import { withEngine } from './with-engine.ts';

/** Lists the sessions, the newest first. */
export const carryOut: CarryOut = async (given, program) =>
  withEngine(given, program, async ({ store }) => {
    const sessions = await store.transcripts.sessions();
    const own = sessions.filter(({ type }) => type === 'main');
    for (const one of own.toSorted((a, b) => b.updatedAt - a.updatedAt)) {
      const time = new Date(one.updatedAt).toISOString();
      const line =
        given.json === true
          ? printedJson(JSON.stringify(one))
          : printed(`${one.id}\t${time}\t${one.title}`);
      process.stdout.write(`${line}\n`);
    }
  });
