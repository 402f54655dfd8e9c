import { told } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { fault } from '../../../src/domain/failure.ts';
import type { Attachment } from '../../../src/domain/session/session.ts';
import { Asking } from '../../../src/hosts/vscode/asks/asking.ts';

const FILE = { source: 'file', ref: '/w/a.ts', label: 'a.ts', detail: 'a.ts', icon: 'file' };
const ASK = { text: 'Fix it', mentions: [FILE] };

/** A window that shows session `s`, in mode Ask. */
function open(
  given: {
    readonly shown?: string | null;
    readonly busy?: boolean;
    readonly refuses?: boolean;
  } = {},
) {
  const { shown = 's', busy = false, refuses = false } = given;
  const done: string[] = [];
  const asking = new Asking({
    agent: {
      sessions: {
        create: async (options: object) => {
          done.push(`create ${JSON.stringify(options)}`);
          return { id: 'new' };
        },
        optionsOf: () => ({ mode: 'ask' }),
      } as never,
      runs: { isBusy: () => busy } as never,
      send: async (id, { text, attachments = [] }) => {
        if (refuses) throw fault('busy', told`Another window has it.`);
        done.push(`send ${id} ${text} ${attachments.map(({ size }) => size).join()}`);
        return { runId: 'r' };
      },
    },
    panel: {
      options: { model: 'm', mode: 'ask', thinking: 'off' },
      giveBack: async (id, { text, attachments }) => {
        const labels = attachments.map(({ mention }) => mention?.label).join();
        done.push(`input ${id} ${text} @${labels}`);
      },
    },
    view: {
      sessionId: shown ?? undefined,
      goTo: async (id) => void done.push(`go ${id}`),
      reveal: async () => void done.push('reveal'),
    },
    input: {
      // What mentions point at is taken when it is sent.
      take: async (given: readonly Attachment[]) => given.map((one) => ({ ...one, size: 7 })),
    },
    ids: { next: () => 'id' },
    settled: async () => void done.push('settled'),
  });
  return { asking, done };
}

describe('asking from menus', () => {
  it('puts it into the input of the session on screen, or of a new one, and sends nothing', async () => {
    const { asking, done } = open();
    await asking.prefill(ASK);
    await asking.prefill(ASK, 'new');
    assert.deepEqual(done, ['input s Fix it @a.ts', 'reveal', 'input null Fix it @a.ts', 'reveal']);
    const empty = open({ shown: null });
    await empty.asking.prefill(ASK);
    assert.equal(empty.done[0], 'input null Fix it @a.ts');
  });

  it('sends in the session on screen; in a new one where that is at work, or in another mode', async () => {
    const free = open();
    assert.equal(await free.asking.send(ASK), 's');
    assert.deepEqual(free.done, ['go s', 'send s Fix it 7']);
    const busy = open({ busy: true });
    assert.equal(await busy.asking.send(ASK), 'new');
    assert.match(busy.done[1] ?? '', /^create .*"mode":"ask"/u);
    const reading = open();
    assert.equal(await reading.asking.send(ASK, 'read'), 'new');
    assert.deepEqual(reading.done, [
      'settled',
      'create {"model":"m","mode":"read","thinking":"off"}',
      'go new',
      'send new Fix it 7',
    ]);
  });

  it('puts into the input what could not be sent', async () => {
    const { asking, done } = open({ refuses: true });
    await assert.rejects(asking.send(ASK), { code: 'busy' });
    assert.deepEqual(done, ['go s', 'input s Fix it @a.ts']);
  });
});
