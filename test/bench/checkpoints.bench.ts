// What checkpoints of real source trees cost beside plain `git stash create`, in the same run.
import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { NodeWorkspaceSnapshots } from '../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { root as project } from '../rig/processes.ts';
import { GitBaseline } from './checkpoints/git-baseline.ts';
import { RecordedCalls } from './checkpoints/recorded-calls.ts';
import { sizeOf, sources } from './checkpoints/trees.ts';
import type { Source } from './checkpoints/trees.ts';
import { WorkingAgent } from './checkpoints/working-agent.ts';
import { longestBlock } from './tools/longest-block.ts';

type Row = Readonly<Record<string, string | number>>;

/** Of the first checkpoint, which takes long, and of all others. */
const [FIRST_ROUNDS, ROUNDS] = [3, 5];
/** Of the generated tree. */
const FILES = Number(process.env['BELAY_CHECKPOINTS_FILES'] ?? 50_000);
const TURNS = Number(process.env['BELAY_CHECKPOINTS_TURNS'] ?? 100);
/** Of a tree of so many files, where git alone takes most of a second a turn: the whole must stay below six minutes. */
const [LARGE_TREE, LARGE_TURNS] = [20_000, 30];

const PLAIN = 'git stash create';
const WITH_NEW = 'git add --all + git stash create, which alone leaves new files out';

/** Ours and git by turns, so that a busy machine slows both down. */
export async function run(): Promise<readonly Row[]> {
  const folder = realpathSync(await mkdtemp(path.join(os.tmpdir(), 'belay-bench-checkpoints-')));
  try {
    const worker = await bundle(folder);
    const rows: Row[] = [];
    for (const source of sources(FILES)) {
      const bench = await TreeBench.make(source, path.join(folder, String(rows.length)), worker);
      rows.push(...(await bench.rows()));
      await rm(bench.folder, { recursive: true });
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** As it is shipped. */
async function bundle(folder: string): Promise<string> {
  const outfile = path.join(folder, 'snapshot-worker.cjs');
  await esbuild.build({
    entryPoints: [path.join(project, 'src/hosts/node/workspace-snapshots/worker.ts')],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    logLevel: 'error',
  });
  return outfile;
}

class TreeBench {
  readonly folder: string;
  readonly #tree: string;
  readonly #name: string;
  readonly #worker: string;
  readonly #git: GitBaseline;
  readonly #rows: Row[] = [];
  readonly #turnCount: number;
  #storages = 0;

  private constructor(source: Source, folder: string, worker: string) {
    this.folder = folder;
    this.#tree = path.join(folder, 'tree');
    this.#worker = worker;
    source.make(this.#tree);
    const { files, bytes } = sizeOf(this.#tree);
    this.#name = `${source.name}: ${files} files, ${megabytes(bytes)} MB`;
    this.#turnCount = files < LARGE_TREE ? TURNS : Math.min(TURNS, LARGE_TURNS);
    this.#git = new GitBaseline(this.#tree);
  }

  static async make(source: Source, folder: string, worker: string): Promise<TreeBench> {
    await mkdir(folder);
    return new TreeBench(source, folder, worker);
  }

  async rows(): Promise<readonly Row[]> {
    await this.#first();
    const storage = this.#newStorage();
    const snapshots = this.#open(storage);
    await snapshots.take([this.#tree]);
    await this.#sizes(storage);
    await this.#later(snapshots);
    snapshots.dispose();
    await this.#reopened(storage);
    await this.#turns();
    await this.#memory(storage);
    return this.#rows;
  }

  /** Into an empty storage, by a thread that has yet to start. */
  async #first(): Promise<void> {
    const [own, git]: [number[], number[]] = [[], []];
    for (let round = 0; round < FIRST_ROUNDS; round += 1) {
      const storage = this.#newStorage();
      own.push(
        await timed(async () => {
          const snapshots = this.#open(storage);
          await snapshots.take([this.#tree]);
          snapshots.dispose();
        }),
      );
      const repository = path.join(this.folder, `repository-${round}`);
      const fresh = new GitBaseline(this.#tree, repository);
      await fresh.initialize();
      git.push(await timed(() => fresh.commit()));
      await rm(repository, { recursive: true });
      await rm(storage, { recursive: true });
    }
    this.#row('first checkpoint, ms', own, 'git add --all + git commit', git, 3);
  }

  async #sizes(storage: string): Promise<void> {
    await this.#git.initialize();
    await this.#git.commit();
    this.#row(
      'storage after the first, MB',
      [megabytes(sizeOf(storage).bytes)],
      'objects of the first commit',
      [megabytes(this.#git.bytes)],
    );
  }

  async #later(snapshots: NodeWorkspaceSnapshots): Promise<void> {
    const agent = new WorkingAgent(this.#tree, 1);
    const take = () => snapshots.take([this.#tree]);
    await this.#compared('checkpoint, nothing changed, ms', () => undefined, take);
    await this.#compared('checkpoint, 1 file changed, ms', () => agent.edit(1), take);
    const edit = () => agent.edit(20);
    await this.#compared('checkpoint, 20 files changed, ms', edit, take);
    await this.#compareCommand(snapshots, agent);
    await this.#restored(snapshots, agent);
  }

  /** Measures a command that changes one file until its record is complete, beyond the second that a call waits. */
  async #compareCommand(snapshots: NodeWorkspaceSnapshots, agent: WorkingAgent): Promise<void> {
    const [own, git]: [number[], number[]] = [[], []];
    const calls = new RecordedCalls(snapshots, this.#tree);
    for (let round = 0; round < ROUNDS; round += 1) {
      own.push(await timed(() => calls.recorded(() => agent.edit(1))));
      git.push(await timed(() => this.#git.status()));
    }
    const what = 'a command that changes one file, over the command alone, ms';
    this.#row(what, own, 'git status', git, 2.5);
    await this.#git.commit();
  }

  /** What is changed is committed after each round: git's stash costs more the more differs from HEAD. */
  async #compared(
    what: string,
    change: () => unknown,
    take: () => Promise<unknown>,
  ): Promise<void> {
    const [own, git]: [number[], number[]] = [[], []];
    await take();
    for (let round = 0; round < ROUNDS; round += 1) {
      change();
      own.push(await timed(take));
      git.push(await timed(() => this.#git.stash()));
      await this.#git.commit();
    }
    this.#row(what, own, PLAIN, git, 3);
  }

  /** With the preview, which is computed from what is stored. */
  async #restored(snapshots: NodeWorkspaceSnapshots, agent: WorkingAgent): Promise<void> {
    const [own, git]: [number[], number[]] = [[], []];
    const calls = new RecordedCalls(snapshots, this.#tree);
    for (let round = 0; round < ROUNDS; round += 1) {
      let files: readonly string[] = [];
      const record = await calls.recorded(() => (files = agent.edit(20)));
      own.push(await timed(() => calls.restore(record)));
      agent.edit(20);
      git.push(await timed(() => this.#git.restore('HEAD', files)));
      await this.#git.commit();
    }
    const what = 'restore of 20 files, ms (all or none, each on disk)';
    this.#row(what, own, 'git restore (not synced)', git);
  }

  /** The window was closed and opened again: nothing is in memory. */
  async #reopened(storage: string): Promise<void> {
    const own: number[] = [];
    const git: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      own.push(
        await timed(async () => {
          const snapshots = this.#open(storage);
          await snapshots.take([this.#tree]);
          snapshots.dispose();
        }),
      );
      git.push(await timed(() => this.#git.stash()));
    }
    this.#row('checkpoint in a new window, nothing changed, ms', own, PLAIN, git, 3);
  }

  /** Turns of a run: each is a command, recorded as in the engine, and git's stash beside it. */
  async #turns(): Promise<void> {
    const storage = this.#newStorage();
    const snapshots = this.#open(storage);
    const calls = new RecordedCalls(snapshots, this.#tree);
    const agent = new WorkingAgent(this.#tree, 2);
    this.#git.copyIndex();
    const first = await calls.call(() => undefined);
    await snapshots.take([this.#tree]);
    const [sizeBefore, gitBefore] = [sizeOf(storage).bytes, this.#git.bytes];
    const waits: number[] = [];
    const git: number[] = [];
    const blocks: number[] = [];
    let changed = 0;
    for (let turn = 1; turn <= this.#turnCount; turn += 1) {
      blocks.push(
        await longestBlock(async () => {
          waits.push(await calls.call(() => (changed += agent.turn(turn))));
        }),
      );
      git.push(await timed(() => this.#git.stashAll()));
    }
    await snapshots.take([this.#tree]);
    const grown = sizeOf(storage).bytes - sizeBefore + calls.bytes;
    snapshots.dispose();
    this.#rows.push(
      { ...this.#cells('first turn waits, ms'), ours: rounded(first), target: '<= 1000' },
      {
        ...this.#cells('longest wait of all turns, ms'),
        ours: rounded(Math.max(...waits)),
        target: '<= 1000',
      },
      {
        ...this.#cells('longest time the main thread stood still, ms'),
        ours: rounded(Math.max(...blocks)),
        target: '< 50',
      },
    );
    this.#row('a turn waits (a checkpoint before and after), ms', waits, WITH_NEW, git);
    const what = `growth over ${this.#turnCount} turns, MB (${megabytes(changed)} MB of changed files)`;
    this.#row(what, [megabytes(grown)], WITH_NEW, [megabytes(this.#git.bytes - gitBefore)]);
  }

  async #memory(storage: string): Promise<void> {
    const { stdout } = await promisify(execFile)(process.execPath, [
      fileURLToPath(new URL('checkpoints/memory.ts', import.meta.url)),
      this.#worker,
      storage,
      this.#tree,
    ]);
    const { peak, held } = JSON.parse(stdout) as { readonly peak: number; readonly held: number };
    this.#rows.push(
      { ...this.#cells('memory of the first ten checkpoints, peak MB'), ours: rounded(peak) },
      { ...this.#cells('memory held afterwards, MB'), ours: rounded(held) },
    );
  }

  #open(folder: string): NodeWorkspaceSnapshots {
    const worker = this.#worker;
    const environment = { HOME: this.folder };
    return new NodeWorkspaceSnapshots({ folder, name: 'bench', worker, without: [], environment });
  }

  #newStorage(): string {
    this.#storages += 1;
    return path.join(this.folder, `storage-${this.#storages}`);
  }

  #cells(what: string): Row {
    return { tree: this.#name, what };
  }

  #row(
    what: string,
    own: readonly number[],
    baseline: string,
    git: readonly number[],
    target?: number,
  ): void {
    this.#rows.push({
      ...this.#cells(what),
      ours: rounded(median(own)),
      git: rounded(median(git)),
      ratio: rounded(median(own) / median(git)),
      target: target === undefined ? '' : `<= ${target} x`,
      baseline,
    });
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

const megabytes = (bytes: number): number => rounded(bytes / 1e6);
const rounded = (value: number): number => Math.round(value * 100) / 100;
