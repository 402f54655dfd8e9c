import assert from 'node:assert/strict';
import { EvidenceRecords } from '../../src/core/review/evidence/evidence-records.ts';
import type { RestorePreview } from '../../src/core/restore/agent-changes.ts';
import type { PanelReviewing } from '../../src/panel/services.ts';
import type { CommandGroupView } from '../../src/protocol/review-view.ts';
import { silentLog } from '../support/memory-recorder.ts';
import type { EnginePanel } from '../support/engine/engine-panel.ts';
import type { Mirror } from '../unit/panel/mirror.ts';
import type { DuringCommands } from './user.ts';
import { eventually } from './waiting.ts';

/** What changed during commands, by the panel's requests; the preview is confirmed as it is. */
export class PanelDuring implements DuringCommands {
  preview: Record<string, RestorePreview['outcome']> = {};
  failed: readonly string[] = [];
  readonly #mirror: Mirror;
  #meanwhile = async (): Promise<void> => {};

  constructor(mirror: Mirror) {
    this.#mirror = mirror;
  }

  /** What the editor does when the panel asks it to undo. */
  async undoNow(
    groups: PanelReviewing['groups'],
    ...[id, only]: Parameters<PanelReviewing['undoDuring']>
  ): Promise<void> {
    const previews = (await groups?.preview(id, only)) ?? [];
    this.preview = Object.fromEntries(previews.map(({ path, outcome }) => [path, outcome]));
    await this.#meanwhile();
    const failed = (await groups?.undo(id, previews)) ?? [];
    this.failed = failed.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
  }

  async sees(...commands: readonly (readonly string[])[]): Promise<void> {
    const listed = (): readonly (readonly string[])[] =>
      this.#listed.map(({ line, files }) => [line, ...files.map(({ name }) => name).toSorted()]);
    const same = (): boolean => JSON.stringify(listed()) === JSON.stringify(commands);
    await eventually('the commands are listed', same).catch(() => undefined);
    assert.deepEqual(listed(), commands);
  }

  async undo(line: string, file?: string, meanwhile = async () => {}): Promise<void> {
    this.#meanwhile = meanwhile;
    const { id, files } = await this.#find(line);
    const path = files.find(({ name }) => name === file)?.path ?? null;
    await this.#mirror.request('undoDuring', { id, path });
  }

  async dismiss(line: string): Promise<void> {
    await this.#mirror.request('dismissDuring', { id: (await this.#find(line)).id });
  }

  get #listed(): readonly CommandGroupView[] {
    return this.#mirror.snapshot?.review.during ?? [];
  }

  async #find(line: string): Promise<CommandGroupView> {
    const find = () => this.#listed.find((one) => one.line === line);
    await eventually(`${line} is listed`, () => find() !== undefined);
    return find() ?? assert.fail();
  }
}

/** The parts of the review that only an editor has. */
export function createReviewing(
  { engine, workspace }: EnginePanel['test'],
  parts: { readonly during: () => PanelDuring; readonly closing: (() => unknown)[] },
): PanelReviewing {
  const { broker, store, files, groups, reviews = assert.fail('Nothing is reviewed.') } = engine;
  const { transcripts, runs } = store;
  const stat = (at: string) => files.stat(at);
  const evidence = new EvidenceRecords({ transcripts, runs, broker, stat, log: silentLog });
  parts.closing.push(() => evidence.dispose());
  const nothing = async (): Promise<void> => undefined;
  return {
    reviews,
    groups,
    evidence,
    roots: () => [workspace],
    open: nothing,
    openDiff: nothing,
    openApproval: nothing,
    openAll: nothing,
    comment: nothing,
    undoDuring: async (...which) => parts.during().undoNow(groups, ...which),
  };
}
