import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { RestoreStep } from '../../../../src/core/ports/files/workspace-snapshots.ts';
import { sameLeaf } from '../../../../src/core/restore/turned-back.ts';
import { leafBelow } from '../../../../src/hosts/node/workspace-snapshots/leaf-files.ts';

/** What a folder holds: path → text, `-> target` or `folder`, with the permission bits. */
export type State = Readonly<Record<string, string>>;

/** Writes what the agent found, and what it left. */
export function writeBefore(folder: string): void {
  const [one, two] = [path.join(folder, 'one'), path.join(folder, 'two')];
  put(one, 'a.txt', 'a before\n', 0o755);
  put(one, 'gone/deep/file.txt', 'deep\n');
  put(one, 'folder-now', 'a file before\n');
  put(one, 'name.txt', 'name\n');
  put(one, 'same.txt', 'same\n');
  symlinkSync('a.txt', path.join(one, 'link'));
  put(two, 'x.txt', 'x before\n');
  put(two, 'sub/y.txt', 'y before\n');
}

export function writeAfter(folder: string): void {
  const [one, two] = [path.join(folder, 'one'), path.join(folder, 'two')];
  put(one, 'a.txt', 'a by the agent\n', 0o644);
  put(one, 'folder-now/inside.txt', 'inside\n');
  put(one, 'NAME.txt', 'name\n');
  put(one, 'same.txt', 'same\n');
  put(one, 'made/by/agent.txt', 'made\n');
  chmodSync(path.join(one, 'made/by'), 0o700);
  symlinkSync('elsewhere', path.join(one, 'link'));
  put(two, 'x.txt', 'x by the agent\n');
  put(two, 'line\nbreak.txt', 'odd\n');
}

function put(root: string, name: string, text: string, mode = 0o644): void {
  const at = path.join(root, name);
  mkdirSync(path.dirname(at), { recursive: true });
  writeFileSync(at, text);
  chmodSync(at, mode);
}

export function stateOf(root: string, below = ''): State {
  const state: Record<string, string> = {};
  for (const name of readdirSync(path.join(root, below)).toSorted()) {
    const inner = path.posix.join(below, name);
    const at = path.join(root, inner);
    const stat = lstatSync(at);
    const mode = (stat.mode & 0o777).toString(8);
    if (stat.isSymbolicLink()) state[inner] = `-> ${readlinkSync(at)}`;
    else if (!stat.isDirectory()) state[inner] = `${mode} ${readFileSync(at, 'utf8')}`;
    else Object.assign(state, { [inner]: `${mode} folder` }, stateOf(root, inner));
  }
  return state;
}

/** The way from what a folder holds to what another one does. */
export function stepsBetween(root: string, wanted: string): RestoreStep[] {
  const names = new Set([...Object.keys(stateOf(root)), ...Object.keys(stateOf(wanted))]);
  return [...names].flatMap((name) => {
    const [from, to] = [leafBelow(root, name), leafBelow(wanted, name)];
    return sameLeaf(from, to) ? [] : [{ path: name, from, to }];
  });
}
