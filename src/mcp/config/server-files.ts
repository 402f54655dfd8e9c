import { told } from '../../domain/text/told.ts';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { clientServers } from '../clients/client-servers.ts';
import { readJson } from '../clients/read-pasted.ts';
import type { ServerPlace } from './config.ts';
import type { ServerSource } from './read-servers.ts';

/** A file of the ecosystem in which servers are defined. */
export interface ServerFile extends ServerPlace {
  readonly label: string;
  readonly file: string;
}

/** Bytes of such a file that are read. */
const LARGEST_FILE = 2 ** 20;

/**
 * The files that are read, those that win first: of the person, then of each folder.
 * @param folders of the workspace, absolute; none while it is not trusted
 */
export function serverFiles(home: string, folders: readonly string[]): readonly ServerFile[] {
  const own: ServerFile = {
    origin: 'user',
    label: '~/.copilot/mcp-config.json',
    file: path.join(home, '.copilot', 'mcp-config.json'),
  };
  const theirs = folders.flatMap((folder, index) =>
    ['.vscode/mcp.json', '.mcp.json'].map((name): ServerFile => ({
      origin: 'workspace',
      // With several folders their names tell them apart.
      label: folders.length > 1 ? `${path.basename(folder)}/${name}` : name,
      file: path.join(folder, name),
      ...(index === 0 ? {} : { folder }),
    })),
  );
  return [own, ...theirs];
}

/** The servers of a file. @param text `undefined`: it is larger than is read */
export function serversOfFile(file: ServerFile, text: string | undefined): ServerSource {
  const place: ServerPlace = file;
  if (text === undefined) return { ...place, servers: {}, problem: told`is larger than 1 MB` };
  const read = readJson(text);
  if ('problem' in read) return { ...place, servers: {}, problem: read.problem };
  const { value } = read;
  if (value === undefined) return { ...place, servers: {} };
  const servers = clientServers(value);
  if (servers !== undefined) return { ...place, servers };
  const empty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return empty
    ? { ...place, servers: {} }
    : { ...place, servers: {}, problem: told`has no \`servers\` or \`mcpServers\`` };
}

/** Reads a file; `undefined`: there is none, or it cannot be read. */
export async function readServerFile(file: ServerFile): Promise<ServerSource | undefined> {
  const found = await stat(file.file).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  if (found.size > LARGEST_FILE) return serversOfFile(file, undefined);
  const text = await readFile(file.file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : serversOfFile(file, text);
}
