import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { testCommand } from '../../../src/tools/run-tests/test-command.ts';
import type { ProjectFiles, TestSelection } from '../../../src/tools/run-tests/test-command.ts';
import { readSummary } from '../../../src/tools/run-tests/test-summary.ts';
import { readJUnit } from '../../../src/tools/run-tests/junit.ts';
import type { TestSummary } from '../../../src/tools/run-tests/test-summary.ts';
import { WorkspaceRig } from '../../contract/tool/workspace-rig.ts';
import { textOf } from '../tool-call/rig.ts';

const output = (name: string): string =>
  readFileSync(new URL(`../../fixtures/test-outputs/${name}`, import.meta.url), 'utf8');

/** Counts, and of each failure its name, its place and the first line of what was said. */
function short(summary: TestSummary | undefined): unknown {
  assert.ok(summary);
  const { passed, failed, skipped, failures } = summary;
  return [
    [passed, failed, skipped],
    ...failures.map(
      ({ name, path = '?', line = 0, message }) =>
        `${name} at ${path}:${line}: ${message.split('\n')[0] ?? ''}`,
    ),
  ];
}

describe('what test runners print', () => {
  const EXPECTED: Readonly<Record<string, readonly unknown[]>> = {
    'tap.txt': [
      [1, 2, 1],
      'adds up at /work/project/a.test.mjs:3: Expected values to be strictly equal:',
      "alone at /work/project/a.test.mjs:4: 'boom'",
    ],
    'go.txt': [[1, 1, 1], 'TestAdds at x_test.go:7: x_test.go:7: got 2, want 3'],
    'node.txt': [[1, 2, 1]],
    'mocha.txt': [[1, 2, 1]],
    'pytest.txt': [[2, 2, 1]],
    'cargo.txt': [[1, 1, 1]],
    'jest.txt': [[1, 1, 1]],
    'vitest.txt': [[1, 1, 1]],
  };
  for (const [name, expected] of Object.entries(EXPECTED)) {
    it(`is counted, with the place of each failure where the runner prints TAP or JSON: ${name}`, () => {
      assert.deepEqual(short(readSummary(output(name))), expected);
    });
  }

  it('is read from JUnit files', () => {
    assert.deepEqual(short(readJUnit(output('junit.xml'))), [
      [1, 1, 1],
      'SumTest.addsUp at SumTest.java:14: expected: <3> but was: <2>',
    ]);
  });

  it('is not guessed where nothing is known, in linear time', () => {
    for (const text of [
      '',
      'all good',
      'x'.repeat(300_000),
      ' '.repeat(100_000),
      '1) a\n'.repeat(20_000),
    ])
      assert.equal(readSummary(text), undefined);
  });
});

describe('the command that runs the tests', () => {
  const project = (files: Readonly<Record<string, string>>): ProjectFiles => ({
    has: (name) => Object.hasOwn(files, name),
    text: (name) => files[name] ?? '',
  });
  const node = (test: string, more: Readonly<Record<string, string>> = {}): ProjectFiles =>
    project({ 'package.json': JSON.stringify({ scripts: { test } }), ...more });
  const of = (files: ProjectFiles, selection: Partial<TestSelection> = {}): string | undefined =>
    testCommand(files, { files: [], ...selection })?.command;

  it('is the project’s own', () => {
    assert.equal(of(node('mocha')), 'CI=true npm test');
    assert.equal(of(node('vitest', { 'pnpm-lock.yaml': '' })), 'CI=true pnpm test');
    assert.equal(
      of(project({ 'pyproject.toml': '[tool.pytest.ini_options]' })),
      'python3 -m pytest -q --tb=short -rfE',
    );
    assert.equal(of(project({ 'go.mod': '' })), 'go test -json ./...');
    assert.equal(of(project({ 'Cargo.toml': '' })), 'cargo test --no-fail-fast');
    assert.equal(of(project({ 'pom.xml': '', mvnw: '' })), './mvnw -B -q test');
    assert.equal(of(project({ 'build.gradle.kts': '' })), 'gradle test --console=plain');
    assert.equal(of(project({ Makefile: 'all:\n\ntest: all\n\tx\n' })), 'make test');
    assert.equal(of(project({})), undefined);
    assert.equal(of(node('echo "Error: no test specified" && exit 1')), undefined);
  });

  it('takes files and a name the way each runner does', () => {
    const some = { files: ['test/a.test.js'], name: 'adds up' };
    assert.equal(of(node('mocha'), some), "CI=true npm test -- 'test/a.test.js' --grep 'adds up'");
    assert.equal(
      of(node('jest', { 'yarn.lock': '' }), some),
      "CI=true yarn test 'test/a.test.js' -t 'adds up'",
    );
    assert.equal(
      of(project({ 'pytest.ini': '' }), some),
      "python3 -m pytest -q --tb=short -rfE 'test/a.test.js' -k 'adds up'",
    );
    assert.equal(
      of(project({ 'go.mod': '' }), { files: ['pkg/a_test.go'], name: 'TestA' }),
      "go test -json -run 'TestA' './pkg'",
    );
    assert.equal(
      of(project({ 'Cargo.toml': '' }), { files: ['tests/api.rs'] }),
      'cargo test --no-fail-fast --test api',
    );
    assert.equal(
      of(project({ 'pom.xml': '' }), { files: ['src/test/java/ATest.java'] }),
      "mvn -B -q test -Dtest='ATest'",
    );
  });

  it('security: what the model names cannot become another command or an option', () => {
    for (const name of ["a'; rm -rf /; '", '$(id)', '`id`', 'a\nb', 'x\u0000'])
      assert.throws(() => of(node('mocha'), { name }), { code: 'invalid' });
    assert.throws(() => of(node('mocha'), { files: ['--require=evil.js'] }), { code: 'invalid' });
  });

  it('says so where it cannot choose', () => {
    assert.throws(() => of(node('node run-all.js'), { name: 'x' }), /choose with run_command/u);
    assert.throws(
      () => of(project({ Makefile: 'test:\n' }), { files: ['a'] }),
      /choose with run_command/u,
    );
  });
});

describe('run_tests', function () {
  this.timeout(60_000);

  let workspace: WorkspaceRig;

  beforeEach(async () => {
    workspace = await WorkspaceRig.open({
      'package.json': JSON.stringify({
        scripts: { test: `"${process.execPath}" --test --test-reporter=tap` },
      }),
      'test/sum.test.mjs':
        "import test from 'node:test';\nimport assert from 'node:assert';\ntest('works', () => {});\ntest('adds up', () => {\n  assert.equal(1 + 1, 3);\n});\n",
    });
    workspace.settings.set('advanced.maxToolResultChars', 40_000);
  });

  afterEach(async () => {
    await workspace.close();
  });

  it('runs the real runner and tells what failed, where, and what was printed', async () => {
    const outcome = await workspace.call('run_tests', { files: ['test/sum.test.mjs'] });
    assert.equal(outcome.result.state, 'failed');
    assert.equal(outcome.failure, undefined);
    assert.deepEqual(outcome.result.files, [{ path: 'test/sum.test.mjs', line: 5 }]);
    assert.equal(outcome.result.display?.['failed'], 1);
    assert.equal(outcome.result.display?.['passed'], 1);
    assert.match(textOf(outcome), /1 failed, 1 passed\n✖ adds up \(test\/sum\.test\.mjs:5\)/u);
    const chosen = await workspace.call('run_tests', { name: 'works' });
    assert.equal(chosen.result.state, 'done', textOf(chosen));
  });

  it('asks with exactly the command that is run', async () => {
    workspace.mode = 'ask';
    await workspace.call('run_tests', { name: 'works' });
    const [question] = workspace.rig.questions;
    assert.equal(question?.detail, "CI=true npm test -- --test-name-pattern 'works'");
    assert.equal(question.where, undefined);
  });

  it('runs nothing when the project has changed since the yes', async () => {
    workspace.mode = 'ask';
    workspace.rig.answers.push(() => {
      workspace.files.read = async () =>
        new TextEncoder().encode('{"scripts":{"test":"mocha; touch evil"}}');
      return {};
    });
    const outcome = await workspace.call('run_tests', { name: 'works' });
    assert.equal(outcome.result.state, 'failed');
    assert.match(textOf(outcome), /changed since the person allowed/u);
  });

  it('says what to do where nothing is known of tests', async () => {
    await workspace.write('package.json', '{}');
    assert.match(await workspace.failure('run_tests', {}), /Use run_command with the command/u);
  });
});
