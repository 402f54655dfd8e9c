import assert from 'node:assert/strict';
import { findProgramRisk } from '../../../src/core/permissions/command/program-risks.ts';
import { createRisk, describeRisks } from '../../../src/core/permissions/risks.ts';
import { inEnglish } from '../../../src/domain/text/told.ts';
import { describeCode } from './disk-rig.ts';

describe('the risks that a question names', () => {
  it('are what programs do, with the files, hosts and names in the command', () => {
    for (const [line, risk] of [
      ['rm src/a.ts', 'deletes src/a.ts'],
      ['rm -rf dist build', 'deletes-folder dist, build'],
      ['rm a b c d', 'deletes a, b, c, …'],
      ['/bin/rm a', 'deletes a'],
      ['curl -s https://example.org/api', 'contacts example.org'],
      ['curl -o a.json example.org/a', 'contacts example.org'],
      ['npm view socket.io', 'network'],
      ['scp a me@host.example:/x', 'contacts host.example'],
      ['npm install x', 'installs'],
      ['npm test', 'runs-code'],
      ['npm pkg set x', 'unknown-program npm pkg'],
      ['npx eslint .', 'downloads eslint'],
      ['npm exec eslint', 'downloads eslint'],
      ['git push', 'pushes'],
      ['git push origin main', 'pushes-to origin'],
      ['git commit -m x', 'commits'],
      ['git reset --hard', 'discards'],
      ['git add -A', 'git-changes add'],
      ['node scripts/gen.js', 'runs-file scripts/gen.js'],
      ['node -e 1', 'given-code'],
      ['python3', 'input-code'],
      ['python3 -m pytest', 'runs-code'],
      ['./run.sh x', 'runs-file ./run.sh'],
      ['sudo rm -rf /', 'privileged'],
      ['docker run x', 'containers docker'],
      ['tar xf a.tgz', 'unknown-files tar'],
      ['foo --bar', 'unknown-program foo'],
      ['constructor', 'unknown-program constructor'],
    ] as const)
      assert.equal(describeCode(findProgramRisk(line.split(' '))), risk, line);
  });

  it('are told in up to three sentences, the gravest first, each once', () => {
    const risks = [
      createRisk('unknown-program', 'foo'),
      createRisk('contacts', 'registry.example'),
      createRisk('contacts', 'registry.example'),
      createRisk('writes', 'out'),
      createRisk('deletes-folder', 'src'),
    ];
    assert.equal(
      inEnglish(describeRisks(risks)),
      'Deletes src and everything in it. Contacts registry.example. Writes out.',
    );
  });
});
