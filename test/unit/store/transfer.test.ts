import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import type { Store } from '../../../src/store/store.ts';
import {
  call,
  message,
  open,
  run,
  temporaryFolder,
  PATIENCE,
} from '../../contract/store/support.ts';
import { exported, fill } from './transferred-session.ts';
import { signed } from '../../support/replays.ts';

describe('store: export and import (D8)', function () {
  this.timeout(PATIENCE);
  let folders: ReturnType<typeof temporaryFolder>[];
  let stores: Store[];
  let source: Store;
  beforeEach(async () => {
    folders = [];
    stores = [];
    source = await another();
    await fill(source);
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    for (const folder of folders) folder.remove();
  });

  const another = async (): Promise<Store> => {
    const folder = temporaryFolder();
    folders.push(folder);
    const store = await open(folder.path);
    stores.push(store);
    return store;
  };

  it('is lossless: exported, imported elsewhere and exported again it is the same', async () => {
    const lines = await exported(source, 's');
    const target = await another();
    const report = await target.transfer.importSession(lines);
    assert.deepEqual(report, { sessionId: 's', messages: 4, skipped: [], filled: 0, pending: [] });
    assert.deepEqual(withoutEpoch(await exported(target, 's')), withoutEpoch(lines));
    assert.deepEqual(await target.transcripts.session('s'), await source.transcripts.session('s'));
    const kept = await source.transcripts.messages({ sessionId: 's' });
    assert.deepEqual(await target.transcripts.messages({ sessionId: 's' }), kept);
    assert.equal((await target.transcripts.session('child'))?.parentId, 's');
    assert.equal((await target.transcripts.search('unmistakable', 1)).hits[0]?.sessionId, 's');
    assert.deepEqual(await target.values.get('journal', 's'), { objective: 'all of it' });
  });

  it('what it cost elsewhere is shown, but does not count for this month', async () => {
    const target = await another();
    await target.transfer.importSession(await exported(source, 's'));
    assert.equal((await target.transcripts.session('s'))?.cost, 0.75);
    assert.equal((await target.usage.records('s')).length, 1);
    const { tokens, cost, calls } = await target.usage.total(0);
    assert.deepEqual([tokens, cost, calls], [0, 0, 0]);
  });

  it('imported into the same database, everything gets new ids and the old session stays', async () => {
    const lines = await exported(source, 's');
    const { sessionId } = await source.transfer.importSession(lines);
    assert.notEqual(sessionId, 's');
    assert.equal((await source.transcripts.sessions()).length, 4);
    const copy = await source.transcripts.messages({ sessionId });
    assert.equal(copy.length, 3);
    assert.ok(copy.every((one) => one.sessionId === sessionId));
    const [run] = await source.runs.runs({ sessionId });
    assert.notEqual(run?.id, 'r');
    assert.equal(copy[1]?.runId, run?.id);
    const made = copy[1]?.parts.find((part) => part.type === 'tool_call');
    const children = (await source.transcripts.sessions()).filter(
      (one) => one.parentId === sessionId,
    );
    assert.equal(children.length, 1);
    assert.equal(made?.id, children[0]?.id, 'the call still leads to its session');
    assert.deepEqual(made?.input, { prompt: 'use sk-secret', id: 's' }, 'input is not looked into');
    assert.equal((await source.runs.ledger({ sessionId }))[0]?.callId, children[0]?.id);
    assert.deepEqual(withoutIds(await exported(source, sessionId)), withoutIds(lines));
    assert.equal((await source.transcripts.messages({ sessionId: 's' })).length, 3);
  });

  it('ids that follow an import do not meet imported ones', async () => {
    const target = await another();
    const before = target.ids.next('message');
    const lines = (await exported(source, 's')).map((line) => line.replaceAll('"m-', '"m9-'));
    const header = JSON.parse(lines[0] ?? '') as object;
    lines[0] = JSON.stringify({ ...header, epoch: 41 });
    await target.transfer.importSession(lines);
    assert.match(before, /^m1-/);
    assert.match(target.ids.next('message'), /^m42-/);
  });

  it('secrets are masked in every text; ids, bytes and unchanged signatures are exact', async () => {
    const lines = [];
    const mask = (text: string): string => text.replaceAll('sk-secret', '***');
    for await (const line of source.transfer.exportSession('s', { mask })) lines.push(line);
    const target = await another();
    await target.transfer.importSession(lines);
    const parts = (await target.transcripts.messages({ sessionId: 's' }))[1]?.parts;
    assert.deepEqual(parts, [
      { type: 'reasoning', text: 'thinking of ***' },
      { type: 'reasoning', text: 'plain', replay: signed('c2ln') },
      { type: 'text', text: 'the key is ***' },
      { type: 'tool_call', id: 'child', name: 'agent', input: { prompt: 'use ***', id: 's' } },
      { type: 'binary', mediaType: 'image/png', data: 'sk-secret' },
      { type: 'finish', reason: 'tool_use' },
    ]);
    const rest = lines.join('\n').replaceAll('"data":"sk-secret"', '');
    assert.ok(!rest.includes('sk-secret'), 'nowhere else either');
  });

  it('a run that was on is not on after the import, and its call is unknown', async () => {
    await source.recorder.commit([
      { kind: 'run', run: run('on', 's', { state: 'waiting_on_human', resumeAvailable: true }) },
      {
        kind: 'ledger',
        entry: call('on', 's', 'running', { process: { pid: process.pid, birth: 'b' } }),
      },
      { kind: 'run', run: run('late', 's', { state: 'timed_out', resumeAvailable: true }) },
    ]);
    const target = await another();
    await target.transfer.importSession(await exported(source, 's'));
    const found = await target.runs.run('on');
    assert.deepEqual([found?.state, found?.resumeAvailable], ['timed_out', false]);
    const entry = await target.runs.ledgerEntry('on', 'running');
    assert.equal(entry?.state, 'unknown');
    assert.equal(entry.process, undefined, 'a file names no process of this machine');
    assert.equal((await target.runs.run('late'))?.resumeAvailable, false);
    assert.deepEqual(await target.runs.abandoned(0), []);
  });

  it('events stay in the order of their processes, and later ones follow them', async () => {
    const folder = folders[0]?.path ?? '';
    await source.close();
    source = await open(folder);
    stores[0] = source;
    source.recorder.events([
      {
        type: 'warning',
        category: 'Warning',
        message: 'two',
        seq: 1,
        sessionId: 's',
        runId: 'r',
        at: 1,
      },
    ]);
    await source.recorder.flush();
    const target = await another();
    await target.transfer.importSession(await exported(source, 's'));
    target.recorder.events([
      {
        type: 'warning',
        category: 'Warning',
        message: 'three',
        seq: 1,
        sessionId: 's',
        runId: 'r',
        at: 1,
      },
    ]);
    await target.recorder.flush();
    const texts = (await target.transcripts.events('s')).map((event) =>
      event.type === 'warning' ? event.message : event.type,
    );
    assert.deepEqual(texts, ['message.added', 'one', 'two', 'three']);
  });

  it('a session exported without its parent stands for itself', async () => {
    const target = await another();
    await target.transfer.importSession(await exported(source, 'child'));
    const child = await target.transcripts.session('child');
    assert.deepEqual([child?.type, child?.parentId, child?.messageCount], ['main', undefined, 1]);
  });

  it('values that the host does not accept are left out', async () => {
    const target = await another();
    await source.values.set('options', { mode: 'all' }, 's');
    await target.transfer.importSession(await exported(source, 's'), {
      acceptValue: (key) => key === 'journal',
    });
    assert.deepEqual(await target.values.list('', 's'), [
      { key: 'held', value: true },
      { key: 'journal', value: { objective: 'all of it' } },
    ]);
  });

  it('an unknown session cannot be exported', async () => {
    await assert.rejects(exported(source, 'nobody'), (error: unknown) => {
      return error instanceof BelayError && error.code === 'not_found';
    });
  });

  describe('a damaged file', () => {
    let lines: string[];
    let target: Store;
    beforeEach(async () => {
      lines = await exported(source, 's');
      target = await another();
    });

    const lineOf = (text: string): number => lines.findIndex((line) => line.includes(text)) + 1;

    const cases: readonly {
      readonly name: string;
      readonly damage: () => void;
      readonly line: () => number;
      readonly reason: RegExp;
    }[] = [
      { name: 'empty', damage: () => lines.splice(0), line: () => 1, reason: /empty/ },
      {
        name: 'another kind of file',
        damage: () => (lines = ['{"hello":1}']),
        line: () => 1,
        reason: /not the header of an exported session/,
      },
      {
        name: 'a newer format',
        damage: () => (lines[0] = (lines[0] ?? '').replace('"version":1', '"version":3')),
        line: () => 1,
        reason: /version 3.*update Belay/,
      },
      {
        name: 'a line that is no JSON',
        damage: () => (lines[lineOf('"m-2"') - 1] = '{"type":"message","message":{'),
        line: () => lines.findIndex((line) => line.endsWith('"message":{')) + 1,
        reason: /./,
      },
      {
        name: 'a part of an unknown type',
        damage: () => replaceIn(lines, 'unmistakable', '"type":"text"', '"type":"hologram"'),
        line: () => lineOf('hologram'),
        reason: /message\.parts\.0\.type/,
      },
      {
        name: 'a message twice',
        damage: () => lines.splice(lineOf('"m-2"'), 0, lines[lineOf('"m-2"') - 1] ?? ''),
        line: () => lineOf('"m-2"') + 1,
        reason: /comes twice or out of order/,
      },
      {
        name: 'a message missing',
        damage: () => lines.splice(lineOf('"id":"m-2"') - 1, 1),
        line: () => lineOf('"id":"m-3"'),
        reason: /message 2 is missing/,
      },
      {
        name: 'a message of a session that is not in it',
        damage: () => replaceIn(lines, '"id":"m-2"', '"sessionId":"s"', '"sessionId":"x"'),
        line: () => lineOf('"sessionId":"x"'),
        reason: /its session x is not in the file/,
      },
      {
        name: 'a call of a run that is not in it',
        damage: () => replaceIn(lines, '"type":"ledger"', '"runId":"r"', '"runId":"x"'),
        line: () => lineOf('"runId":"x"'),
        reason: /its run x is not in the file/,
      },
      {
        name: 'cut off',
        damage: () => lines.splice(lines.length - 3),
        line: () => lines.length + 1,
        reason: /ends before its end record/,
      },
      {
        name: 'a line fewer than when it was written',
        damage: () => lines.splice(lineOf('"type":"usage"') - 1, 1),
        line: () => lines.length,
        reason: /had \d+ lines when it was written/,
      },
    ];
    for (const { name, damage, line, reason } of cases) {
      it(`${name}: refused with its line and the reason, nothing is kept`, async () => {
        damage();
        await assert.rejects(target.transfer.importSession(lines), (error: unknown) => {
          assert.ok(error instanceof BelayError, String(error));
          assert.equal(error.code, 'invalid');
          assert.equal(error.failure.details?.['line'], line());
          assert.match(JSON.stringify(error.failure.details['reason']), reason);
          assert.match(
            error.message,
            /^The file cannot be imported\. Line \d+: .*Nothing was imported/,
          );
          return true;
        });
        assert.deepEqual(await target.transcripts.sessions(), []);
        assert.deepEqual((await target.transcripts.search('unmistakable', 5)).hits, []);
      });
    }

    it('leaves nothing behind: the good file is taken afterwards under its own ids', async () => {
      await assert.rejects(target.transfer.importSession(lines.slice(0, -1)), BelayError);
      assert.equal((await target.transfer.importSession(lines)).sessionId, 's');
    });

    it('partially imported, the good lines are taken and the others named', async () => {
      replaceIn(lines, 'unmistakable', '"type":"text"', '"type":"hologram"');
      const first = lineOf('hologram');
      lines.splice(lineOf('"type":"usage"') - 1, 1, 'garbage');
      const second = lineOf('garbage');
      lines.splice(lines.length - 1);
      const report = await target.transfer.importSession(lines, { partial: true });
      assert.deepEqual(
        report.skipped.map((one) => one.line),
        [first, second, lines.length + 1],
      );
      assert.equal(report.filled, 1);
      const messages = await target.transcripts.messages({ sessionId: 's' });
      assert.deepEqual(
        messages.map((one) => one.seq),
        [1, 2, 3],
      );
      assert.match(JSON.stringify(messages[0]?.parts), /could not be read/);
      await target.recorder.commit([{ kind: 'message', message: message('s', 4) }]);
    });

    it('a header that is broken is refused even partially', async () => {
      lines[0] = '{}';
      await assert.rejects(target.transfer.importSession(lines, { partial: true }), BelayError);
    });
  });

  it('what an import leaves when its process dies is gone at the next start', async () => {
    const target = await another();
    const folder = folders.at(-1)?.path ?? '';
    const lines = await exported(source, 's');
    async function* endless(): AsyncGenerator<string> {
      yield* lines.slice(0, -1);
      await new Promise(() => {});
    }
    void target.transfer.importSession(endless()).catch(() => {});
    // Long enough that the first records are on their way; the session must not be seen before its end.
    await target.values.set('x', 1);
    assert.deepEqual(await target.transcripts.sessions(), []);
    await target.close();
    const again = await open(folder);
    stores[stores.indexOf(target)] = again;
    assert.deepEqual(await again.transcripts.sessions(), []);
    const report = await again.transfer.importSession(lines);
    assert.equal(report.sessionId, 's', 'its id is free again');
  });
});

function replaceIn(lines: string[], marker: string, from: string, to: string): void {
  const index = lines.findIndex((line) => line.includes(marker));
  assert.ok(index >= 0, marker);
  lines[index] = (lines[index] ?? '').replace(from, to);
}

const withoutEpoch = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/"epoch":\d+/, '"epoch":0'));

/** Ids numbered in the order of their appearance: equal when one file is the other with new names. */
function withoutIds(lines: readonly string[]): string[] {
  const names = new Map<string, string>();
  return withoutEpoch(lines).map((line) =>
    line
      .replaceAll(/"input":\{[^}]*\}/g, '"input":0')
      .replaceAll(/"(s|r|q|child|t\d+-\d+|[srq]\d+-\d+)"/g, (_, id: string) => {
        if (!names.has(id)) names.set(id, `"#${names.size}"`);
        return names.get(id) ?? '';
      }),
  );
}
