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

/** Runs a list of cases against the real guards, in a process of its own; gives its lines by case. */
async function runList(file: string): Promise<ReadonlyMap<string, string>> {
  const output = await new Promise<string>((resolve) => {
    const [runner, adapter] = ['run.mjs', 'attack-adapter.mjs'].map((name) =>
      path.join(root, 'test/security', name),
    );
    execFile(
      process.execPath,
      [runner ?? '', '--adapter', adapter ?? '', '--file', file, '--verbose'],
      { maxBuffer: 1 << 26 },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    );
  });
  assert.match(output, /\d+ passed, \d+ failed/u, output);
  const lines = new Map<string, string>();
  for (const line of output.split('\n')) {
    const id = /^(?:ok {2}|FAIL) (\S+) /u.exec(line)?.[1];
    if (id !== undefined) lines.set(id, line);
  }
  return lines;
}

/** Every published attack, every one of our own, and every harmless case, against the real guards. */
for (const name of ['attacks.json', 'own-cases.json']) {
  describe(`attacks: ${name}`, () => {
    const file = path.join(root, 'test/security', name);
    const { cases } = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly cases: readonly ListedCase[];
    };
    let lines: ReadonlyMap<string, string>;

    before(async function run() {
      this.timeout(300_000);
      lines = await runList(file);
    });

    for (const { id, surface, vector, benign } of cases) {
      const what = benign === true ? 'needs no question' : 'is held off';
      it(`${id} (${surface}): ${what}: ${vector}`, () =>
        assert.match(lines.get(id) ?? `${id} was not answered`, /^ok /u));
    }
  });
}
