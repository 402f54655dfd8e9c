import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { judgeCommand } from '../../src/core/permissions/command/judge-command.ts';
import { createDecide } from '../../src/core/permissions/decide.ts';
import { PathGuard } from '../../src/core/permissions/path-guard.ts';
import { decideBySandbox } from '../../src/core/permissions/sandbox-decision.ts';
import type { Mode, Tool } from '../../src/core/tool-call/tool-call.ts';
import { NodeFileSystem } from '../../src/hosts/node/files/file-system.ts';
import { findHiddenPaths } from '../../src/hosts/node/sandbox/hidden-paths.ts';
import { NodeIgnoredPaths } from '../../src/hosts/node/search/ignore/belay-ignore.ts';
import { root } from '../rig/processes.ts';
import { noRepository } from './no-repository.ts';
import {
  createSandboxFiles,
  fillLine,
  SANDBOX_CASES,
  type SandboxFolders,
  type SandboxVerdict,
} from './sandbox-fixture.ts';

const RUN: Tool = {
  name: 'run_command',
  description: '',
  inputSchema: {},
  sideEffects: true,
  level: 'user',
  module: 'terminal',
  permission: 'execute',
  commands: ({ command }, [cwd = '/']) => [
    { command: typeof command === 'string' ? command : '', cwd },
  ],
  canRunReadOnly: () => true,
  check: (input) => ({ input }),
  run: () => Promise.reject(new Error('Nothing is run.')),
};

/** Lines of the other corpora, which the sandbox must not make milder than by running them in it. */
function readOtherLines(): readonly string[] {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(path.join(root, 'test/security', name), 'utf8'));
  const ordinary = Object.values(read('ordinary-lines.json') as Record<string, unknown>).flat();
  const attacks = ['attacks.json', 'own-cases.json'].flatMap((name) =>
    (read(name) as { cases: readonly { input?: { command?: unknown } }[] }).cases.map(
      ({ input }) => input?.command,
    ),
  );
  return [...ordinary.slice(1), ...attacks].filter((line) => typeof line === 'string');
}

describe('the sandbox decides instead of the judge of command lines', () => {
  let base: string;
  let folders: SandboxFolders;
  let judge: (line: string, mode: Mode, isOn: boolean) => Promise<SandboxVerdict>;

  before(async () => {
    base = realpathSync(mkdtempSync(path.join(tmpdir(), 'belay-sandbox-lines-')));
    const folder = (name: string): string => path.join(base, name);
    const [workspace, home] = [folder('ws'), folder('home')];
    folders = { workspace, home, temp: folder('temp'), store: folder('store'), port: 9 };
    await mkdir(workspace);
    await createSandboxFiles(folders);
    const files = new NodeFileSystem();
    const ignored = new NodeIgnoredPaths();
    const guard = new PathGuard({ files, ownFolders: [folders.store], ignored });
    const parts = { guard, files, platform: 'posix', home, repositories: noRepository } as const;
    const hidden = findHiddenPaths([workspace], ignored);
    judge = async (command, mode, isOn) => {
      const decide = createDecide({
        guard,
        mode: () => mode,
        level: () => 'owner',
        judgeLine: (line, roots) => judgeCommand(parts, line, roots),
        sandbox: async (question) => {
          const findLack = async (): Promise<'off' | undefined> => (isOn ? undefined : 'off');
          const sandbox = { findLack, listHidden: () => hidden };
          return decideBySandbox({ sandbox, ignored }, question);
        },
      });
      const part = { type: 'tool_call', id: '1', name: RUN.name, input: { command } } as const;
      const decision = await decide(RUN, { part, context: { sessionId: 's', roots: [workspace] } });
      const isReadOnly = decision.verdict === 'allow' && decision.readOnly !== undefined;
      return isReadOnly ? 'sandbox' : decision.verdict;
    };
  });

  after(() => rm(base, { recursive: true }));

  for (const one of SANDBOX_CASES)
    it(`${one.id}, ${one.on}: ${one.vector}`, async () => {
      const line = fillLine(one, folders);
      for (const mode of ['edit', 'auto'] as const) {
        assert.equal(await judge(line, mode, false), one.off, `${mode}, off: ${line}`);
        assert.equal(await judge(line, mode, true), one.on, `${mode}, on: ${line}`);
      }
      assert.notEqual(await judge(line, 'ask', true), 'sandbox', `ask: ${line}`);
    });

  it('changes no other verdict of the corpora', async function () {
    this.timeout(120_000);
    const counts = new Map<string, number>();
    for (const line of readOtherLines()) {
      const off = await judge(line, 'edit', false);
      const on = await judge(line, 'edit', true);
      if (on !== off) assert.deepEqual([off, on], ['ask', 'sandbox'], line);
      counts.set(`${off} → ${on}`, (counts.get(`${off} → ${on}`) ?? 0) + 1);
    }
    assert.ok((counts.get('ask → sandbox') ?? 0) > 20, JSON.stringify([...counts]));
  });
});
