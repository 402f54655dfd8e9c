import { appendFileSync } from 'node:fs';
import { Client } from '../../../src/store/client.ts';

/**
 * Loaded before the headless host, in a program of the tests only: the process kills itself with
 * SIGKILL at one of its durable operations, before it is asked for or when its answer has come.
 */

/** Requests to the store that change what is on disk. */
const DURABLE: ReadonlySet<string> = new Set([
  'open',
  'commit',
  'background',
  'setValue',
  'putResult',
  'claim',
  'release',
  'abandoned',
  'fireFollowUp',
]);

const at = Number(process.env['BELAY_DOOM_AT'] ?? 0);
const moment = process.env['BELAY_DOOM_MOMENT'] ?? 'before';
const log = process.env['BELAY_DOOM_LOG'];
let count = 0;

type Call = (this: Client, method: string, params: unknown) => Promise<unknown>;
type Open = (this: Client) => Promise<unknown>;
const call = Reflect.get(Client.prototype, 'call') as Call;
const open = Reflect.get(Client.prototype, 'open') as Open;
const doomedCall: Call = async function (method, params) {
  return pass(method, params, async () => call.call(this, method, params));
};
const doomedOpen: Open = async function () {
  return pass('open', undefined, async () => open.call(this));
};
Reflect.set(Client.prototype, 'call', doomedCall);
Reflect.set(Client.prototype, 'open', doomedOpen);

async function pass<T>(method: string, params: unknown, ask: () => Promise<T>): Promise<T> {
  const isEmpty = Array.isArray(params) && params.length === 0;
  if (!DURABLE.has(method) || isEmpty) return ask();
  count += 1;
  const mine = count;
  if (log !== undefined) appendFileSync(log, `${mine} ${method} ${kindsOf(params)}\n`);
  if (mine === at && moment === 'before') die();
  const answer = await ask();
  if (mine === at && moment === 'after') die();
  return answer;
}

function kindsOf(params: unknown): string {
  if (!Array.isArray(params)) return '';
  return params.map((write: { readonly kind?: string }) => write.kind ?? '?').join('+');
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;); // the signal is on its way; nothing else may happen
}
