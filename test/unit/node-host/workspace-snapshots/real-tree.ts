import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AgentChanges } from '../../../../src/core/restore/agent-changes.ts';
import type { RestorePreview } from '../../../../src/core/restore/agent-changes.ts';
import { NodeWorkspaceSnapshots } from '../../../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { ObjectStore } from '../../../../src/hosts/node/workspace-snapshots/object-store.ts';
import { compareTrees } from '../../../../src/hosts/node/workspace-snapshots/tree.ts';
import { MapValues } from '../../../support/map-values.ts';
import { workerFile } from '../../../support/worker-file.ts';

const SESSION = 's';

/** A workspace on disk, an agent that changes it by commands, and the way back, as the engine has them. */
export class RealTree {
  readonly folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-real-tree-')));
  /** The person's home folder. */
  readonly home = path.join(this.folder, 'home');
  readonly outside = path.join(this.folder, 'outside');
  /** Is made by whatever must never run. */
  readonly canary = path.join(this.folder, 'CANARY');
  readonly #storage = path.join(this.folder, 'storage');
  readonly snapshots: NodeWorkspaceSnapshots;
  readonly #changes: AgentChanges;
  /** The workspace folder. */
  root = path.join(this.folder, 'ws');

  constructor() {
    for (const made of [this.home, this.outside, this.root]) mkdirSync(made);
    this.snapshots = new NodeWorkspaceSnapshots({
      folder: this.#storage,
      name: 'test',
      worker: workerFile('hosts/node/workspace-snapshots/worker.ts'),
      without: [],
      environment: { HOME: this.home },
    });
    this.#changes = new AgentChanges({
      snapshots: this.snapshots,
      values: new MapValues(),
      now: Date.now,
    });
  }

  dispose(): void {
    this.snapshots.dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }

  at(name: string): string {
    return path.join(this.root, name);
  }

  write(name: string, text: string, mode?: number): void {
    mkdirSync(path.dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), text);
    if (mode !== undefined) chmodSync(this.at(name), mode);
  }

  text(name: string): string {
    return readFileSync(this.at(name), 'utf8');
  }

  remove(...names: string[]): void {
    for (const name of names) rmSync(this.at(name), { recursive: true });
  }

  /** Git with nobody's configuration, in the workspace or a folder of it. */
  git(args: readonly string[], cwd = this.root): string {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
    return execFileSync('git', [...identity, '-c', 'protocol.file.allow=always', ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GIT_CONFIG_GLOBAL: os.devNull, GIT_CONFIG_SYSTEM: os.devNull },
    });
  }

  /** A repository in which everything is committed. */
  repository(cwd = this.root): void {
    this.git(['init', '--quiet'], cwd);
    this.git(['add', '--all'], cwd);
    this.git(['commit', '--quiet', '--allow-empty', '--message', 'first'], cwd);
  }

  /** Paths that a snapshot of now holds. */
  async held(): Promise<readonly string[]> {
    const { folders } = await this.snapshots.take([this.root]);
    const objects = new ObjectStore(this.#storage, 'looking');
    try {
      return folders.flatMap(({ tree }) =>
        compareTrees(objects, undefined, tree).map((change) => change.path),
      );
    } finally {
      objects.close();
    }
  }

  async leftOut(): Promise<number> {
    const { reasons } = (await this.snapshots.take([this.root])).leftOut;
    const named = reasons.filter(({ why }) => why !== 'ignored');
    return named.reduce((sum, { count }) => sum + count, 0);
  }

  /** @returns the paths that are on record as changed */
  async agentDoes(work: () => unknown): Promise<readonly string[]> {
    const before = await this.snapshots.take([this.root]);
    await work();
    const after = await this.snapshots.take([this.root]);
    const folders = await this.snapshots.changes(before, after);
    const call = { callId: 'c', tool: 'x', exact: true };
    await this.#changes.record(SESSION, { ...call, folders, uncertain: false });
    return folders.flatMap(({ changes }) => changes.map((change) => change.path));
  }

  /** Paths below the workspace folder that are on record as impossible to take back. */
  async unkept(): Promise<readonly string[]> {
    const records = await this.#changes.list(SESSION);
    return records.flatMap(({ unkept = [] }) => unkept.map((at) => path.relative(this.root, at)));
  }

  preview(): Promise<readonly RestorePreview[]> {
    return this.#changes.list(SESSION).then((records) => this.#changes.preview(records));
  }

  /** Everything that the agent did is taken back; a conflict is left as it is. */
  async goBack(): Promise<void> {
    const previews = await this.preview();
    await this.#changes.restore(
      SESSION,
      previews.filter(({ outcome }) => outcome !== 'conflict'),
    );
  }
}

/** All there is below a folder: kind, mode, content, and of files the time of the last change. */
export function markOf(folder: string): string {
  const lines = everythingBelow(folder).map((name) => {
    const at = path.join(folder, name);
    const stat = lstatSync(at, { bigint: true });
    const kind = stat.mode.toString(8);
    if (stat.isSymbolicLink()) return `${name} ${kind} ${readlinkSync(at)}`;
    if (!stat.isFile()) return `${name} ${kind}`;
    const hash = createHash('sha256').update(readFileSync(at)).digest('hex');
    return `${name} ${kind} ${hash} ${stat.mtimeNs}`;
  });
  return lines.join('\n');
}

function everythingBelow(folder: string, prefix = ''): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const name = prefix + entry.name;
      const inside = entry.isDirectory()
        ? everythingBelow(path.join(folder, entry.name), `${name}/`)
        : [];
      return [name, ...inside];
    });
}
