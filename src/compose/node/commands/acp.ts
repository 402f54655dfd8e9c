import { ndJsonStream } from '@agentclientprotocol/sdk';
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { AcpAgent } from '../../../hosts/node/acp/agent-app.ts';
import { bytesOf } from '../../../hosts/node/acp/bytes.ts';
import { ClientPerson } from '../../../hosts/node/acp/client-person.ts';
import type { AcpRoom } from '../../../hosts/node/acp/room.ts';
import { ArgumentError, hostArguments } from '../../../hosts/node/headless/arguments.ts';
import { EXIT } from '../../../hosts/node/headless/run-headless.ts';
import { openEngine } from '../../engine.ts';
import { openTelemetry } from '../../telemetry/telemetry.ts';
import { openHost } from '../headless-host.ts';
import { printProblems } from '../print-problems.ts';
import type { CarryOut } from './command.ts';

interface OpenedRoom {
  readonly room: AcpRoom;
  close(): Promise<void>;
}

/** Is an agent for an editor that speaks the Agent Client Protocol, over standard input and output, until that closes. */
export const carryOut: CarryOut = async (given, program) => {
  const request = hostArguments({ ...given, permission: 'read' });
  const only = given.workspace === undefined ? undefined : folderOf(given.workspace);
  /** By folder; each is opened once. */
  const rooms = new Map<string, Promise<OpenedRoom>>();
  const gone = new AbortController();
  const app = new AcpAgent(async (folder) => {
    const root = folderOf(folder);
    if (only !== undefined && root !== only)
      throw fault('invalid', told`This agent works on ${only} only, not on ${root}.`);
    const opening = rooms.get(root) ?? openRoom(root);
    rooms.set(root, opening);
    opening.catch(() => rooms.delete(root));
    return (await opening).room;
  }, program.version);
  const connection = app
    .app()
    .connect(ndJsonStream(Writable.toWeb(process.stdout), bytesOf(process.stdin)));

  async function openRoom(root: string): Promise<OpenedRoom> {
    const key = createHash('sha256').update(root).digest('hex').slice(0, 8);
    const data = path.join(request.data, key);
    const host = openHost({ ...request, workspace: root, data }, program);
    const asker = new ClientPerson(
      connection.client,
      async (sessionId) => {
        let at: string | undefined = sessionId;
        // A delegated session asks in that of its parent.
        while (at !== undefined && app.known(key, at) === undefined)
          at = (await engine.store.transcripts.session(at))?.parentId;
        return at === undefined ? undefined : app.known(key, at);
      },
      gone.signal,
    );
    const engine = await openEngine({
      ...host.engine,
      person: { ...host.engine.person, approver: asker, human: asker, unattended: false },
    });
    printProblems(engine);
    const telemetry = openTelemetry(engine, host.telemetry);
    await engine.agent.handoffs.reconcile();
    return {
      room: {
        key,
        root,
        service: engine.agent,
        broker: engine.broker,
        transcripts: engine.store.transcripts,
        models: () => engine.catalog.models,
      },
      close: async () => {
        await telemetry.dispose();
        await engine.dispose();
        await host.dispose();
      },
    };
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => connection.close());
  await connection.closed;
  gone.abort();
  app.close();
  const opened = await Promise.allSettled(rooms.values());
  for (const one of opened) if (one.status === 'fulfilled') await one.value.close();
  return EXIT.done;
};

function folderOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    throw new ArgumentError(`${folder} is not a folder.`);
  }
}
