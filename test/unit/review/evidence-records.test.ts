import assert from 'node:assert/strict';
import type { Message } from '../../../src/domain/message.ts';
import type { RunEvent } from '../../../src/domain/event.ts';
import {
  type EvidenceParts,
  EvidenceRecords,
} from '../../../src/core/review/evidence/evidence-records.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import {
  call,
  change,
  message,
  newSession,
  tested,
  text,
} from '../../support/review/session-messages.ts';

describe('evidence of a change: from what is on record', () => {
  const told = new Set<(event: RunEvent) => void>();
  let read = 0;
  let looked = 0;
  let failed = 0;
  /** The file on disk; `undefined`: it cannot be looked at. */
  let file: { readonly modifiedAt: number; readonly unsaved?: boolean } | undefined;
  const recordsOf = (messages: readonly Message[], more: Partial<EvidenceParts> = {}) =>
    new EvidenceRecords({
      transcripts: {
        messages: ({ beforeSeq = Infinity, afterSeq = 0, limit = Infinity }) => {
          read += 1;
          const all = messages.filter((one) => one.seq < beforeSeq && one.seq > afterSeq);
          return Promise.resolve(Number.isFinite(limit) ? all.slice(-limit) : all);
        },
      },
      runs: { ledgerEntry: () => Promise.resolve({ startedAt: 150 } as never) },
      broker: {
        listen: (listener: (event: RunEvent) => void) => {
          told.add(listener);
          return { dispose: () => void told.delete(listener) };
        },
      },
      stat: async () => {
        looked += 1;
        return file ?? Promise.reject(new Error('It cannot be read.'));
      },
      log: { ...silentLog, error: () => void (failed += 1) },
      ...more,
    });
  const heard = (records: EvidenceRecords): Promise<void> =>
    new Promise((resolve) => {
      const listening = records.onLearned(() => {
        listening.dispose();
        resolve();
      });
    });
  const added = (one: Message): void => {
    for (const listener of told)
      listener({ type: 'message.added', sessionId: 's', message: one } as unknown as RunEvent);
  };
  beforeEach(() => {
    newSession();
    [read, looked, failed] = [0, 0, 0];
    file = { modifiedAt: 100 };
    told.clear();
  });
  const session = (): Message[] => [
    message('user', [text('Double it.')], { id: 'request' }),
    message('assistant', [text('So.'), call('edit')], { runId: 'r' }),
  ];
  const saidOf = async (records: EvidenceRecords): Promise<string | undefined> =>
    (await records.of([change()]))[0]?.calls[0]?.said;

  it('the calls of a change are looked for page by page from the end, and not again when they are not there', async () => {
    const far = [
      ...session(),
      ...Array.from({ length: 399 }, () => message('assistant', [text('.')])),
    ];
    // A page begins with the run of tests.
    far[200] = message('assistant', [call('test')], { seq: 201 });
    far[201] = message('tool', [tested('test')], { seq: 202, runId: 'r' });
    const [found] = await recordsOf(far).of([change()]);
    assert.deepEqual([found?.calls[0]?.said, found?.tests.length, read], ['So.', 1, 3]);
    const records = recordsOf(far);
    await records.of([change('nobody')]);
    const looked = read;
    const [none] = await records.of([change('nobody')]);
    assert.deepEqual([none?.calls[0]?.said, none?.doubts.includes('unknown')], ['because', true]);
    assert.equal(read, looked + 1, 'only what is newer');
    records.dispose();
  });

  it('what is known is there at once, follows the session, and is read again when that was cut', async () => {
    const messages = session();
    const records = recordsOf(messages);
    const one = change();
    assert.equal(records.known(one), undefined);
    assert.equal(records.known(one), undefined);
    await heard(records);
    assert.equal(read, 1, 'asked twice, read once');
    assert.deepEqual(records.known(one)?.doubts, ['not checked', 'not tested']);
    const tests = message('tool', [tested('test')], { runId: 'r' });
    const running = message('assistant', [call('test')], { runId: 'r', seq: tests.seq });
    for (const next of [running, { ...tests, seq: tests.seq + 1 }]) {
      const news = heard(records);
      messages.push(next);
      added(next);
      await news;
    }
    assert.deepEqual(
      records.known(one)?.tests.map(({ at, covers }) => [at, covers]),
      [[150, true]],
    );
    assert.equal(read, 1, 'what is told is not read');
    const cut = heard(records);
    messages.length = 2;
    added(message('user', [text('Go on')], { seq: 3 }));
    await cut;
    assert.equal(records.known(one), undefined);
    await heard(records);
    assert.deepEqual(records.known(one)?.tests, []);
    records.dispose();
    assert.equal(told.size, 0);
  });

  it('messages that were missed are read with the next one that is told', async () => {
    const messages = session();
    const records = recordsOf(messages);
    assert.equal(await saidOf(records), 'So.');
    const news = heard(records);
    messages.push(
      message('assistant', [call('other'), call('test')]),
      message('tool', [tested('test')], { runId: 'r' }),
    );
    added(messages.at(-1) ?? assert.fail());
    await news;
    assert.equal(
      records.known(change())?.tests.length,
      1,
      'of a review that is another by now, too',
    );
    await heard(records);
    assert.equal((await records.of([change()]))[0]?.tests.length, 1);
  });

  it('nobody looks farther than four thousand messages back, nor behind the first', async () => {
    const messages = (count: number) =>
      Array.from({ length: count }, () => message('assistant', [text('.')]));
    const within = [...messages(10), ...session(), ...messages(3998)];
    assert.equal(await saidOf(recordsOf(within)), 'So.');
    assert.equal(read, 20);
    newSession();
    read = 0;
    const beyond = recordsOf([...messages(10), ...session(), ...messages(4000)]);
    assert.equal(await saidOf(beyond), 'because');
    assert.equal(read, 20);
    newSession();
    read = 0;
    await recordsOf(session()).of([change('nobody')]);
    assert.equal(read, 1, 'what begins with the first message is all of it');
  });

  it('its request is looked for as far as its call; of a call without one nothing is', async () => {
    const far = [
      message('user', [text('Double it.')], { id: 'request' }),
      ...Array.from({ length: 250 }, () => message('assistant', [text('.')])),
      message('assistant', [text('So.'), call('edit')]),
    ];
    const [found] = await recordsOf(far).of([change()]);
    assert.equal(found?.request.text, 'Double it.');
    read = 0;
    const one = change();
    const hunk = one.hunk ?? assert.fail();
    const nobodys = hunk.by.map((who) => ({ ...who, messageId: '' }));
    await recordsOf(far).of([{ ...one, hunk: { ...hunk, by: nobodys } }]);
    assert.equal(read, 1);
    const none = hunk.by.map((who) => ({ ...who, sessionId: '' }));
    const [unknown] = await recordsOf(far).of([{ ...one, hunk: { ...hunk, by: none } }]);
    assert.deepEqual([read, unknown?.doubts.includes('unknown')], [1, true]);
  });

  it('a file is looked at once for all that is asked about it, and again for another review', async () => {
    const records = recordsOf(session());
    const one = change();
    await records.of([one, one]);
    assert.equal(looked, 1);
    assert.deepEqual(records.known(one)?.doubts, ['not checked', 'not tested']);
    assert.equal(looked, 1);
    file = { modifiedAt: 100, unsaved: true };
    const another = change();
    assert.deepEqual(records.known(another)?.doubts, ['not checked', 'not tested']);
    await heard(records);
    assert.deepEqual([records.known(another)?.doubts[0], looked], ['unsaved', 2]);
    file = undefined;
    assert.deepEqual((await records.of([one]))[0]?.doubts, ['not checked', 'not tested']);
  });

  it('a last message that is another one by now is read again', async () => {
    const messages = session();
    const records = recordsOf(messages);
    const one = change();
    await records.of([one]);
    const news = heard(records);
    messages[1] = message('assistant', [text('Otherwise.'), call('edit')], { seq: 2 });
    added(messages[1]);
    await news;
    assert.equal(records.known(one), undefined);
    await heard(records);
    assert.equal(records.known(one)?.calls[0]?.said, 'Otherwise.');
  });

  it('what another window recorded since is read when a call of it is asked about', async () => {
    const messages = session();
    const records = recordsOf(messages);
    await records.of([change()]);
    messages.push(message('assistant', [text('Then.'), call('later')]));
    assert.equal(records.known(change('later')), undefined);
    await heard(records);
    assert.equal(records.known(change('later'))?.calls[0]?.said, 'Then.');
    assert.equal(read, 2);
  });

  it('a session that begins is followed from its first message; what was missing then is there', async () => {
    const messages: Message[] = [];
    const records = recordsOf(messages);
    assert.equal(await saidOf(records), 'because');
    const before = read;
    for (const next of session()) {
      const news = heard(records);
      messages.push(next);
      added(next);
      await news;
    }
    assert.equal(records.known(change())?.calls[0]?.said, 'So.');
    await heard(records);
    assert.equal(read, before, 'what is told is not read');
    let learned = 0;
    records.onLearned(() => (learned += 1));
    const other = message('assistant', [text('.')], { sessionId: 'other' });
    for (const listener of told) {
      listener({ type: 'message.added', sessionId: 'other', message: other } as never);
      listener({ type: 'run.started', sessionId: 's', message: other } as never);
    }
    await records.of([change()]);
    assert.equal(learned, 0);
    records.dispose();
    added(message('assistant', [text('.')]));
    records.known(change('nobody'));
    await records.of([change('nobody')]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(learned, 0, 'nobody is told any more');
  });

  it('when a run of tests began is on record of its run, or it began before its answer came', async () => {
    const ask = async (runId: string | undefined, startedAt: number | undefined) => {
      newSession();
      const one = session();
      one.push(message('assistant', [call('test')]));
      one.push(message('tool', [tested('test')], runId === undefined ? {} : { runId }));
      const runs = { ledgerEntry: async () => ({ startedAt }) as never };
      return (await recordsOf(one, { runs }).of([change()]))[0]?.tests.map(({ at }) => at);
    };
    assert.deepEqual(await ask('r', 150), [150]);
    assert.deepEqual(await ask('r', undefined), [1000]);
    assert.deepEqual(await ask(undefined, 150), [1000]);
  });

  it('a store that fails is told in the log, and asked again', async () => {
    let left = 1;
    const messages = session();
    const transcripts = {
      messages: async () => ((left -= 1) >= 0 ? Promise.reject(new Error('No.')) : messages),
    };
    const records = recordsOf(messages, { transcripts });
    assert.equal(records.known(change()), undefined);
    await heard(records);
    assert.equal(failed, 1);
    assert.equal(await saidOf(records), 'So.');
  });
});
