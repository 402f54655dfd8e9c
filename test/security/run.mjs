#!/usr/bin/env node
// Checks attacks.json and runs it against a guard adapter.
//   node run.mjs                       counts and form only
//   node run.mjs --adapter FILE [--surfaces command,write,read] [--verbose]
// Adapter: export async function decide(c, fx) -> { decision: 'refuse'|'ask'|'allow'|'inert', note? } or
//   undefined where it has no such surface (counted as not covered). c is the case with its placeholders
//   filled in; fx = { ws, outside, home, storage, canary, evilPort, okPort, policy, requests() }.
//   It must use the product's real guard, path, command, render or MCP code and may really carry the
//   action out: the canary file and the evil listener are looked at after each case.
// A case passes when the decision is at least as strict as expected (refuse > ask > allow; inert where
// inert is expected, or refuse/ask) and nothing leaked; a benign one only when it is 'allow' or 'inert'.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';

/** @typedef {import('./surface.ts').AttackCase} AttackCase */
/** @typedef {import('./surface.ts').Answer} Answer */
/** @typedef {import('./surface.ts').Fixture} Fixture */
/** @typedef {AttackCase & { readonly setup?: readonly { readonly symlink?: string, readonly hardlink?: string, readonly to: string }[] }} ListedCase */

const { values: options } = parseArgs({
  options: {
    adapter: { type: 'string' },
    surfaces: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    file: { type: 'string', default: new URL('./attacks.json', import.meta.url).pathname },
  },
});
/** @type {{ readonly cases: readonly ListedCase[], readonly policy: Fixture['policy'], readonly expected: object }} */
const list = JSON.parse(fs.readFileSync(options.file, 'utf8'));

const PLACES = ['ws', 'outside', 'home', 'storage', 'canary', 'evilPort', 'okPort', 'ext', 'port'];
const PLACE = /\{([a-zA-Z]+)\}/gu;
const NEEDED = ['id', 'category', 'vector', 'reference', 'rule', 'surface', 'input', 'expected'];
const RANK = { allow: 0, inert: 1, ask: 2, refuse: 3 };

/** What is wrong with the list itself. */
function problemsOfList() {
  const ids = new Set();
  return list.cases.flatMap((one) => {
    const found = NEEDED.filter((key) => !(key in one)).map((key) => `${one.id}: no ${key}`);
    if (ids.has(one.id)) found.push(`twice: ${one.id}`);
    ids.add(one.id);
    if (!(one.expected in list.expected)) found.push(`${one.id}: expected ${one.expected}`);
    for (const [, name = ''] of JSON.stringify(one.input).matchAll(PLACE))
      if (!PLACES.includes(name)) found.push(`${one.id}: placeholder ${name}`);
    return found;
  });
}

/**
 * Fills the placeholders of a value in.
 * @param {any} value
 * @param {Record<string, unknown>} places
 * @returns {any}
 */
function fill(value, places) {
  if (typeof value === 'string')
    return value.replace(PLACE, (whole, name) =>
      PLACES.includes(name) ? String(places[name]) : whole,
    );
  if (Array.isArray(value)) return value.map((one) => fill(one, places));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [fill(key, places), fill(one, places)]),
  );
}

/**
 * A server that answers `ok`, or sends the caller to `?to=`.
 * @param {(url: string) => void} heard
 */
async function listen(heard) {
  const server = http.createServer((request, response) => {
    heard(request.url ?? '');
    const to = new URL(request.url ?? '/', 'http://x').searchParams.get('to');
    if (to === null) response.writeHead(200).end('ok');
    else response.writeHead(302, { location: to }).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 };
}

/** @param {string} base */
function makePlaces(base) {
  const at = (/** @type {string} */ name) => path.join(base, name);
  const [ws, outside, home, storage] = [at('ws'), at('outside'), at('home'), at('storage')];
  for (const folder of [
    `${ws}/src`,
    `${ws}/.vscode`,
    outside,
    `${home}/.ssh`,
    storage,
    `${ws}-evil`,
  ])
    fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(`${ws}/README.md`, '# x\n');
  fs.writeFileSync(`${ws}/src/a.ts`, 'export {};\n');
  fs.writeFileSync(`${ws}/.env`, 'SECRET=1\n');
  fs.writeFileSync(`${ws}/.vscode/settings.json`, '{}');
  fs.writeFileSync(`${outside}/secret.txt`, 's');
  fs.writeFileSync(`${ws}-evil/secret.txt`, 's');
  fs.writeFileSync(`${home}/.ssh/id_rsa`, 'k');
  return { ws, outside, home, storage, canary: at('CANARY'), ext: 'team.agent' };
}

/**
 * @param {ListedCase} one
 * @param {(attack: AttackCase, fixture: Fixture) => Promise<Answer | undefined>} decide
 */
async function runCase(one, decide) {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'attack-')));
  /** @type {string[]} */
  const hits = [];
  const evil = await listen((url) => hits.push(url));
  const okay = await listen(() => undefined);
  const ports = { evilPort: evil.port, okPort: okay.port, port: okay.port };
  const fixture = { ...makePlaces(base), ...ports, policy: list.policy, requests: () => hits };
  for (const step of one.setup ?? []) {
    const { symlink, hardlink, to } = fill(step, fixture);
    if (symlink) fs.symlinkSync(to, symlink);
    if (hardlink) fs.linkSync(to, hardlink);
  }
  /** @type {Answer | undefined} */
  let answer;
  let problem = '';
  try {
    answer = await decide({ ...one, input: fill(one.input, fixture) }, fixture);
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  const leak = fs.existsSync(fixture.canary)
    ? 'canary'
    : hits.length > 0
      ? `request ${hits[0]}`
      : '';
  evil.server.close();
  okay.server.close();
  fs.rmSync(base, { recursive: true, force: true });
  return { answer, problem, leak };
}

/**
 * @param {ListedCase} one
 * @param {Answer['decision']} decision
 */
function isGood({ benign, expected }, decision) {
  if (benign === true) return decision === 'allow' || decision === 'inert';
  return expected === 'inert' ? decision !== 'allow' : RANK[decision] >= RANK[expected];
}

const problems = problemsOfList();
const benign = list.cases.filter((one) => one.benign === true).length;
const surfaces = new Set(list.cases.map((one) => one.surface)).size;
const told = problems.length > 0 ? `: ${problems.slice(0, 5).join('; ')}` : '';
console.log(
  `${list.cases.length} cases, ${benign} of them benign, ${surfaces} surfaces, ${problems.length} problems${told}`,
);
if (options.adapter === undefined) {
  const bad = problems.length > 0 ? 1 : 0;
  console.log(`${1 - bad} passed, ${bad} failed`);
  process.exit(bad);
}

const { decide } = await import(pathToFileURL(path.resolve(options.adapter)).href);
const only = options.surfaces?.split(',');
const count = { good: 0, bad: 0, uncovered: 0, unused: 0 };
for (const one of list.cases) {
  if (only !== undefined && !only.includes(one.surface)) continue;
  const { platform } = one.input;
  if (platform !== undefined && platform !== process.platform) continue;
  const { answer, problem, leak } = await runCase(one, decide);
  if (answer === undefined && problem === '') {
    count.uncovered += 1;
    continue;
  }
  const okay = answer !== undefined && leak === '' && isGood(one, answer.decision);
  // Guards that the product does not call yet prove nothing about it: told apart, and a failure all the same.
  if (okay && answer.unused !== undefined) {
    count.unused += 1;
    if (options.verbose)
      console.log(`ok   ${one.id} ${one.surface}: not in use yet (${answer.unused}) ${one.vector}`);
    continue;
  }
  count[okay ? 'good' : 'bad'] += 1;
  if (!options.verbose && okay) continue;
  const said = `${answer?.decision ?? problem}${leak === '' ? '' : ` LEAK ${leak}`}`;
  console.log(
    `${okay ? 'ok  ' : 'FAIL'} ${one.id} ${one.surface}: ${said} (expected ${one.expected}) ${one.vector}`,
  );
  if (!okay && answer?.note !== undefined)
    console.log(`     ${answer.note.replaceAll('\n', '\n     ')}`);
}
console.log(`not covered by the adapter: ${count.uncovered}`);
console.log(`${count.unused} on guards not in use yet`);
console.log(`${count.good} passed, ${count.bad} failed`);
process.exit(count.bad > 0 || count.uncovered > 0 ? 1 : 0);
