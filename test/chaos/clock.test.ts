import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eventsOf } from '../support/headless/headless.ts';
import { HeadlessPlace } from '../support/headless/place.ts';
import { linesOf, nextTurn } from './careful-model.ts';
import type { Story } from './careful-model.ts';
import { historiesOf } from './kill-and-resume.ts';

const STORY: Story = {
  steps: 3,
  manner: 'checks',
  pace: 10,
  answer: { delayMs: 0, gapMs: 0 },
};
const DAY = 24 * 60 * 60 * 1000;

/** A program that is loaded first, in every thread: the wall clock is off by so much. */
const SHIFT = `
const by = Number(process.env.BELAY_TEST_CLOCK);
const file = process.env.BELAY_TEST_CLOCK_FILE;
const fs = require('node:fs');
let off = file === undefined ? by : 0;
// At once when the file appears: as a clock that is set, or a laptop that wakes up.
if (file !== undefined) setInterval(() => { off = fs.existsSync(file) ? by : 0; }, 5).unref();
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) { if (given.length === 0) super(Real.now() + off); else super(...given); }
  static now() { return Real.now() + off; }
};`;

async function shifted(place: HeadlessPlace, by: number): Promise<Record<string, string>> {
  const file = path.join(place.folder, 'shift.cjs');
  await writeFile(file, SHIFT);
  return { NODE_OPTIONS: `--require ${file}`, BELAY_TEST_CLOCK: String(by) };
}

describe('a killed run and a clock that jumps', function () {
  this.timeout(60_000);

  it('durability 7: a day back and a day forth between the lives: nothing repeated, nothing out of order', async () => {
    await using place = await HeadlessPlace.make((request) => nextTurn(request, STORY));
    for (const by of [0, -DAY, DAY]) {
      const host = await place.start('--resume --prompt story --json', {
        environment: await shifted(place, by),
      });
      await host.prints(/"tool\.finished"/u);
      host.kill();
      const [event] = eventsOf(await host.ended);
      const off = (event?.at ?? 0) - Date.now() - by;
      assert.ok(Math.abs(off) < DAY / 2, 'the clock of the process was not shifted');
    }
    const last = await place.run('--resume --prompt story', {
      environment: await shifted(place, -DAY),
    });
    assert.deepEqual([last.code, last.stderr], [0, '']);
    assert.deepEqual(await place.lines(), linesOf(STORY));
    const { changes, lostMessages } = historiesOf(place.server.requests);
    assert.deepEqual([changes, lostMessages], [[], 0]);
  });

  it('durability 7: the newest run is the one that was made last, whatever the clock said', async () => {
    await using place = await HeadlessPlace.make((request) => nextTurn(request, STORY));
    for (const [prompt, by] of [
      ['older', DAY],
      ['newer', -DAY],
    ] as const) {
      const host = await place.start(`--prompt ${prompt} --json`, {
        environment: await shifted(place, by),
      });
      await host.prints(/"tool\.finished"/u);
      host.kill();
      await host.ended;
    }
    assert.equal((await place.run('--resume')).code, 0);
    const asked = JSON.stringify(place.server.requests.at(-1)?.body.messages);
    assert.match(asked, /newer/u);
    assert.doesNotMatch(asked, /older/u);
  });

  for (const by of [DAY, -DAY]) {
    it(`durability 7: the clock jumps ${by > 0 ? 'forward' : 'back'} a day and the machine sleeps in the middle of a run: it goes on, and nothing is repeated`, async () => {
      // The server is slow, so that it sleeps while an answer is awaited; watchdogs and leases are short.
      const story: Story = { ...STORY, answer: { delayMs: 60, gapMs: 5 } };
      await using place = await HeadlessPlace.make((request) => nextTurn(request, story));
      const jumped = path.join(place.folder, 'jumped');
      const host = await place.start(
        '--prompt story --json --set advanced.streamIdleTimeoutSeconds=1 --set advanced.firstByteTimeoutSeconds=1 --set advanced.modelRetryDelaySeconds=0.01 --set advanced.hardTimeLimitSeconds=600',
        {
          environment: { ...(await shifted(place, by)), BELAY_TEST_CLOCK_FILE: jumped },
        },
      );
      await host.prints(/"tool\.finished"/u);
      host.kill('SIGSTOP');
      await writeFile(jumped, '');
      await delay(1500);
      host.kill('SIGCONT');
      const end = await host.ended;
      assert.deepEqual([end.code, end.stderr], [0, '']);
      assert.deepEqual(await place.lines(), linesOf(story));
      const events = eventsOf(end);
      assert.ok(
        events.some(({ at }) => Math.abs(at - Date.now() - by) < DAY / 2),
        'the clock has not jumped',
      );
      assert.deepEqual(
        events.map(({ seq }) => seq),
        events.map(({ seq }) => seq).toSorted((left, right) => left - right),
      );
      const { changes, lostMessages } = historiesOf(place.server.requests);
      assert.deepEqual([changes, lostMessages], [[], 0]);
    });
  }
});
