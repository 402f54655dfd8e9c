import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startModelServer } from '../model-server/server.ts';
import type { ModelServer } from '../model-server/server.ts';
import type { Script } from '../model-server/turn.ts';
import { startHeadless, startProgram } from './headless.ts';
import type { HeadlessOptions, HeadlessResult, RunningHeadless } from './headless.ts';

type More = Omit<HeadlessOptions, 'modelUrl' | 'workspace' | 'data' | 'arguments'> &
  Partial<Pick<HeadlessOptions, 'workspace' | 'data'>>;

/** A workspace, a data folder and a scripted model, for several lives of the headless host. */
export class HeadlessPlace implements AsyncDisposable {
  readonly folder: string;
  readonly server: ModelServer;

  private constructor(folder: string, server: ModelServer) {
    this.folder = folder;
    this.server = server;
  }

  static async make(script: Script): Promise<HeadlessPlace> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-place-'));
    await mkdir(path.join(folder, 'workspace'));
    return new HeadlessPlace(folder, await startModelServer({ script }));
  }

  get workspace(): string {
    return path.join(this.folder, 'workspace');
  }

  get data(): string {
    return path.join(this.folder, 'data');
  }

  /** Starts the host with arguments that are split at spaces, permission for everything included. */
  async start(args: string, more: More = {}): Promise<RunningHeadless> {
    return startHeadless({
      modelUrl: this.server.url,
      workspace: this.workspace,
      data: this.data,
      arguments: ['--permission', 'all', ...args.split(' ')],
      ...more,
    });
  }

  /** Runs the host to its end. */
  async run(args: string, more: More = {}): Promise<HeadlessResult> {
    return (await this.start(args, more)).ended;
  }

  /** Carries out another command than `run`, its arguments split at spaces. */
  async command(args: string, at: Readonly<Record<string, string>>): Promise<HeadlessResult> {
    const more = Object.entries(at).flatMap(([name, value]) => [`--${name}`, value]);
    return (await startProgram([...args.split(' '), ...more])).ended;
  }

  /** Lines of a file of the workspace; none when it is not there. */
  async lines(name = 'out.txt'): Promise<string[]> {
    const text = await readFile(path.join(this.workspace, name), 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  }

  async write(name: string, text: string): Promise<void> {
    await writeFile(path.join(this.workspace, name), text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
