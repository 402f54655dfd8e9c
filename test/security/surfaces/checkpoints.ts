import { existsSync } from 'node:fs';
import { lstat, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AgentChanges } from '../../../src/core/restore/agent-changes.ts';
import type { RestorePreview } from '../../../src/core/restore/agent-changes.ts';
import { failureOf } from '../../../src/domain/failure.ts';
import { sameLeaf } from '../../../src/core/restore/turned-back.ts';
import { NodeWorkspaceSnapshots } from '../../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { MapValues } from '../../support/map-values.ts';
import { list, mildest, record, text } from '../case-input.ts';
import type { Answer, Fixture, Surfaces } from '../surface.ts';
import { lookAtEverything, makeRepository } from './git.ts';
import { workerFile } from '../../support/worker-file.ts';

/** Snapshots of the workspace and going back to one, in places that do not want that. */
export const checkpointSurfaces: Surfaces = {
  checkpoint: async ({ input }, fixture) => {
    await makeRepository(input, fixture);
    const answer = await lookAtEverything(fixture);
    await using work = new Work(fixture);
    await work.agentWrites(path.join(fixture.ws, 'src/a.ts'), 'by the agent\n');
    await work.goBack();
    return answer;
  },

  'checkpoint-restore': async ({ input }, fixture) => {
    const answers: Answer[] = [];
    for (const step of list(input['after'], record)) {
      const place = text(step['replace']);
      const file = (await isFolder(place)) ? path.join(place, 'secret.txt') : place;
      await using work = new Work(fixture);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, 'of the workspace\n');
      await work.agentWrites(file, 'by the agent\n');
      await rename(place, `${place}.away`);
      await symlink(text(step['symlink']), place);
      answers.push(await work.goBack());
    }
    const secret = path.join(fixture.outside, 'secret.txt');
    const untouched = existsSync(secret) && (await readFile(secret, 'utf8')) === 's';
    return untouched ? mildest(answers) : { decision: 'allow', note: 'a file outside was changed' };
  },
};

const isFolder = async (place: string): Promise<boolean> => {
  const stat = await lstat(place).catch(() => undefined);
  return stat?.isFile() !== true;
};

/** A session of the agent's in the workspace, with the snapshots that Belay takes. */
class Work implements AsyncDisposable {
  readonly #fixture: Fixture;
  readonly #snapshots: NodeWorkspaceSnapshots;
  readonly #changes: AgentChanges;

  constructor(fixture: Fixture) {
    this.#fixture = fixture;
    this.#snapshots = new NodeWorkspaceSnapshots({
      folder: path.join(fixture.storage, 'snapshots'),
      name: 'attacked',
      worker: workerFile('hosts/node/workspace-snapshots/worker.ts'),
      without: [fixture.storage],
      environment: { HOME: fixture.home },
    });
    this.#changes = new AgentChanges({
      snapshots: this.#snapshots,
      values: new MapValues(),
      now: Date.now,
    });
  }

  async agentWrites(file: string, content: string): Promise<void> {
    const before = await this.#snapshots.take([this.#fixture.ws]);
    await writeFile(file, content);
    const after = await this.#snapshots.take([this.#fixture.ws]);
    const folders = await this.#snapshots.changes(before, after);
    const call = { callId: 'c', tool: 'x', exact: true };
    await this.#changes.record('s', { ...call, folders, uncertain: false });
  }

  /** With a person who says yes to everything, also to replacing what they have changed. */
  async goBack(): Promise<Answer> {
    let previews: readonly RestorePreview[] = [];
    try {
      previews = await this.#changes.preview(await this.#changes.list('s'));
      const { left } = await this.#changes.restore('s', previews);
      const stayed = new Set(left.map(({ path: name }) => name));
      const changed = previews.some(
        ({ path: name, now, to }) => !sameLeaf(now, to) && !stayed.has(name),
      );
      return changed
        ? { decision: 'allow' }
        : { decision: 'refuse', note: previews.map(({ why }) => why).join(' ') };
    } catch (thrown) {
      const { code, message } = failureOf(thrown);
      const isRefused = code === 'invalid' && message.startsWith('No file was restored.');
      return { decision: isRefused ? 'refuse' : 'allow', note: message };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#snapshots.dispose();
    await Promise.resolve();
  }
}
