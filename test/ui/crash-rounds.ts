import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { call, calls, say, talk } from '../support/model-server/turn.ts';
import type { Script, WireRequest } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';

/** What became of one kill of the extension host. */
export interface CrashRound {
  readonly moment: string;
  /** Milliseconds from the kill until the panel showed the whole conversation and the handoff card. */
  readonly backAfterMs: number;
  /** Milliseconds of that until VS Code had started another extension host. */
  readonly hostAfterMs: number;
}

interface Moment {
  readonly name: string;
  readonly script: (round: number) => Script;
  /** Resolves when the moment to kill has come. */
  readonly comes: (belay: BelayPage, round: number) => Promise<unknown>;
  /** What the card must say. */
  readonly card: RegExp;
  /** Lines that the round leaves in `crash.txt`, once each. */
  readonly lines: (round: number) => string[];
}

const hasCall = (request: WireRequest, id: string): boolean =>
  JSON.stringify(request.messages).includes(`"id":"${id}"`);

const MOMENTS: readonly Moment[] = [
  {
    name: 'an answer is being written',
    script: (round) => (request) =>
      JSON.stringify(request.messages.at(-1)).includes(`Round ${round}`) && !resumed.has(round)
        ? talk(`Words of round ${round}. `.repeat(300))
        : say(`Done with ${round}.`),
    comes: async (belay, round) => {
      await belay.shows(new RegExp(`Words of round ${round}`, 'u'));
      await belay.onRecord(`Words of round ${round}`);
    },
    card: /Words of round/u,
    lines: () => [],
  },
  {
    name: 'a command runs',
    script: (round) => (request) =>
      hasCall(request, `run-${round}`)
        ? say(`Done with ${round}.`)
        : calls(
            call('run_command', { command: `echo first-${round} >> crash.txt` }, `first-${round}`),
            call(
              'run_command',
              { command: `echo second-${round} >> crash.txt; sleep 60` },
              `run-${round}`,
            ),
          ),
    comes: async (belay, round) => {
      await hasLine(belay, `second-${round}`);
    },
    card: /1 call certainly done[^]*not known[^]*echo second/u,
    lines: (round) => [`first-${round}`, `second-${round}`],
  },
  {
    name: 'the model is awaited',
    script: (round) => (request) =>
      hasCall(request, `before-${round}`)
        ? say(`Done with ${round}.`, resumed.has(round) ? {} : { delayMs: 60_000 })
        : calls(
            call(
              'run_command',
              { command: `echo before-${round} >> crash.txt` },
              `before-${round}`,
            ),
          ),
    comes: async (belay, round) => {
      await hasLine(belay, `before-${round}`);
      await belay.until('the result was sent', () =>
        belay.turns.some((request) => hasCall(request, `before-${round}`)),
      );
    },
    card: /1 call certainly done/u,
    lines: (round) => [`before-${round}`],
  },
];

/** Rounds whose run goes on after its crash: the script must not stall them again. */
const resumed = new Set<number>();

/** Kills the extension host in the middle of a run, again and again in one session, and resumes each time. */
export async function crashRounds(belay: BelayPage, rounds: number): Promise<CrashRound[]> {
  resumed.clear();
  const done: CrashRound[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const moment = MOMENTS[(round - 1) % MOMENTS.length];
    assert.ok(moment !== undefined);
    belay.use(moment.script(round));
    await belay.ask(`Round ${round}: ${moment.name}`);
    await moment.comes(belay, round);
    const killedAt = performance.now();
    const since = (): number => Math.round(performance.now() - killedAt);
    const killed = belay.workbench.server.extensionHosts();
    assert.ok(belay.workbench.killExtensionHost() > 0, 'no extension host was there to kill');
    const [card, hostAfterMs] = await Promise.all([
      handoffCard(belay),
      belay.until(
        'another extension host has started',
        () =>
          belay.workbench.server.extensionHosts().some((pid) => !killed.includes(pid)) && since(),
      ),
    ]);
    await wholeHistory(belay, round);
    const backAfterMs = since();
    assert.match((await card.textContent()) ?? '', moment.card, moment.name);
    assert.equal(
      await (await belay.panel()).getByRole('region', { name: 'Interrupted run' }).count(),
      1,
    );
    resumed.add(round);
    await card.getByRole('button', { name: /^Resume/u }).click();
    await belay.shows(`Done with ${round}.`);
    await belay.idle();
    assert.deepEqual(
      (await lines(belay)).filter((line) => line.endsWith(`-${round}`)),
      moment.lines(round),
      'a side effect is missing or was repeated',
    );
    done.push({ moment: moment.name, backAfterMs, hostAfterMs });
  }
  return done;
}

/** VS Code restarts the host by itself, but not the third time within five minutes: then it asks. */
async function handoffCard(belay: BelayPage): Promise<Locator> {
  const restart = belay.page.getByRole('button', { name: 'Restart Remote Extension Host' });
  const probe = async (): Promise<Locator | undefined> => {
    if ((await restart.count()) > 0) await restart.first().click();
    const panel = await belay.workbench.webview('.handoff', 500).catch(() => undefined);
    const card = panel?.getByRole('region', { name: 'Interrupted run' });
    return card !== undefined && (await card.count().catch(() => 0)) === 1 ? card : undefined;
  };
  return belay.until('the handoff card is there', probe);
}

/** Every round's message is there, the older ones loaded as a person loads them. */
async function wholeHistory(belay: BelayPage, rounds: number): Promise<void> {
  await belay.shows(new RegExp(`^Round ${rounds}: `, 'u'));
  await belay.until('the first message is there', async () => {
    const panel = await belay.panel();
    if ((await panel.getByText(/^Round 1: /u).count()) > 0) return true;
    const older = panel.getByRole('button', { name: 'Show older messages' });
    if ((await older.count()) > 0) await older.click({ timeout: 2000 }).catch(() => undefined);
    return false;
  });
  for (let round = 1; round <= rounds; round += 1)
    await belay.shows(new RegExp(`^Round ${round}: `, 'u'));
}

async function lines(belay: BelayPage): Promise<string[]> {
  const text = await readFile(path.join(belay.folder, 'crash.txt'), 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean);
}

async function hasLine(belay: BelayPage, line: string): Promise<void> {
  await belay.until(`${line} is written`, async () => (await lines(belay)).includes(line));
}
