import { setImmediate } from 'node:timers/promises';
import { FakeClock } from '../../support/fake-clock.ts';
import { CenterStage } from '../../support/center/center-stage.ts';
import type { CenterMessage } from '../../../src/protocol/center/messages.ts';
import type { CenterCalls, CenterRequest } from '../../../src/protocol/center/requests.ts';

/** The Control Center without a screen: a page that follows the protocol, and what it was told. */
export function openCenter(prepare: (stage: CenterStage) => void = () => undefined) {
  const clock = new FakeClock();
  const stage = new CenterStage(clock, prepare);
  const posted: CenterMessage[] = [];
  const listeners: ((raw: unknown) => void)[] = [];
  const page = { visible: true };
  const looks: (() => void)[] = [];
  const attached = stage.host.attach({
    get visible() {
      return page.visible;
    },
    // Through JSON, as between processes.
    post: (message) => posted.push(JSON.parse(JSON.stringify(message)) as CenterMessage),
    onMessage: (listener) => {
      listeners.push(listener);
      return { dispose: () => void listeners.splice(0) };
    },
    onVisibility: (listener) => {
      looks.push(listener);
      return { dispose: () => void looks.splice(0) };
    },
  });
  const send = (raw: unknown): void => listeners.forEach((listener) => listener(raw));
  let id = 0;
  return {
    clock,
    stage,
    posted,
    attached,
    send,
    show: (visible: boolean): void => {
      page.visible = visible;
      for (const look of looks) look();
    },
    /** Rejects with the sentence of a refusal. */
    request: async <Name extends CenterRequest>(
      name: Name,
      params: CenterCalls[Name]['params'],
    ): Promise<CenterCalls[Name]['result']> => {
      id += 1;
      const own = id;
      send({ type: 'request', id: own, name, params });
      for (;;) {
        const answer = posted.find((one) => 'id' in one && one.id === own);
        if (answer?.type === 'reply') return answer.value as CenterCalls[Name]['result'];
        if (answer?.type === 'refusal') throw new Error(answer.failure.message);
        await setImmediate();
      }
    },
  };
}
