import assert from 'node:assert/strict';
import { BackgroundCommand } from '../../../src/core/background/background-command.ts';
import type { BackgroundChange } from '../../../src/core/background/background-commands.ts';
import type {
  BackgroundProcess,
  ProcessEnd,
} from '../../../src/core/ports/commands/background-shell.ts';
import { BackgroundCards, withBackground } from '../../../src/panel/cards/background-cards.ts';
import type { PanelBackground } from '../../../src/panel/cards/background-cards.ts';
import { resultPatch, toolView } from '../../../src/panel/cards/tool-view.ts';
import type { SessionChange } from '../../../src/protocol/changes.ts';
import { EMPTY_SESSION } from '../../../src/protocol/snapshot.ts';
import type { SessionView } from '../../../src/protocol/snapshot.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const ORIGIN = { id: 'b1', sessionId: 's', runId: 'r', callId: 'c1', command: 'serve', cwd: '.' };

/** Commands whose processes the test plays. */
class Played implements PanelBackground {
  readonly clock = new FakeClock();
  readonly command = new BackgroundCommand(ORIGIN, this.clock);
  readonly end = Promise.withResolvers<ProcessEnd>();
  readonly #listeners = new Set<(change: BackgroundChange) => void>();

  list(): readonly BackgroundCommand[] {
    return [this.command];
  }

  onChange(listener: (change: BackgroundChange) => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  say(text: string): void {
    this.command.add(text);
    for (const listener of this.#listeners)
      listener({ kind: 'output', command: this.command, text });
  }

  async over(end: ProcessEnd): Promise<void> {
    const following = this.command.follow({ ended: this.end.promise } as BackgroundProcess);
    this.end.resolve(end);
    await following;
    for (const listener of this.#listeners) listener({ kind: 'ended', command: this.command });
  }
}

/** A session with the card of a command that was running when its call ended. */
function stored(): SessionView {
  const call = {
    type: 'tool_call',
    id: 'c1',
    name: 'run_command',
    input: { command: 'serve' },
  } as const;
  const result = {
    type: 'tool_result',
    callId: 'c1',
    name: 'run_command',
    state: 'done',
    content: [],
    display: { kind: 'background', id: 'b1', running: true, tail: 'up\n' },
  } as const;
  return {
    ...EMPTY_SESSION,
    id: 's',
    messages: [
      {
        id: 'm',
        seq: 1,
        role: 'assistant',
        createdAt: 0,
        open: false,
        parts: [{ ...toolView(call), ...resultPatch(result, false) }],
      },
    ],
  };
}

const cardOf = (view: SessionView): unknown => {
  const part = view.messages[0]?.parts[0];
  return part?.type === 'tool'
    ? { background: part.background, note: part.note, output: part.output }
    : undefined;
};

describe('cards of commands in the background', () => {
  it('D11: stay live after their call, in few pieces, and tell how they end', async () => {
    const played = new Played();
    const sent: SessionChange[][] = [];
    const cards = new BackgroundCards(played, played.clock, (session, changes) => {
      assert.equal(session, 's');
      sent.push([...changes]);
    });
    played.say('GET /a\n');
    played.say('GET \u001b[31m/b\n');
    assert.deepEqual(sent, []);
    await played.clock.advance(150);
    assert.deepEqual(sent, [[{ type: 'output', callId: 'c1', text: 'GET /a\nGET /b\n' }]]);
    played.say('last\n');
    await played.over({ signal: 'SIGSEGV' });
    assert.deepEqual(sent.slice(1), [
      [{ type: 'output', callId: 'c1', text: 'last\n' }],
      [
        {
          type: 'tool',
          callId: 'c1',
          set: { background: { id: 'b1', running: false }, note: 'SIGSEGV' },
        },
      ],
    ]);
    cards.dispose();
    assert.equal(played.clock.pending, 0);
  });

  it('a session that is read again shows what still runs, with what it printed since', () => {
    const played = new Played();
    played.say('up\nmore\n');
    assert.deepEqual(cardOf(withBackground(stored(), played)), {
      background: { id: 'b1', running: true },
      note: 'in the background',
      output: 'up\nmore\n',
    });
  });

  it('what does not run any more is not shown as running, whatever is on record', () => {
    assert.deepEqual(cardOf(withBackground(stored(), undefined)), {
      background: { id: 'b1', running: false },
      note: 'ended',
      output: 'up\n',
    });
  });
});
