import { realpathSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BackgroundCommands } from '../../../src/core/background/background-commands.ts';
import { spooledResults } from '../../../src/core/background/spooled-results.ts';
import { createDecide } from '../../../src/core/permissions/decide.ts';
import { PathGuard } from '../../../src/core/permissions/path-guard.ts';
import type { HumanQuestion } from '../../../src/core/ports/person/human.ts';
import type { Mode, ToolContext, ToolOutcome } from '../../../src/core/tool-call/tool-call.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import { SETTINGS } from '../../../src/domain/settings/settings.ts';
import { settingsFrom } from '../../../src/domain/settings/read-settings.ts';
import type { SettingKey } from '../../../src/domain/settings/settings.ts';
import { NodeFileOperations } from '../../../src/hosts/node/files/file-operations.ts';
import { IsolatedSheetReader } from '../../../src/hosts/node/sheets/sheet-reader.ts';
import { ThreadPdfReader } from '../../../src/hosts/node/pdf/pdf-reader.ts';
import { NodeIgnoredPaths } from '../../../src/hosts/node/search/ignore/belay-ignore.ts';
import { FileSpool } from '../../../src/hosts/node/files/file-spool.ts';
import { stopAbandoned } from '../../../src/hosts/node/processes/process-group.ts';
import { NodeSearch } from '../../../src/hosts/node/search/search.ts';
import { NodeShell } from '../../../src/hosts/node/processes/shell.ts';
import { ReadState } from '../../../src/tools/editing/read-state.ts';
import { MapValues } from '../../support/map-values.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { TodoLists } from '../../../src/core/session/todo-lists.ts';
import { createTools } from '../../../src/tools/registry.ts';
import type { ToolParts } from '../../../src/tools/tool-parts.ts';
import { Rig, textOf, untilAborted } from '../../unit/tool-call/rig.ts';
import { LockableFileSystem } from './lockable-file-system.ts';
import { FollowUpsInMemory } from '../../support/follow-ups-in-memory.ts';
import { journalsInMemory } from '../../support/journals-in-memory.ts';
import type { Sample } from './samples.ts';

/** The built-in tools in a workspace on disk, behind all wrappers; only time and the human are played. */
export class WorkspaceRig {
  readonly rig: Rig;
  readonly folder: string;
  readonly files = new LockableFileSystem();
  /** What tools take away, beside the workspace. */
  readonly removed: string;
  readonly ignored = new NodeIgnoredPaths();
  readonly shell = new NodeShell();
  readonly readState = new ReadState(new MapValues(), new SystemClock());
  readonly background: BackgroundCommands;
  readonly spool: FileSpool;
  readonly human: HumanQuestion[] = [];
  /** What the human says to `ask_human`; nothing until the signal fires when there is none. */
  readonly said: string[] = [];
  readonly settings = new Map<SettingKey, unknown>();
  mode: Mode = 'auto';
  readonly todos: TodoLists;
  readonly followUps = new FollowUpsInMemory();
  #calls = 0;
  readonly #parts: ToolParts;

  private constructor(rig: Rig, folder: string, samples: readonly Sample[]) {
    this.rig = rig;
    this.folder = folder;
    this.removed = `${folder}-removed`;
    rig.roots = [folder];
    this.todos = new TodoLists(rig.store.values, {
      publish: (_session, _run, event) => rig.events.push(event),
    });
    let started = 0;
    this.spool = new FileSpool(path.join(tmpdir(), `belay-outputs-${path.basename(folder)}`));
    this.background = new BackgroundCommands({
      shell: this.shell,
      clock: rig.clock,
      ids: { next: (kind) => `${kind}-${(started += 1)}` },
      log: rig.log,
      values: rig.store.values,
      stopAbandoned,
    });
    const settings = settingsFrom(
      (key) => this.settings.get(key) ?? SETTINGS[key].default,
      () => undefined,
    );
    this.#parts = {
      disk: {
        files: this.files,
        pdf: new ThreadPdfReader(
          new URL('../../../src/hosts/node/pdf/pdf-worker.ts', import.meta.url),
        ),
        sheets: new IsolatedSheetReader(),
        operations: new NodeFileOperations(this.removed),
        search: new NodeSearch([], {}),
        ignored: this.ignored,
      },
      commands: {
        shell: this.shell,
        roots: () => [folder],
        background: this.background,
        spool: this.spool,
        blobs: spooledResults({ result: (...args) => rig.store.blobs.result(...args) }, this.spool),
      },
      records: {
        todos: this.todos,
        journals: journalsInMemory(),
        followUps: this.followUps.part,
        attachments: { attachment: (...asked) => rig.store.blobs.attachment(...asked) },
        memories: {
          records: rig.store.memories,
          enabled: () => true,
          mask: (text) => Promise.resolve(text),
        },
      },
      human: {
        ask: async (question, signal) => {
          this.human.push(question);
          return this.said.shift() ?? untilAborted(signal);
        },
      },
      clock: rig.clock,
      ids: { next: (kind) => `${kind}-${(this.#calls += 1)}` },
      readState: this.readState,
      settings,
    };
    for (const { parts } of samples) Object.assign(this.#parts, parts?.(folder, this.#parts));
    rig.tools.push(...createTools(this.#parts));
    const guard = new PathGuard({ files: this.files, ownFolders: [], ignored: this.ignored });
    const parts = { guard, mode: () => this.mode, level: () => 'owner' as const };
    const [alone, watched] = [createDecide({ ...parts, unattended: true }), createDecide(parts)];
    rig.decide = (...call) => (this.mode === 'auto' ? alone : watched)(...call);
  }

  static async open(
    files: Readonly<Record<string, string | Uint8Array>> = {},
    samples: Readonly<Record<string, Sample>> = {},
    parent = tmpdir(),
  ): Promise<WorkspaceRig> {
    const folder = realpathSync(await mkdtemp(path.join(parent, 'belay tools ')));
    const workspace = new WorkspaceRig(await Rig.open(), folder, Object.values(samples));
    for (const [name, content] of Object.entries(files)) await workspace.write(name, content);
    return workspace;
  }

  async close(): Promise<void> {
    await this.background.dispose();
    this.shell.dispose();
    await this.spool.keepOnly([]);
    await rm(this.folder, { recursive: true, force: true });
    await rm(this.removed, { recursive: true, force: true });
  }

  /** Closes a folder to everybody. */
  async lock(name: string): Promise<void> {
    this.files.locked = this.at(name);
    await chmod(this.at(name), 0o000);
  }

  async unlock(name: string): Promise<void> {
    this.files.locked = undefined;
    await chmod(this.at(name), 0o755);
  }

  at(name: string): string {
    return path.join(this.folder, name);
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    await mkdir(path.dirname(this.at(name)), { recursive: true });
    await writeFile(this.at(name), content);
  }

  read(name: string): Promise<string> {
    return readFile(this.at(name), 'utf8');
  }

  async call(
    name: string,
    input: JsonObject,
    context: Partial<ToolContext> = {},
  ): Promise<ToolOutcome> {
    this.#calls += 1;
    return this.rig.call(name, input, { id: `call-${this.#calls}`, ...context });
  }

  /** The text of a call that must work. */
  async text(name: string, input: JsonObject): Promise<string> {
    const outcome = await this.call(name, input);
    if (outcome.result.state !== 'done')
      throw new Error(`${name}: ${outcome.result.state}: ${textOf(outcome)}`);
    return textOf(outcome);
  }

  /** The text of a call that must fail. */
  async failure(name: string, input: JsonObject): Promise<string> {
    const outcome = await this.call(name, input);
    if (outcome.result.state !== 'failed')
      throw new Error(`${name}: ${outcome.result.state}: ${textOf(outcome)}`);
    return textOf(outcome);
  }

  /** Every file with its content and mode: what a read-only tool must not change. */
  async snapshot(): Promise<Readonly<Record<string, string>>> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    const pairs = await Promise.all(
      files
        .toSorted()
        .map(
          async (file) =>
            [file, `${(await stat(file)).mode} ${await readFile(file, 'base64')}`] as const,
        ),
    );
    return Object.fromEntries(pairs);
  }
}
