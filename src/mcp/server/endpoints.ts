import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { isJsonObject } from '../../domain/data/json.ts';

/** Where a window serves its context, and the secret that it wants. */
export interface Endpoint {
  readonly url: string;
  readonly secret: string;
}

/** Milliseconds for a connection on this machine; what takes longer counts as there. */
const PATIENCE = 1000;
/** Bytes of a file with an endpoint. */
const LONGEST = 4096;

const folderOf = (data: string): string => path.join(data, 'context-servers');

/**
 * Writes down for other processes of this user where a window serves, and removes what crashed windows left: where
 * nobody listens. Gives what takes it back.
 */
export async function publishEndpoint(
  data: string,
  endpoint: Endpoint,
): Promise<() => Promise<void>> {
  const folder = folderOf(data);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await Promise.all((await readdir(folder)).map(async (name) => tidy(path.join(folder, name))));
  const file = path.join(folder, `${randomBytes(8).toString('hex')}.json`);
  await writeFile(file, JSON.stringify(endpoint), { mode: 0o600, flag: 'wx' });
  return async () => rm(file, { force: true });
}

/** Endpoints that windows wrote down, the newest first; those of windows that crashed are among them. */
export async function publishedEndpoints(data: string): Promise<readonly Endpoint[]> {
  const folder = folderOf(data);
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(names.map(async (name) => read(path.join(folder, name))));
  return found
    .flatMap((one) => one ?? [])
    .toSorted((a, b) => b.at - a.at)
    .map(({ endpoint }) => endpoint);
}

async function tidy(file: string): Promise<void> {
  const found = await read(file);
  if (found === undefined || !(await isListening(new URL(found.endpoint.url))))
    await rm(file, { force: true });
}

async function isListening({ hostname, port }: URL): Promise<boolean> {
  const socket = connect(Number(port), hostname);
  socket.setTimeout(PATIENCE, () => socket.destroy(new Error('no answer')));
  const isThere = await once(socket, 'connect').then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ECONNREFUSED',
  );
  socket.destroy();
  return isThere;
}

async function read(file: string): Promise<{ endpoint: Endpoint; at: number } | undefined> {
  try {
    const { size, mtimeMs } = await stat(file);
    if (size > LONGEST) return undefined;
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!isJsonObject(value)) return undefined;
    const { url, secret } = value;
    if (typeof url !== 'string' || typeof secret !== 'string') return undefined;
    // The secret goes to this machine only, whatever the file says.
    if (new URL(url).hostname !== '127.0.0.1') return undefined;
    return { endpoint: { url, secret }, at: mtimeMs };
  } catch {
    return undefined;
  }
}
