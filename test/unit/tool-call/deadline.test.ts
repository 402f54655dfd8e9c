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
});
