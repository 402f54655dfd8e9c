import assert from 'node:assert/strict';
import { createDecide } from '../../../src/core/permissions/decide.ts';
import type { Decision } from '../../../src/core/permissions/decision.ts';
import {
  createApprovalRules,
  explainSingleUse,
} from '../../../src/core/permissions/rules/approval-rules.ts';
import { RememberedApprovals } from '../../../src/core/permissions/rules/remembered-approvals.ts';
import type { Tool } from '../../../src/core/tool-call/tool-call.ts';
import type { Json, JsonObject } from '../../../src/domain/data/json.ts';
import type { KnownRule } from '../../../src/domain/permissions/permission-rule.ts';
import { inEnglish } from '../../../src/domain/text/told.ts';
import { diskOf, judging } from './disk-rig.ts';
import { TOOLS } from './rules-rig.ts';

const FILES: Record<string, string> = {
  '/ws/a.test.ts': '',
  '/ws/data.csv': '',
  '/ws/run.sh': 'echo',
  '/ws/notes': 'echo',
  '/ws/src/a.ts': '',
  '/ws/src/b.ts': '',
  '/ws/pkg/a.go': '',
  '/ws/package.json': '{"scripts":{"test":"x"}}',
  '/ws/.env': 'S=1',
  '/ws/node_modules/.bin/vitest': '',
  '/other/x': '',
};

/** Decides about calls in `/ws`, and remembers approvals as a session does. */
function openSession() {
  const files = { ...FILES };
  let stored: Json | undefined;
  const disk = () => diskOf({ files });
  const system = {
    stat: (path: string) => disk().files.stat(path),
    list: (path: string) => disk().files.list(path),
    read: (path: string) => disk().files.read(path),
  };
  const parts = { files: system, hash: (text: string) => text, roots: () => ['/ws'] };
  const memory = { read: async () => stored, write: async (value: Json) => void (stored = value) };
  const approvals = new RememberedApprovals(parts, memory);
  const decide = async (tool: Tool, input: JsonObject): Promise<Decision> => {
    const rules = (await approvals.list()).map((rule): KnownRule => ({
      rule,
      origin: 'session',
      source: 's',
    }));
    const decider = createDecide({
      guard: disk().guard,
      mode: () => 'ask',
      level: () => 'owner',
      judgeLine: ({ command, cwd }) => judging({ files }, {}, cwd)(command),
      hash: (text) => text,
      rules: async () => rules,
      changes: (rule) => approvals.changes(rule),
    });
    const part = { type: 'tool_call', id: 'c', name: tool.name, input } as const;
    return decider(tool, { part, context: { sessionId: 's', roots: ['/ws'] } });
  };
  /** Allows a call for the session; returns its rules in short, or why it can't be remembered. */
  const allow = async (tool: Tool, input: JsonObject): Promise<string> => {
    const decision = await decide(tool, input);
    assert.ok(decision.verdict === 'ask', JSON.stringify(input));
    const { allowable } = decision;
    const rules = allowable === undefined ? undefined : createApprovalRules(allowable);
    if (rules === undefined) return inEnglish(explainSingleUse(decision));
    await approvals.add(rules);
    return rules
      .map(({ command, hash, path, host, serverTool, subject, tool: name }) =>
        command === undefined
          ? (path ?? host ?? serverTool ?? subject ?? name ?? '')
          : `${hash === undefined ? '' : 'exactly '}${command}`,
      )
      .join(', ');
  };
  const run = (command: string) => ({ command });
  return { files, decide, allow, run, approvals };
}

const PROTECTED = /part of the call requires approval each time/u;
const CODE: Tool = {
  ...TOOLS.task,
  starts: async ({ text = 'a' }) => ({
    lines: [],
    code: { subject: 'task build', text: JSON.stringify(text) },
  }),
};
const INPUT: Tool = {
  ...TOOLS.run,
  name: 'background_command',
  commands: () => [{ command: 'ls', cwd: '/ws', isInput: true }],
};

describe('an approval for the session', () => {
  const calls: readonly (readonly [Tool, JsonObject, string | RegExp])[] = [
    [TOOLS.edit, { path: '/ws/src/a.ts' }, 'src/a.ts'],
    [TOOLS.edit, { path: '/other/x' }, '/other/x'],
    [
      TOOLS.edit,
      { path: '/ws/package.json' },
      /Protected files require approval once per session/u,
    ],
    [TOOLS.read, { path: '/other/x' }, '/other/x'],
    [TOOLS.read, { path: '/ws/.env' }, PROTECTED],
    [TOOLS.fetch, { url: 'https://a.org/x' }, 'a.org'],
    [TOOLS.mcp, {}, 'make'],
    [TOOLS.task, {}, /run_task may run something else next time/u],
    [CODE, {}, 'task build'],
    [TOOLS.outside, { command: 'ls', why: 'x' }, PROTECTED],
    [INPUT, {}, /background_command may run something else next time/u],
  ];
  for (const [tool, input, expected] of calls)
    it(`${tool.name} ${JSON.stringify(input)}: ${String(expected)}`, async () => {
      const { allow, decide } = openSession();
      const kept = await allow(tool, input);
      if (typeof expected !== 'string') {
        assert.match(kept, expected);
        return;
      }
      assert.equal(kept, expected);
      assert.equal((await decide(tool, input)).verdict, 'allow');
    });

  const lines: Readonly<Record<string, string | RegExp>> = {
    // word for word
    'npm install': 'npm install',
    'git commit -m x': 'git commit -m x',
    'node src/a.ts': 'node src/a.ts',
    'curl -s https://a.org': 'curl -s https://a.org',
    'rm -rf dist': 'rm -rf dist',
    'npm test && git push': 'npm test, git push',
    'go test ./...': 'go test ./...',
    'cargo test name': 'cargo test name',
    'npm run format:check': 'npm run format:check',
    'ruff format --check': 'ruff format --check',
    'python3 -m unittest': 'python3 -m unittest',
    'composer test': 'composer test',
    'NODE_ENV=test npm test': 'NODE_ENV=test npm test',
    // with one file that varies
    'npx vitest run a.test.ts': 'npx vitest run <file>',
    'npm test -- a.test.ts': 'npm test -- <file>',
    'pytest -q a.test.ts': 'pytest -q <file>',
    'python -m pytest a.test.ts': 'python -m pytest <file>',
    'gofmt -l pkg': 'gofmt -l <file>',
    'ruff format --check src': 'ruff format --check <file>',
    'go test ./pkg': 'go test <file>',
    'NODE_ENV=test npx vitest run a.test.ts': 'NODE_ENV=test npx vitest run <file>',
    // the exact line
    'for f in src/*.ts; do wc -l $f; done': 'exactly for f in src/*.ts; do wc -l $f; done',
    'find . -delete': 'exactly find . -delete',
    'find src | xargs wc -l': 'exactly find src | xargs wc -l',
    'sed -i s/a/b/ src/a.ts': 'exactly sed -i s/a/b/ src/a.ts',
    'git commit -m "a*b"': 'exactly git commit -m "a*b"',
    'node src/a.ts > out.txt': 'exactly node src/a.ts > out.txt',
    'cd src; npm test': 'exactly cd src; npm test',
    'DEBUG=x npm test': 'exactly DEBUG=x npm test',
    'cat /other/x': 'exactly cat /other/x',
    'cp src/a.ts /other/y': 'exactly cp src/a.ts /other/y',
    'npm test < data.csv': 'exactly npm test < data.csv',
    // not at all
    'cat notes | sh': /because sh may run something else/u,
    "python3 - <<'X'\nprint(1)\nX": /because python3 may run something else/u,
    'eval "$X"': /because eval may run something else/u,
    'for f in src/*; do bash $f; done': /because bash may run something else/u,
    'if true; then . notes; fi': /because source may run something else/u,
    'cat .env': PROTECTED,
    'grep -r S .': PROTECTED,
    'cp src/a.ts package.json': PROTECTED,
    'node x.js > package.json': PROTECTED,
    'for f in .env; do cat $f; done': PROTECTED,
    [`echo ${'a'.repeat(1000)} "$X"`]: /longer than 1,000 characters/u,
  };
  for (const [line, expected] of Object.entries(lines))
    it(`${line.slice(0, 60)}: ${String(expected).slice(0, 60)}`, async () => {
      const { allow, decide, run } = openSession();
      const kept = await allow(TOOLS.run, run(line));
      if (typeof expected !== 'string') {
        assert.match(kept, expected);
        return;
      }
      assert.equal(kept, expected);
      assert.equal((await decide(TOOLS.run, run(line))).verdict, 'allow');
    });

  it('covers the exact line only, in its folder', async () => {
    const { allow, decide, run } = openSession();
    await allow(TOOLS.run, run('find src -delete'));
    await allow(TOOLS.run, run('for f in src/*; do wc -l $f; done'));
    for (const input of [
      { command: 'find src -delete', cwd: '/ws/src' },
      run('find src  -delete'),
      run('find src -delete; ls'),
      run('find . -delete'),
      run('for f in src/*; do wc -c $f; done'),
    ])
      assert.equal((await decide(TOOLS.run, input)).verdict, 'ask', JSON.stringify(input));
  });

  it('to a task ends when a manifest changes', async () => {
    const { files, allow, decide } = openSession();
    await allow(CODE, {});
    files['/ws/src/a.ts'] = 'changed';
    assert.equal((await decide(CODE, {})).verdict, 'allow');
    files['/ws/package.json'] = '{"scripts":{"test":"y"}}';
    assert.equal((await decide(CODE, {})).verdict, 'ask');
  });

  it('with a variable is another one than without', async () => {
    const { allow, decide, run } = openSession();
    await allow(TOOLS.run, run('NODE_ENV=test npm test'));
    for (const line of ['npm test', 'NODE_ENV=production npm test', '"NODE_ENV=test" npm test'])
      assert.equal((await decide(TOOLS.run, run(line))).verdict, 'ask', line);
  });

  it('to an exact line ends when a file that it names changes, or what steers its programs', async () => {
    for (const name of ['/ws/notes', '/ws/package.json', '/ws/src/a.ts', '/ws/run.sh']) {
      const { files, allow, decide, run } = openSession();
      const line = 'cd src; npm test a.ts ../notes; ./notes $X';
      assert.equal(await allow(TOOLS.run, run(line)), `exactly ${line}`);
      assert.equal((await decide(TOOLS.run, run(line))).verdict, 'allow');
      files['/ws/src/b.ts'] = 'changed';
      assert.equal((await decide(TOOLS.run, run(line))).verdict, 'allow');
      files[name] = 'changed';
      assert.equal((await decide(TOOLS.run, run(line))).verdict, 'ask', name);
    }
  });
});
