import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { FileSystem } from '../../src/core/ports/files/file-system.ts';
import type { Log } from '../../src/core/ports/log.ts';
import type { ChangeOrigin } from '../../src/core/ports/files/change-origin.ts';
import { WrittenChanges } from '../../src/core/review/files/written-changes.ts';
import { ReviewedFiles } from '../../src/core/review/files/reviewed-files.ts';
import { textOf } from '../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../src/core/review/model/hunks.ts';
import { Reviews } from '../../src/core/review/service/reviews.ts';
import { SystemClock } from '../../src/hosts/node/clock.ts';
import { NodeFileSystem } from '../../src/hosts/node/files/file-system.ts';
import { DocumentFileSystem } from '../../src/hosts/vscode/files/document-file-system.ts';
import { Listeners } from '../../src/domain/lifetime/listeners.ts';
import type { PendingUris } from '../../src/hosts/vscode/pending/pending-uris.ts';
import { CommandGroups } from '../../src/core/review/commands/command-groups.ts';
import { StoredGroups } from '../../src/core/review/commands/stored-groups.ts';
import { AgentChanges } from '../../src/core/restore/agent-changes.ts';
import type { WorkspaceSnapshots } from '../../src/core/ports/files/workspace-snapshots.ts';
import { PendingWindow } from '../../src/hosts/vscode/pending/pending-window.ts';
import { MapValues } from '../support/map-values.ts';

/** No record is read in these tests. */
const NO_SNAPSHOTS = {} as WorkspaceSnapshots;

/** A window on pending changes beside the product's own, in a folder of its own. */
export class PendingKit {
  readonly #onIdle = new Listeners();
  readonly problems: string[] = [];
  readonly folder: string;
  readonly disk: FileSystem = new DocumentFileSystem(new NodeFileSystem());
  readonly values = new MapValues();
  /** What agents run. */
  readonly commands = { running: false, onIdle: this.#onIdle.listen };
  reviews!: Reviews;
  window!: PendingWindow;
  /** What changed while commands ran. */
  groups!: CommandGroups;
  /** The files as the agent has them. */
  agent!: ReviewedFiles;
  #calls = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @param below a folder to make it in; default: the system's for temporary files */
  static async open(below: string = os.tmpdir()): Promise<PendingKit> {
    await mkdir(below, { recursive: true });
    const kit = new PendingKit(await realpath(await mkdtemp(path.join(below, 'belay-pending-'))));
    await kit.start();
    return kit;
  }

  async start(): Promise<void> {
    const { values, disk: files, log } = this;
    const clock = new SystemClock();
    this.reviews = new Reviews({ values, files, clock, log });
    await this.reviews.load();
    this.agent = new ReviewedFiles(files, new WrittenChanges(this.reviews, clock));
    this.groups = new CommandGroups({
      stored: new StoredGroups(values, log),
      changes: new AgentChanges({ snapshots: NO_SNAPSHOTS, values, now: () => clock.now() }),
      files: this.reviews.files,
      clock,
      sessionsSince: async () => [],
      watch: () => ({ dispose: () => undefined }),
    });
    this.window = new PendingWindow({
      reviews: this.reviews,
      groups: this.groups,
      log,
      prefix: 'belay-test-',
      commands: this.commands,
    });
  }

  get uris(): PendingUris {
    return this.window.uris;
  }

  /** As when the window is closed. */
  async stop(): Promise<void> {
    this.window.dispose();
    await this.reviews.flush();
    this.reviews.dispose();
  }

  async close(): Promise<void> {
    await this.stop();
    for (const document of vscode.workspace.textDocuments) {
      if (!document.isDirty) continue;
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(this.folder, { recursive: true });
    assert.deepEqual(this.problems, []);
  }

  readonly log: Log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (message, thrown) => void this.problems.push(`${message} ${String(thrown)}`),
  };

  /** As an agent's command that does this. */
  async command(work: () => Promise<void>): Promise<void> {
    this.commands.running = true;
    await work();
    this.commands.running = false;
    this.#onIdle.fire();
  }

  /** Resolves when the window has heard of what was done. */
  async settled(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const listening = this.window.feed.onChange(() => resolve());
    const quiet = setTimeout(resolve, 200);
    await promise;
    clearTimeout(quiet);
    listening.dispose();
    await this.window.staging.settled();
  }

  path(name: string): string {
    return path.join(this.folder, name);
  }

  /** Makes a file that the person has, and gives its path. */
  async file(name: string, text: string): Promise<string> {
    const file = this.path(name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  }

  /** A file in an editor. */
  async show(file: string): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  /** The agent makes a file `text`, over what it is. */
  async edit(file: string, text: string, how: ChangeOrigin['how'] = 'write'): Promise<void> {
    const isThere = (await this.agent.stat(file)) !== undefined;
    const replaces = isThere ? await this.agent.read(file) : ('nothing' as const);
    await this.agent.write(file, Buffer.from(text), { replaces, origin: this.origin(how) });
  }

  origin(how: ChangeOrigin['how'] = 'write'): ChangeOrigin {
    this.#calls += 1;
    const callId = `call_${this.#calls}`;
    return { sessionId: 's', messageId: 'm', callId, tool: 'edit_file', how };
  }

  /** Pending hunks of a file as "-removed+added". */
  hunks(file: string): readonly string[] {
    const review = this.reviews.find(file);
    return (review === undefined ? [] : hunksOf(review)).map(
      ({ removed, added }) => `-${removed.join('|')}+${added.join('|')}`,
    );
  }

  baseline(file: string): string | undefined {
    const review = this.reviews.find(file);
    return review === undefined ? undefined : textOf(review.baseline);
  }

  document(file: string): string | undefined {
    const review = this.reviews.find(file);
    return review === undefined ? undefined : textOf(review.document);
  }
}

/** Types at a place, as a person does. */
export async function typeAt(
  document: vscode.TextDocument,
  line: number,
  character: number,
  text: string,
): Promise<void> {
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  editor.selection = new vscode.Selection(line, character, line, character);
  await vscode.commands.executeCommand('type', { text });
}

/** Replaces lines as one edit of the person's. */
export async function replaceIn(
  document: vscode.TextDocument,
  range: readonly [number, number, number, number],
  text: string,
): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(...range), text);
  assert.equal(await vscode.workspace.applyEdit(edit), true);
}
