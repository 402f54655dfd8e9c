import assert from 'node:assert/strict';
import { testsIn } from '../../../src/tools/run-tests/test-line.ts';

const EXIT = [
  'npm test',
  'npm t',
  'npm run test:unit -- --grep x',
  'npm --prefix app test',
  'CI=1 npm test',
  'cd app && npm test',
  'npm ci && npm run build && npm test',
  'npm run build; npm test',
  'npm test && npm run lint',
  'npx mocha test/a.test.ts',
  'npx --no-install vitest run',
  'pnpm -w test',
  'yarn jest',
  'node --test',
  'bun test',
  'python -m pytest -q',
  'python3 -m unittest discover',
  'poetry run pytest',
  'coverage run -m pytest',
  'uv run pytest tests',
  'bundle exec rspec',
  'go test ./...',
  'cargo test',
  'cargo nextest run',
  './gradlew :app:lint test',
  'mvn -q verify',
  'make unit',
  'timeout 60 npm test',
  'env A=b pytest',
  '(npm test)',
  'npm test 2>&1',
  'npm test > out.txt',
];
const HIDDEN = [
  'npm test | tail -20',
  'npm test || true',
  'npm test; echo done',
  '! npm test',
  'npm test & '.replace(' &', ' ; true'),
  'echo a | npx mocha | cat',
];
const NONE = [
  'cat test/a.test.ts',
  'grep -rn test src',
  'git commit -m "add tests"',
  'npm install jest',
  'npm run build:test',
  'npm run lint',
  'npm run test:watch',
  'npx tsc --noEmit',
  'mocha --help',
  'pytest --collect-only',
  'jest --listTests',
  'cargo test --no-run',
  'echo "npm test"',
  'rm -rf test',
  'mkdir test && touch test/a',
  'python test.py',
  'ls tests',
  'echo npm test',
];

describe('a command line that runs tests', () => {
  it('is known by its program, and by its exit code', async () => {
    for (const line of EXIT) assert.equal(await testsIn(line), 'exit', line);
  });

  it('whose exit code is of something else says nothing of them', async () => {
    for (const line of HIDDEN) assert.equal(await testsIn(line), 'hidden', line);
  });

  it('is not any line with such a word', async () => {
    for (const line of NONE) assert.equal(await testsIn(line), undefined, line);
  });
});
