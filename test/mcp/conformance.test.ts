import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Scenario, runScenario } from './support/conformance-client.ts';

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const relay = fileURLToPath(new URL('support/conformance-relay.mjs', import.meta.url));

/** What the suite demands of a client at each revision. */
const REVISIONS = { '2025-11-25': 18, '2026-07-28': 32 } as const;

describe('the conformance suite of the protocol', function () {
  this.timeout(120_000);
  let folder: string;
  let server: http.Server;
  const said = new Map<string, string[]>();

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'belay-conformance-'));
    server = http.createServer((request, response) => void serve(request, response, said));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [revision, wanted] of Object.entries(REVISIONS)) {
    it(`passes all ${wanted} scored client scenarios of ${revision}`, async () => {
      const { port } = server.address() as AddressInfo;
      const output = await runSuite(
        ['--requirements', revision],
        folder,
        `http://127.0.0.1:${port}/`,
      );
      const scored = scoredScenarios(revision);
      assert.equal(scored.length, wanted);
      const failed = scored.filter((name) => !output.includes(`✓ ${name}: `));
      const why = failed.flatMap((name) => [
        `${name}:`,
        ...(said.get(`${revision} ${name}`) ?? []),
      ]);
      assert.deepEqual(failed, [], `${why.join('\n')}\n${output.slice(-6000)}`);
    });
  }

  for (const scenario of ['auth/client-credentials-basic', 'auth/client-credentials-jwt'])
    it(`passes ${scenario}, which is not scored`, async () => {
      const { port } = server.address() as AddressInfo;
      const output = await runSuite(['--scenario', scenario], folder, `http://127.0.0.1:${port}/`);
      assert.match(output, /OVERALL: PASSED/u, [...said.values()].flat().join('\n') + output);
    });
});

/** The scenarios in the suite's own list of what a revision requires. */
function scoredScenarios(revision: string): string[] {
  const file = path.join(path.dirname(suite), '..', 'requirements', `${revision}.yaml`);
  const lists = readFileSync(file, 'utf8').split(/^(?=\w)/mu);
  const client = lists.find((list) => list.startsWith('client:')) ?? '';
  return [...client.matchAll(/^ {2}- (\S+)$/gmu)].map(([, name]) => name ?? '');
}

async function runSuite(
  which: readonly string[],
  folder: string,
  address: string,
): Promise<string> {
  const command = `"${process.execPath}" "${relay}"`;
  const child = spawn(
    process.execPath,
    [suite, 'client', '--command', command, ...which, '-o', folder],
    { env: { ...process.env, CONFORMANCE_TEST: address }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  return (await Promise.all([text(child.stdout), text(child.stderr)])).join('\n');
}

async function serve(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  said: Map<string, string[]>,
): Promise<void> {
  const scenario = (await json(request)) as Scenario;
  const lines: string[] = [];
  said.set(`${scenario.protocol} ${scenario.scenario}`, lines);
  try {
    await runScenario(scenario, (line) => lines.push(line));
    response.writeHead(200).end(lines.join('\n'));
  } catch (error) {
    lines.push(String(error));
    response.writeHead(500).end(lines.join('\n'));
  }
}
