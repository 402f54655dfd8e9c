import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { Job } from 'kubernetes-models/batch/v1';
import { PersistentVolumeClaim } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { root } from '../rig/processes.ts';
import { headlessProgram } from '../support/headless/program.ts';
import { HeadlessPlace } from '../support/headless/place.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

const read = (name: string): string => readFileSync(path.join(root, 'docs/ci', name), 'utf8');
const workflowText = read('belay.yml');
const workflow = parse(workflowText) as Workflow;
/** An action of GitHub itself, in one version. */
const PINNED = /^actions\/[a-z-]+@v\d+$/u;
const steps = workflow.jobs['belay']?.steps ?? [];

/** The documents of the manifest, aliases resolved. */
function manifests(text = read('job.yaml')): readonly unknown[] {
  return parseAllDocuments(text).map((one): unknown => {
    assert.deepEqual(one.errors, []);
    return one.toJS() as unknown;
  });
}

/** A title and text that would do something, were they a part of a script. */
const HOSTILE = '"; touch pwned; $(touch pwned) `touch pwned` \'; touch pwned #\nEOF\n</issue>';

describe('the nightly workflow of this repository', () => {
  it('follows the schema of workflows, may only read, and runs all tests and new random histories', () => {
    const text = readFileSync(path.join(root, '.github/workflows/nightly.yml'), 'utf8');
    const { errors } = validateWorkflow(text) as { errors: readonly unknown[] };
    assert.deepEqual(errors, []);
    const { permissions, jobs } = parse(text) as Workflow;
    assert.deepEqual(permissions, { contents: 'read' });
    const all = jobs['nightly']?.steps ?? [];
    for (const { uses } of all) if (uses !== undefined) assert.match(uses, PINNED);
    const commands = all.flatMap(({ run, env }) => (run === undefined ? [] : [{ run, env }]));
    assert.deepEqual(commands, [
      { run: 'npm test', env: { BELAY_TURN: 'all' } },
      { run: 'npm run bench -- histories', env: undefined },
    ]);
  });
});

describe('what docs/ci holds', function () {
  this.timeout(120_000);

  it('the workflow follows the schema of workflows, and a damaged one does not', () => {
    const { errors } = validateWorkflow(workflowText) as { errors: readonly unknown[] };
    assert.deepEqual(errors, []);
    const damaged = validateWorkflow(workflowText.replace('runs-on:', 'runs-where:')) as {
      errors: readonly unknown[];
    };
    assert.notEqual(damaged.errors.length, 0);
  });

  it('the workflow may only read, pins its actions, and puts no expression into a script', () => {
    assert.deepEqual(workflow.permissions, { contents: 'read' });
    assert.ok(steps.length > 3);
    for (const { uses, run, env = {} } of steps) {
      if (uses !== undefined) assert.match(uses, PINNED);
      assert.doesNotMatch(run ?? '', /\$\{\{/u);
      assert.ok(env['ANTHROPIC_API_KEY'] === undefined || run?.includes('belay run') === true);
    }
    assert.match(workflowText, /persist-credentials: false/u);
  });

  it('the Job follows the schema of its kind, without privileges', () => {
    const [claim, job] = manifests();
    new PersistentVolumeClaim(claim as never).validate();
    new Job(job as never).validate();
    assert.throws(() => {
      new Job(
        manifests(read('job.yaml').replace('backoffLimit: 0', 'backoffLimit: none'))[1] as never,
      ).validate();
    });
    const spec = new Job(job as never).spec?.template.spec;
    assert.equal(spec?.automountServiceAccountToken, false);
    assert.equal(spec.securityContext?.runAsNonRoot, true);
    const containers = [...(spec.initContainers ?? []), ...spec.containers];
    assert.equal(containers.length, 2);
    for (const { securityContext, resources, image } of containers) {
      assert.equal(securityContext?.readOnlyRootFilesystem, true);
      assert.equal(securityContext.allowPrivilegeEscalation, false);
      assert.deepEqual(securityContext.capabilities, { drop: ['ALL'] });
      assert.ok(
        resources?.limits?.['memory'] !== undefined && resources.requests?.['cpu'] !== undefined,
      );
      assert.doesNotMatch(image ?? '', /:latest$|^[^:]+$/u);
    }
  });

  it('the container runs as nobody in particular', () => {
    const lines = read('Containerfile')
      .split('\n')
      .filter((one) => /^[A-Z]+ /u.test(one));
    assert.equal(
      lines.findLast((one) => one.startsWith('USER ')),
      'USER 65532:65532',
    );
    assert.ok(lines.indexOf('USER 65532:65532') < lines.indexOf('ENTRYPOINT ["belay"]'));
    assert.ok(!lines.some((one) => one.startsWith('ADD ') || one.includes('latest')));
  });

  it('the steps of the workflow, carried out: an issue becomes a patch and a session file', async () => {
    await using place = await repository();
    const temp = path.join(place.folder, 'runner');
    await mkdir(temp);
    for (const { run, env = {} } of steps) {
      if (run === undefined) continue;
      const given = Object.entries(env).map(([name, value]) => [name, evaluated(value)] as const);
      await bash(place, run, {
        ...Object.fromEntries(given),
        GITHUB_WORKSPACE: place.workspace,
        RUNNER_TEMP: temp,
      });
    }
    await assertMade(place, path.join(temp, 'belay'), HOSTILE);
    assert.equal(await readFile(path.join(temp, 'belay/answer.md'), 'utf8'), 'Mended.\n');
    assert.match(
      await readFile(path.join(place.folder, 'npm.log'), 'utf8'),
      /\.\/\.github\/belay\.tgz/u,
    );
    const upload = steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@') === true);
    assert.match(JSON.stringify(upload), /changes\.patch.*session\.belay\.jsonl.*answer\.md/u);
  });

  it('the script of the Job, carried out: the same from a file', async () => {
    await using place = await repository();
    const container = new Job(manifests()[1] as never).spec?.template.spec?.containers[0];
    const [script = ''] = container?.args ?? [];
    const { folder } = place;
    await mkdir(path.join(folder, 'request'));
    await writeFile(path.join(folder, 'request/request.txt'), HOSTILE);
    const moved = script
      .replaceAll('/workspace', place.workspace)
      .replaceAll(/(?<= |")\/(?=results|data|request)/gu, `${folder}/`);
    await bash(place, moved, { POD_NAME: 'pod-1', TMPDIR: path.join(folder, 'tmp'), HOME: folder });
    await assertMade(place, path.join(folder, 'results/pod-1'), HOSTILE);
  });
});

/** A repository with a fault, and programs that stand for the installed ones. */
async function repository(): Promise<HeadlessPlace> {
  const place = await HeadlessPlace.make(
    inOrder(
      calls(call('read_file', { path: 'sum.js' }, 'c0')),
      calls(call('edit_file', { path: 'sum.js', old_text: 'a - b', new_text: 'a + b' }, 'c1')),
      say('Mended.'),
    ),
  );
  await place.write('sum.js', 'export const sum = (a, b) => a - b;\n');
  const programs = path.join(place.folder, 'programs');
  await mkdir(programs);
  const belay = `#!/bin/sh\nexec ${process.execPath} ${await headlessProgram()} "$@" --model-url ${place.server.url}\n`;
  await writeFile(path.join(programs, 'belay'), belay);
  await writeFile(path.join(programs, 'npm'), `#!/bin/sh\necho "$@" >> ${place.folder}/npm.log\n`);
  for (const name of await readdir(programs)) await chmod(path.join(programs, name), 0o755);
  return place;
}

/** The expressions that the steps use. */
function evaluated(value: string): string {
  return value.replace(/^\$\{\{ (?<name>[\w.]+) \}\}$/u, (whole, name: string) => {
    const known: Readonly<Record<string, string>> = {
      'github.event.issue.title': 'sum subtracts',
      'github.event.issue.body': HOSTILE,
      'secrets.ANTHROPIC_API_KEY': 'test-key',
    };
    return known[name] ?? assert.fail(`${whole} is not known`);
  });
}

/** As a runner carries a step out. */
async function bash(
  { workspace, folder }: HeadlessPlace,
  script: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: workspace,
    stdio: ['ignore', 'inherit', 'pipe'],
    env: {
      PATH: `${path.join(folder, 'programs')}:/usr/bin:/bin`,
      ANTHROPIC_API_KEY: 'test-key',
      BELAY_USER_DATA: path.join(folder, 'user'),
      ...environment,
    },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 0, stderr);
}

async function assertMade(place: HeadlessPlace, folder: string, asked: string): Promise<void> {
  const names = await readdir(place.workspace);
  assert.deepEqual(names, ['sum.js'], 'a part of the issue was carried out');
  const [first] = place.server.requests;
  const sent = JSON.stringify(first?.body.messages);
  assert.ok(
    sent.includes(JSON.stringify(asked).slice(1, -1)),
    'the issue reached the model as it is',
  );
  await place.write('sum.js', 'export const sum = (a, b) => a - b;\n');
  execFileSync('git', ['init', '-q'], { cwd: place.workspace });
  execFileSync('git', ['apply', path.join(folder, 'changes.patch')], { cwd: place.workspace });
  assert.match((await place.lines('sum.js'))[0] ?? '', /a \+ b/u);
  const session = await readFile(path.join(folder, 'session.belay.jsonl'), 'utf8');
  assert.match(session, /"type":"pending"/u);
}
