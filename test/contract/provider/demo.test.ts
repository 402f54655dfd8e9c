import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { createDemoProvider } from '../../../src/providers/demo/demo-provider.ts';
import { modelRequest, user } from '../../support/model-call.ts';
import { providerContract } from './provider-contract.ts';

/** Waits no longer than it must: the demo pauses between words. */
class HurriedClock extends SystemClock {
  override sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    return super.sleep(0, signal);
  }
}

const named = (name: string) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
});

providerContract('demo', () => {
  const tools = ['list_files', 'write_file', 'run_command'].map(named);
  return Promise.resolve({
    provider: createDemoProvider({ clock: new HurriedClock() }),
    textRequest: modelRequest({ model: 'demo', messages: [user('Hello')] }),
    toolRequest: modelRequest({ model: 'demo', tools, messages: [user('Hello')] }),
    close: () => Promise.resolve(),
  });
});
