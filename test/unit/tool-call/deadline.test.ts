import assert from 'node:assert/strict';
import { withDeadline } from '../../../src/core/tool-call/wrappers/deadline.ts';
import type {
  ToolCallRequest,
  ToolContext,
  ToolOutcome,
} from '../../../src/core/tool-call/tool-call.ts';
import { FakeClock } from '../../support/fake-clock.ts';

describe('the deadline of a tool', () => {
  for (const way of ['a question', 'a second yes'] as const)
    it(`stands still while the person is asked: ${way}`, async () => {
      const clock = new FakeClock();
      const answered = Promise.withResolvers<{ allowed: boolean }>();
      const outcome = { result: { state: 'completed' } } as unknown as ToolOutcome;
      let late = false;
      const call = withDeadline(
        clock,
        () => 1000,
      )(async ({ context }) => {
        context.signal.addEventListener('abort', () => {
          late = true;
        });
        await clock.sleep(600, context.signal);
        if (way === 'a second yes') await context.confirm?.({ title: 'x', detail: 'y' }, []);
        else {
          context.emit({ type: 'agent_run.waiting', for: 'question', questionId: 'q' });
          await answered.promise;
          context.emit({ type: 'agent_run.answered', questionId: 'q' });
        }
        await clock.sleep(300, context.signal);
        return outcome;
      });
      const context = {
        signal: new AbortController().signal,
        emit: () => {},
        confirm: async () => answered.promise,
      } as unknown as ToolContext;
      const part = { type: 'tool_call', id: 'c', name: 'x', input: {} };
      const ended = call({ part, context, tool: {} } as unknown as ToolCallRequest);
      await clock.advance(600);
      await clock.advance(3_600_000);
      answered.resolve({ allowed: true });
      await clock.advance(0);
      await clock.advance(300);
      assert.equal(await ended, outcome);
      assert.equal(late, false);
    });

  /** A call that reports progress every `step` ms and is done after `length` ms; gives its end, and when it ended. */
  const reporting = async (
    tool: object,
    { step, length }: { readonly step: number; readonly length: number },
  ): Promise<{ readonly outcome: ToolOutcome; readonly after: number }> => {
    const clock = new FakeClock();
    const stop = new AbortController();
    const begin = clock.monotonic();
    const call = withDeadline(
      clock,
      () => 1000,
    )(async ({ context }) => {
      try {
        for (let spent = 0; spent < length; spent += step) {
          await clock.sleep(step, context.signal);
          context.emit({ type: 'tool.progress', callId: 'c', message: 'the same each time' });
        }
        return { result: { state: 'done' } } as unknown as ToolOutcome;
      } catch {
        return { result: { state: 'canceled', content: [] } } as unknown as ToolOutcome;
      }
    });
    const context = { signal: stop.signal, emit: () => {} } as unknown as ToolContext;
    const part = { type: 'tool_call', id: 'c', name: 'x', input: {} };
    const ended = call({ part, context, tool } as unknown as ToolCallRequest).then((outcome) => ({
      outcome,
      after: clock.monotonic() - begin,
    }));
    for (let turn = 0; turn < 400; turn += 1) await clock.advance(50);
    return ended;
  };

  it('begins anew with each progress that a server reports', async () => {
    const { outcome } = await reporting({ server: 's' }, { step: 700, length: 7000 });
    assert.equal(outcome.result.state, 'done');
  });

  it('ends a call that reports progress without end at ten times the limit, and says so', async () => {
    const { outcome, after } = await reporting({ server: 's' }, { step: 100, length: 20_000 });
    assert.equal(outcome.failure?.code, 'timeout');
    assert.match(outcome.failure?.message ?? '', /stopped after 10 s/u);
    assert.ok(after >= 10_000 && after < 10_200, String(after));
  });

  it('is not moved by the progress of a tool of Belay', async () => {
    const { outcome } = await reporting({}, { step: 700, length: 7000 });
    assert.match(outcome.failure?.message ?? '', /stopped after 1 s/u);
  });
});
