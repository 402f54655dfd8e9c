// The program of `OtherWindow`: an engine that does what the parent process asks, and tells its events.
import { BelayError } from '../../../src/domain/failure.ts';
import { chatInstance } from '../chat-server/composed-chat.ts';
import { say } from '../model-server/turn.ts';
import type { Answer, Ask, OtherWindowOptions } from './other-window.ts';
import { TestEngine } from './test-engine.ts';

const options = JSON.parse(process.argv[2] ?? '') as OtherWindowOptions;
const tell = (answer: Answer): void => void process.send?.(answer);

const test = await TestEngine.open({
  script: () => say('not asked'),
  after: options.at,
  settings: { ...options.settings, 'model.baseUrl': options.modelUrl },
  host: {
    ...(options.reviewed === true ? { reviewed: true } : {}),
    ...(options.decides === true ? { decides: true } : {}),
    ...(options.chatUrl === undefined
      ? {}
      : {
          instances: [chatInstance(options.chatUrl)],
          keyOf: async () => Promise.resolve('key'),
        }),
  },
});
if (options.human === 'stays silent') test.human.decide = async () => new Promise(() => undefined);
test.engine.broker.listen((event) => tell({ kind: 'event', event }));
process.on('disconnect', () => process.exit(0));
process.on('message', (ask: Ask) => void answer(ask));
tell({ kind: 'ready' });

async function answer({ id, method, args }: Ask): Promise<void> {
  try {
    const { agent } = test.engine;
    const parts: readonly object[] = [
      agent,
      agent.sessions,
      agent.runs,
      agent.queue,
      agent.handoffs,
      test.engine.reviews?.owner ?? {},
    ];
    const part = parts.find((one) => method in one) ?? agent;
    const value: unknown = await Reflect.apply(
      Reflect.get(part, method) as () => unknown,
      part,
      args,
    );
    tell({ kind: 'answer', id, value });
  } catch (error) {
    const code = error instanceof BelayError ? error.code : 'unexpected';
    tell({ kind: 'refusal', id, code, message: String(error) });
  }
}
