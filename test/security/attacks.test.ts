import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../rig/processes.ts';

interface ListedCase {
  readonly id: string;
  readonly surface: string;
  readonly vector: string;
  readonly benign?: boolean;
}

/** Surfaces of the list that nothing answers for yet: each line here is a debt. */
const MISSING: ReadonlySet<string> = new Set([
  'open-untrusted',
  'mcp-config-change',
  'uri',
  'mcp-tools',
  'mcp-tools-change',
  'mcp-start',
  'mcp-config',
  'mcp-sampling',
  'mcp-elicitation',
  'mcp-elicitation-url',
  'mcp-icon',
  'mcp-schema',
  'mcp-result',
  'fetch',
  'local-http',
  'listen',
  'oauth-open',
  'oauth-callback',
  'oauth-metadata',
  'oauth-migration',
]);

/** Every published attack, and every harmless case, against the real guards. */
describe('attacks', () => {
  const { cases } = JSON.parse(
    readFileSync(path.join(root, 'test/security/attacks.json'), 'utf8'),
  ) as { readonly cases: readonly ListedCase[] };
  const lines = new Map<string, string>();

  before(async function run() {
    this.timeout(180_000);
    const output = await new Promise<string>((resolve) => {
      const runner = path.join(root, 'test/security/run.mjs');
      const adapter = path.join(root, 'test/security/attack-adapter.mjs');
      execFile(
        process.execPath,
        [runner, '--adapter', adapter, '--verbose'],
        { maxBuffer: 1 << 26 },
        (_error, stdout, stderr) => resolve(stdout + stderr),
      );
    });
    for (const line of output.split('\n')) {
      const id = /^(?:ok {2}|FAIL) (\S+) /u.exec(line)?.[1];
      if (id !== undefined) lines.set(id, line);
    }
    assert.match(output, /\d+ passed, \d+ failed/u, output);
  });

  for (const { id, surface, vector, benign } of cases) {
    const title = `${id} (${surface}): ${benign === true ? 'needs no question' : 'is held off'}: ${vector}`;
    if (MISSING.has(surface)) it(title);
    else it(title, () => assert.match(lines.get(id) ?? `${id} was not answered`, /^ok /u));
  }
});
