import type { Part } from '../../../src/domain/message.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { Mirror } from './mirror.ts';
import { Stage } from './stage.ts';

export const S = 'one';

/** A stage with the session `one` on screen. */
export async function open(
  prepare: (stage: Stage) => void = () => undefined,
): Promise<{ clock: FakeClock; stage: Stage; mirror: Mirror }> {
  const clock = new FakeClock();
  const stage = new Stage(clock, (made) => {
    made.addSession({ id: S, title: 'First' });
    made.lastSession = S;
    prepare(made);
  });
  const mirror = new Mirror(stage.panel);
  await mirror.ready();
  return { clock, stage, mirror };
}

export const text = (value: string): Part => ({ type: 'text', text: value });

export function begin(stage: Stage, sessionId = S): void {
  stage.busy.add(sessionId);
  const seq = (stage.messages.get(sessionId)?.length ?? 0) + 1;
  stage.publish(
    sessionId,
    { type: 'agent_run.started', model: 'm', resumed: false },
    { type: 'message.started', messageId: `live-${sessionId}`, messageSeq: seq, model: 'm' },
  );
}

export function say(stage: Stage, value: string, sessionId = S): void {
  stage.publish(sessionId, {
    type: 'message.delta',
    messageId: `live-${sessionId}`,
    index: 0,
    kind: 'text',
    text: value,
  });
}
