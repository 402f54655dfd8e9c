// The adapter that run.mjs asks for: Belay's real guards, surface by surface (surfaces.ts).
// They are TypeScript for Node 24. On an older Node they run in a child process on the Node 24 that is one of the
// dependencies; the canary and the listeners are the runner's own and are looked at there either way.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const here = (/** @type {string} */ file) => fileURLToPath(new URL(file, import.meta.url));
const NODE_24 = Number(process.versions.node.split('.')[0]) >= 24;

/**
 * @param {import('./surface.ts').AttackCase} attack
 * @param {import('./surface.ts').Fixture} fixture
 */
export async function decide(attack, fixture) {
  if (!NODE_24) return decideInChild(attack, fixture);
  await import('../rig/tsx-hook.mjs');
  const { decideHere } = await import('./surfaces.ts');
  return decideHere(attack, fixture);
}

/** @type {import('node:child_process').ChildProcess | undefined} */
let child;

/**
 * @param {import('./surface.ts').AttackCase} attack
 * @param {import('./surface.ts').Fixture} fixture
 * @returns {Promise<import('./surface.ts').Answer | undefined>}
 */
function decideInChild(attack, fixture) {
  const windows = process.platform === 'win32';
  child ??= fork(here('adapter-child.mjs'), [], {
    execPath: here(`../../node_modules/node/bin/${windows ? 'node.exe' : 'node'}`),
    execArgv: [],
  });
  const one = child;
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('The process with the guards has ended.'));
    one.once('exit', ended);
    /** @param {{ requests?: true, answer?: import('./surface.ts').Answer, problem?: string }} message */
    const hear = (message) => {
      if (message.requests) {
        one.send({ requests: fixture.requests() });
        return;
      }
      one.off('message', hear);
      one.off('exit', ended);
      if (message.problem === undefined) resolve(message.answer);
      else reject(new Error(message.problem));
    };
    one.on('message', hear);
    one.send({ attack, fixture: { ...fixture, requests: undefined } });
  });
}
