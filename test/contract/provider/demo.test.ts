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
  const tools = [
    'read_file',
    'list_files',
    'search_text',
    'search',
    'run_command',
    'edit_file',
    'write_file',
  ].map(named);
  return Promise.resolve({
    provider: createDemoProvider({ clock: new HurriedClock() }),
    textRequest: modelRequest({ model: 'demo', tools, messages: [user('help')] }),
    toolRequest: modelRequest({ model: 'demo', tools, messages: [user('run `npm test`')] }),
    close: () => Promise.resolve(),
  });
});
