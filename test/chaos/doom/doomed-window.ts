// A window that sends what is due, with a death foretold; see doom.ts, which is loaded first.
import './doom.ts';
import { TestEngine } from '../../support/engine/test-engine.ts';
import { say } from '../../support/model-server/turn.ts';

const [folder = ''] = process.argv.slice(2);
const test = await TestEngine.open({
  script: () => say('Green.'),
  after: { folder },
  host: { staysOpen: true },
});
await test.engine.agent.start();
await test.event('agent_run.completed');
await test.close();
