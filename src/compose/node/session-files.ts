import { writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { printedJson, printedProblem } from '../../hosts/node/headless/printed.ts';
import type { Engine, EngineHost } from '../engine.ts';
import { exportedLines } from '../review/transfer.ts';
import { sessionPatch } from './session-patch.ts';

/** Writes what a session changed as a patch; names on standard error what is not in it. */
export async function writePatch(
  engine: Engine,
  host: EngineHost,
  sessionId: string,
  file: string,
): Promise<void> {
  const { patch, missing } = await sessionPatch(engine, host, sessionId);
  await writeTo(file, patch);
  if (missing.length > 0)
    process.stderr.write(
      `${printedProblem(`The patch lacks what is not kept of: ${missing.join(', ')}.`)}\n`,
    );
}

/** Writes a session with its pending changes. */
export async function writeSession(
  engine: Engine,
  host: EngineHost,
  sessionId: string,
  file: string,
): Promise<void> {
  const lines: string[] = [];
  for await (const line of exportedLines(engine, host, sessionId)) lines.push(printedJson(line));
  await writeTo(file, `${lines.join('\n')}\n`);
}

/** The session of that id, or the newest. Rejects with `not_found`. */
export async function sessionNamed({ store }: Engine, id: string | undefined): Promise<string> {
  const sessions = await store.transcripts.sessions();
  const newest = sessions
    .filter(({ type }) => type === 'main')
    .toSorted((a, b) => b.updatedAt - a.updatedAt)[0];
  const found = id === undefined ? newest : sessions.find((one) => one.id === id);
  if (found !== undefined) return found.id;
  const message = told`There is no session${id === undefined ? '' : ` ${id}`} in the data folder.`;
  throw fault('not_found', message);
}

/** `-`: standard output. */
async function writeTo(file: string, text: string): Promise<void> {
  if (file !== '-') return writeFile(file, text, { mode: 0o600 });
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
