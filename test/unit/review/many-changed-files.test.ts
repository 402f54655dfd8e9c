import assert from 'node:assert/strict';
import type { LeafRecord } from '../../../src/core/ports/files/workspace-snapshots.ts';
import { CommandChanges } from '../../../src/core/review/service/edits/command-changes.ts';
import type { CommandCall } from '../../../src/core/review/service/edits/command-changes.ts';
import { DecisionJournal } from '../../../src/core/review/storage/decision-journal.ts';
import { MapValues } from '../../support/map-values.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { MemoryWorkspace } from '../../support/review/memory-workspace.ts';

const FILES = 3900;

describe('a command that changes thousands of files', () => {
  it('is reviewed file by file as far as that goes, and says of how many it is not', async () => {
    const ws = new MemoryWorkspace();
    const names = Array.from(
      { length: FILES },
      (_, index) => `folder/with/a/long/name/${index}.ts`,
    );
    for (const name of names) ws.files.put(`/w/${name}`, 'new\n');
    const snapshots = {
      contentOf: async (leaf: LeafRecord) => {
        const hash = leaf.kind === 'file' ? leaf.hash : '';
        // One of them cannot be read any more.
        if (hash === 'new 7') throw new Error('lost');
        const bytes = new TextEncoder().encode(hash.startsWith('new') ? 'new\n' : 'old\n');
        return { kind: 'file' as const, bytes, mode: 0o644 };
      },
    };
    const { reviews, clock } = ws;
    const commands = new CommandChanges({ reviews, snapshots, clock, log: silentLog });
    const leaf = (hash: string): LeafRecord => ({ kind: 'file', hash, size: 4, mode: 0o644 });
    const call = {
      tool: { name: 'run_command' },
      input: {},
      context: { sessionId: 's', messageId: 'm', callId: 'c', roots: ['/w'] },
    } as unknown as CommandCall;
    const changes = names.map((path, index) => ({
      path,
      before: leaf(`old ${index}`),
      after: leaf(`new ${index}`),
    }));
    await commands.begin(call)([{ root: '/w', changes }]);
    const listed = reviews.pending.length;
    assert.equal(listed, 200);
    const [note] = reviews.records.unlisted.all;
    assert.equal(note?.total, FILES - listed);
    assert.equal(note.paths.length, 200);
    assert.ok(note.paths.includes('/w/folder/with/a/long/name/7.ts'));
    const all = reviews.pending.map(({ path }) => ({ path }));
    const { done, left } = await reviews.decisions.decide('reject', all);
    assert.deepEqual([done, left], [0, listed], 'nobody knows whose they are');
    for (const one of all) await reviews.decisions.reject(one);
    assert.equal(ws.files.text(`/w/${names[0]!}`), 'old\n');
  });

  it('a decision about thousands of files is kept in parts, each window its own', async () => {
    const values = new MapValues();
    const selected = Array.from({ length: 5000 }, (_, at) => ({
      path: `/w/${'long/'.repeat(60)}${at}.ts`,
      choice: 'all' as const,
      hunks: ['a', 'b'],
    }));
    const journal = new DecisionJournal(values, '1');
    await journal.begin('reject', selected);
    for (const { value } of await values.list(''))
      assert.ok(JSON.stringify(value).length < 1_000_000);
    await new DecisionJournal(values, '2').begin('accept', selected.slice(0, 1));
    await new DecisionJournal(values, '2').end();
    const later = new DecisionJournal(values, '3');
    assert.deepEqual(await later.interrupted(), { decision: 'reject', selected });
    await later.end();
    const left = await later.interrupted();
    assert.equal(left?.decision, 'accept');
    await later.end();
    assert.deepEqual(await values.list(''), []);
  });
});
