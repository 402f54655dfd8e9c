// Runs one command and prints its process group: a stand-in for a host that is killed.
import { NodeShell } from '../../../src/hosts/node/processes/shell.ts';

const [cwd = '', command = ''] = process.argv.slice(2);

await new NodeShell().run({
  command,
  cwd,
  timeoutMs: 600_000,
  signal: new AbortController().signal,
  onOutput: () => undefined,
  onStarted: async (group) => {
    // Told late, so that the command has begun when the test goes on.
    setTimeout(() => process.stdout.write(`${JSON.stringify(group)}\n`), 200);
  },
});
