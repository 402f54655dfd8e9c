import assert from 'node:assert/strict';
import type { HostMessage } from '../../../src/protocol/envelope.ts';
import { EarlyPage } from '../../../src/panel/early-page.ts';
import { settled } from './mirror.ts';
import { open, S } from './open-panel.ts';

describe('the page before its host is there', () => {
  it('keeps what is asked in its order, and the host does it once', async () => {
    const { stage } = await open();
    const listeners = new Set<(raw: unknown) => void>();
    const posted: HostMessage[] = [];
    const early = new EarlyPage(line(listeners, posted));
    const send = (raw: unknown): void => listeners.forEach((listener) => listener(raw));
    send({ type: 'ready' });
    send({ type: 'request', id: 1, name: 'send', params: message(S, 'Early') });
    send({ type: 'request', id: 2, name: 'send', params: message(S, 'And more') });
    stage.panel.line.attach(early);
    await settled();
    assert.deepEqual(
      stage.calls.filter((call) => call.startsWith('send')),
      ['send queue Early', 'send queue And more'],
    );
    assert.deepEqual(
      posted.flatMap((one) => (one.type === 'reply' ? [one.id] : [])),
      [1, 2],
    );
    stage.panel.dispose();
  });

  it('says that there will be no host, and gives back what was sent', () => {
    const listeners = new Set<(raw: unknown) => void>();
    const posted: HostMessage[] = [];
    const early = new EarlyPage(line(listeners, posted));
    const send = (raw: unknown): void => listeners.forEach((listener) => listener(raw));
    send({ type: 'ready' });
    send({ type: 'request', id: 1, name: 'send', params: message(null, 'Early') });
    early.fail();
    send({ type: 'request', id: 2, name: 'send', params: message(null, 'Late') });
    const [first, ...others] = posted;
    assert.ok(first?.type === 'snapshot');
    assert.match(first.snapshot.session.error ?? '', /could not start/u);
    assert.deepEqual(
      others.map((one) => one.type === 'refusal' && one.id),
      [1, 2],
    );
  });
});

const message = (sessionId: string | null, said: string) => ({
  sessionId,
  text: said,
  attachments: [],
  how: 'queue' as const,
});

const line = (listeners: Set<(raw: unknown) => void>, posted: HostMessage[]) => ({
  visible: true,
  post: (raw: unknown) => void posted.push(raw as HostMessage),
  onMessage: (listener: (raw: unknown) => void) => {
    listeners.add(listener);
    return { dispose: () => listeners.delete(listener) };
  },
  onVisibility: () => ({ dispose: () => undefined }),
});
