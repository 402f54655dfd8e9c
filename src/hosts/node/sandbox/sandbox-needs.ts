import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { type BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { pathBelow } from '../../../domain/paths.ts';

const INSTALL: Readonly<Record<string, string>> = {
  srt: 'npm install -g @anthropic-ai/sandbox-runtime',
  node: 'Node.js 22.12 or newer, on the PATH',
  bwrap: 'the package bubblewrap (apt-get install bubblewrap)',
  socat: 'the package socat (apt-get install socat)',
  rg: 'the package ripgrep (apt-get install ripgrep)',
  'sandbox-exec': 'it is part of macOS',
};

const NEEDS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ['srt', 'node', 'bwrap', 'socat', 'rg'],
  darwin: ['srt', 'node', 'sandbox-exec'],
};

const OFF =
  'Ask the person to install it, or to set belay.terminal.sandbox to "off" if commands may run without the sandbox.';

/** The path of `srt` (no folder written by the sandbox), or a `BelayError` with what is missing. */
export function sandboxProgram(
  searchPath: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const needs = NEEDS[platform];
  if (needs === undefined) {
    const message = told`The command was not run: belay.terminal.sandbox is "on", and there is no sandbox for commands on ${platform === 'win32' ? 'Windows' : platform}. Ask the person to set it to "off" if commands may run without it.`;
    throw fault('tool', message);
  }
  const missing = needs.filter((name) => programOn(searchPath, name) === undefined);
  const program = programOn(searchPath, 'srt');
  if (missing.length === 0 && program !== undefined) return program;
  const list = missing.map((name) => `${name} (${INSTALL[name] ?? name})`).join(', ');
  const message = told`The command was not run: belay.terminal.sandbox is "on", and the sandbox needs what is not on the PATH: ${list}. ${OFF}`;
  throw fault('tool', message);
}

export function doesNotStart(said: string): BelayError {
  const why = said.trim().split('\n').slice(-4).join(' ').slice(-600);
  const message = told`The command was not run: belay.terminal.sandbox is "on", and the sandbox does not start here: ${why === '' ? 'it said nothing' : why}. On Linux it needs user namespaces that bubblewrap may use. Ask the person to permit them, or to set belay.terminal.sandbox to "off" if commands may run without the sandbox.`;
  return fault('tool', message);
}

/** Folders of a search path in which a command in the sandbox cannot put a program for a later one. */
export function safeFolders(searchPath: string, writable: readonly string[]): string {
  return searchPath
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .filter((folder) => !writable.some((place) => pathBelow(place, realPath(folder)) !== undefined))
    .join(path.delimiter);
}

function programOn(searchPath: string, name: string): string | undefined {
  for (const folder of searchPath.split(path.delimiter)) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // not in this folder
    }
  }
  return undefined;
}

/** Returns the path without links; of a folder that does not exist yet, the path itself. */
export function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
