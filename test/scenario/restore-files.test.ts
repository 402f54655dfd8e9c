import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { AgentChanges, pathsIn, recordsSince } from '../../src/core/restore/agent-changes.ts';
import type { RestorePreview } from '../../src/core/restore/agent-changes.ts';
import type { ChangeRecord } from '../../src/core/restore/storage/change-record.ts';
import type { LeafRecord } from '../../src/core/ports/files/workspace-snapshots.ts';
import { isOfPerson } from '../../src/core/restore/cut.ts';
import { BelayError } from '../../src/domain/failure.ts';
import { writeJournal } from '../../src/hosts/node/workspace-snapshots/journal.ts';
import { NodeWorkspaceSnapshots } from '../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import { workerFile } from '../support/worker-file.ts';

const worker = workerFile('hosts/node/workspace-snapshots/worker.ts');

describe('files are restored to how they were before a message', () => {
  let test: TestEngine;
  let snapshots: NodeWorkspaceSnapshots;
  let storage: string;
  let sessionId: string;

  beforeEach(async () => {
    storage = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-restore-')));
    snapshots = new NodeWorkspaceSnapshots({
      folder: path.join(storage, 'snapshots'),
      name: 'test',
      worker,
      without: [],
      environment: {},
    });
    test = await TestEngine.open({
      files: { 'a.txt': 'one\ntwo\nthree\nfour\n', 'b.txt': 'b\n', 'c.sh': 'c\n' },
      host: { snapshots },
      script: inOrder(
        calls(call('read_file', { files: [{ path: 'a.txt' }] })),
        calls(
          call('edit_file', {
            path: 'a.txt',
            edits: [{ old_string: 'two', new_string: 'TWO' }],
          }),
          call('write_file', { path: 'made/by/agent.txt', content: 'new\n' }),
        ),
        say('First done.'),
        calls(
          call('run_command', { command: 'rm b.txt; printf "five\\n" >> a.txt; chmod +x c.sh' }),
        ),
        say('Second done.'),
      ),
    });
    ({ sessionId } = await test.run('First'));
  });
  afterEach(async () => {
    await test[Symbol.asyncDispose]();
    snapshots.dispose();
    rmSync(storage, { recursive: true, force: true });
  });

  const file = (name: string, text: string): Promise<void> =>
    writeFile(path.join(test.workspace, name), text);
  const textAt = (name: string): Promise<string> =>
    readFile(path.join(test.workspace, name), 'utf8');
  /** What was changed since each message of the person, the newest first; without those behind which nothing was. */
  const points = async (): Promise<readonly (readonly ChangeRecord[])[]> => {
    const messages = await test.engine.store.transcripts.messages({ sessionId });
    const records = (await test.engine.changes?.list(sessionId)) ?? [];
    return messages
      .filter(isOfPerson)
      .map(({ seq }) => recordsSince(seq, messages, records))
      .filter((since) => since.length > 0)
      .toReversed();
  };
  const preview = async (
    records: readonly ChangeRecord[] = [],
  ): Promise<readonly RestorePreview[]> => (await test.engine.changes?.preview(records)) ?? [];
  const outcomes = (previews: readonly RestorePreview[]): string[] =>
    previews.map((one) => `${one.path} ${one.outcome}`).toSorted();

  it('of edits, of commands when their files are chosen, and what the person did meanwhile stays', async () => {
    await file('a.txt', `zero\n${await textAt('a.txt')}`);
    await test.engine.agent.send(sessionId, { text: 'Second' });
    await test.engine.agent.runs.settled(sessionId);
    await file('mine.txt', 'mine\n');
    assert.equal(await textAt('a.txt'), 'zero\none\nTWO\nthree\nfour\nfive\n');

    const [second, first] = await points();
    assert.deepEqual(
      [second, first].map((records = []) => pathsIn(records).length),
      [3, 4],
    );
    assert.deepEqual(outcomes(await preview(second)), [
      'a.txt commands',
      'b.txt commands',
      'c.sh commands',
    ]);
    const all = await preview(first);
    assert.deepEqual(outcomes(all), [
      'a.txt commands',
      'b.txt commands',
      'c.sh commands',
      'made/by/agent.txt restored',
    ]);
    const record = (await test.engine.changes?.restore(sessionId, all))?.record;
    assert.equal(await textAt('a.txt'), 'zero\none\ntwo\nthree\nfour\n');
    assert.equal(await textAt('b.txt'), 'b\n');
    assert.equal(existsSync(path.join(test.workspace, 'made')), false);
    assert.equal(await textAt('mine.txt'), 'mine\n');

    // The redo.
    assert.ok(record !== undefined);
    const redo = (await test.engine.changes?.preview([record])) ?? [];
    await test.engine.changes?.restore(sessionId, redo);
    assert.equal(await textAt('a.txt'), 'zero\none\nTWO\nthree\nfour\nfive\n');
    assert.equal(existsSync(path.join(test.workspace, 'b.txt')), false);
    assert.equal(await textAt('made/by/agent.txt'), 'new\n');
    assert.deepEqual(outcomes(await preview((await points())[1])), outcomes(all));
  });

  it('where the person changed the same lines it is a conflict, and stays unless they say otherwise', async () => {
    await file('a.txt', 'one\ntwo and a half\nthree\nfour\n');
    const [first] = await points();
    const found = await preview(first);
    assert.deepEqual(outcomes(found), ['a.txt conflict', 'made/by/agent.txt restored']);
    await test.engine.changes?.restore(
      sessionId,
      found.filter(({ outcome }) => outcome !== 'conflict'),
    );
    assert.equal(await textAt('a.txt'), 'one\ntwo and a half\nthree\nfour\n');
  });

  it('all but one that was changed between the preview and the yes, which is named', async () => {
    const [first] = await points();
    const found = await preview(first);
    await file('a.txt', 'typed meanwhile\n');
    const done = await test.engine.changes?.restore(sessionId, found);
    assert.deepEqual(
      done?.left.map(({ path: name }) => name),
      ['a.txt'],
    );
    assert.equal(await textAt('a.txt'), 'typed meanwhile\n');
    assert.equal(existsSync(path.join(test.workspace, 'made')), false);
  });

  it('that a crash cut off is finished at the next start, told, and can be taken back', async () => {
    const changes = test.engine.changes;
    assert.ok(changes !== undefined);
    const [record] = (await changes.list(sessionId)).filter(({ folders }) =>
      folders.some((folder) => folder.changes.some(({ path: name }) => name === 'a.txt')),
    );
    const [folder] = record?.folders ?? [];
    assert.ok(folder !== undefined);
    const steps = folder.changes.map(({ path: name, before, after }) => ({
      path: name,
      from: after,
      to: before,
      laid: '.belay-00000000-0000-4000-8000-000000000000',
    }));
    writeJournal(path.join(storage, 'snapshots'), 'dead', {
      version: 1,
      about: { sessionId },
      folders: [{ root: folder.root, steps, parents: {} }],
    });
    assert.deepEqual(await changes.recover(), [
      'Belay finished a restore of files (1) that was cut off when Belay ended.',
    ]);
    assert.equal(await textAt('a.txt'), 'one\ntwo\nthree\nfour\n');
    assert.deepEqual(await changes.recover(), []);
    const undo = (await changes.list(sessionId)).at(-1);
    assert.equal(undo?.tool, 'restore');
    await changes.restore(sessionId, await changes.preview([undo]));
    assert.equal(await textAt('a.txt'), 'one\nTWO\nthree\nfour\n');
  });

  it('what is old is forgotten, and its space given back', async () => {
    const { changes, checkpoints } = test.engine;
    assert.ok(changes !== undefined && checkpoints !== undefined);
    await checkpoints.storage.clean();
    assert.equal((await points()).length, 1, 'what is new stays');
    assert.equal((await preview((await points())[0])).length, 2);
    const [record] = await test.engine.store.values.list('changes/', sessionId);
    assert.ok(record !== undefined);
    await test.engine.store.values.set(
      record.key,
      { ...(record.value as object), at: Date.now() - 31 * 86_400_000 },
      sessionId,
    );
    await checkpoints.storage.clean();
    assert.equal((await changes.list(sessionId)).length, 1);
  });

  it('a message says when what was changed after it is not kept any more, also in a fork; later ones do not', async () => {
    const { restore, fork, checkpoints } = test.engine;
    const untils = async (session: string): Promise<readonly (number | undefined)[]> =>
      (await restore.targets(session)).map(({ forgottenUntil }) => forgottenUntil);
    assert.deepEqual(await untils(sessionId), [undefined]);
    const [record] = (await test.engine.changes?.list(sessionId))?.slice(-1) ?? [];
    await checkpoints?.storage.cleanUp({ kind: 'everything' });
    assert.deepEqual(await untils(sessionId), [record?.at]);
    await test.engine.agent.send(sessionId, { text: 'Second' });
    await test.engine.agent.runs.settled(sessionId);
    assert.deepEqual(await untils(sessionId), [undefined, record?.at]);
    const [answer] = await fork.messages(sessionId);
    assert.ok(answer !== undefined);
    const forked = await fork.fork(await fork.point(sessionId, answer.id));
    assert.deepEqual(await untils(forked.sessionId), [undefined, record?.at]);
  });

  it('a file whose content is lost stays, and the others are restored', async () => {
    const [point] = await points();
    const [first] = point?.[0]?.folders[0]?.changes ?? [];
    assert.ok(first?.before.kind === 'file');
    const { hash } = first.before;
    const some = new Proxy(snapshots, {
      get: (target, name) =>
        name === 'contentOf'
          ? (record: LeafRecord) =>
              record.kind === 'file' && record.hash === hash
                ? Promise.reject(new BelayError({ code: 'not_found', message: 'gone' }))
                : target.contentOf(record)
          : (Reflect.get(target, name) as () => unknown).bind(target),
    });
    const { values } = test.engine.store;
    const changes = new AgentChanges({ snapshots: some, values, now: Date.now });
    const previews = await changes.preview(point ?? []);
    assert.deepEqual(outcomes(previews), ['a.txt lost', 'made/by/agent.txt restored']);
    await changes.restore(sessionId, previews);
    assert.equal(await textAt('a.txt'), 'one\nTWO\nthree\nfour\n');
    assert.equal(existsSync(path.join(test.workspace, 'made')), false);
  });
});
