import assert from 'node:assert/strict';
import type { ChangeOrigin } from '../../../src/core/ports/files/change-origin.ts';
import { agentChanges } from '../../../src/core/review/files/agent-changes.ts';
import { ReviewedFiles } from '../../../src/core/review/files/reviewed-files.ts';
import type { Reviews } from '../../../src/core/review/service/reviews.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { MapValues } from '../../support/map-values.ts';
import { MemoryFiles } from '../../support/memory-files.ts';
import { Kill, openReviews } from './stopping.ts';

const BEFORE = {
  '/w/ends': 'x\ny\n',
  '/w/ends-and-name': 'x\ny\n',
  '/w/ends-and-lines': 'x\ny\n',
  '/w/picture': '\0\u0001',
  '/w/gone': 'g\n',
  '/w/one': '1\n',
  '/w/two': '\0\u0002',
} as const;

const AFTER: Readonly<Record<string, string>> = {
  '/w/ends': 'x\r\ny\r\n',
  '/w/ends-and-new-name': 'x\r\ny\r\n',
  '/w/ends-and-lines': '\ufeffx\r\nz\r\n',
  '/w/picture': '\0\u0003\u0004',
  '/w/one': '\0\u0002',
  '/w/two': '1\n',
  '/w/made': 'm\r\n',
};

/** Proposals of each kind that lines do not tell, accepted at once. */
class World {
  readonly files = new MemoryFiles();
  readonly values = new MapValues();

  open(kill?: Kill): Reviews {
    return openReviews(this, kill);
  }

  async make(): Promise<void> {
    for (const [path, text] of Object.entries(BEFORE)) this.files.put(path, text);
    const reviews = this.open();
    const agent = new ReviewedFiles(this.files, agentChanges(this.files, reviews, new FakeClock()));
    let calls = 0;
    const propose = (): { readonly origin: ChangeOrigin } => {
      calls += 1;
      const callId = `c${calls}`;
      return { origin: { sessionId: 's', messageId: 'm', callId, tool: 't', how: 'propose' } };
    };
    await agent.rename('/w/ends-and-name', '/w/ends-and-new-name', propose());
    await agent.delete('/w/gone', propose());
    await agent.rename('/w/one', '/w/tmp', propose());
    await agent.rename('/w/two', '/w/one', propose());
    await agent.rename('/w/tmp', '/w/two', propose());
    for (const [path, text] of Object.entries(AFTER))
      if (!['/w/one', '/w/two'].includes(path))
        await agent.write(path, Buffer.from(text), propose());
    assert.deepEqual(this.disk, { ...BEFORE }, 'nothing is on disk');
    await reviews.flush();
    reviews.dispose();
  }

  get disk(): Readonly<Record<string, string | undefined>> {
    const paths = [...this.files.contents.keys()];
    return Object.fromEntries(paths.map((path) => [path, this.files.text(path)]));
  }

  async acceptAll(kill: Kill): Promise<void> {
    const reviews = this.open(kill);
    await reviews.load();
    const all = reviews.pending.map(({ kind, review: { path } }) => ({ kind, path }));
    await reviews.decisions.decide('accept', all).catch(() => undefined);
    reviews.dispose();
  }

  /** Each file is as it was or as it was proposed, and going on does the rest. */
  async recovers(): Promise<void> {
    const old: Readonly<Record<string, string>> = BEFORE;
    const reviews = this.open();
    await reviews.load();
    assert.deepEqual(reviews.decisions.offers, []);
    for (const path of new Set([...Object.keys(old), ...Object.keys(AFTER)])) {
      const now = this.files.text(path);
      assert.ok(now === old[path] || now === AFTER[path], `${path} is half: ${now}`);
      // A file is by one of its names at least.
      if (path === '/w/ends-and-name')
        assert.ok(now ?? this.files.text('/w/ends-and-new-name'), 'it is not lost');
    }
    const left = reviews.pending.map(({ kind, review: { path } }) => ({ kind, path }));
    if (reviews.decisions.interrupted === undefined) await reviews.decisions.decide('accept', left);
    else assert.deepEqual((await reviews.decisions.resolveInterrupted(true)).failed, []);
    assert.deepEqual(this.disk, AFTER);
    assert.deepEqual(reviews.pending, []);
    reviews.dispose();
  }
}

describe('accepting whole files that a crash interrupts', function () {
  this.timeout(120_000);

  it('is done or not done in every file, and the rest is done when it goes on', async () => {
    const whole = new World();
    await whole.make();
    const counted = new Kill(Infinity, 'before');
    await whole.acceptAll(counted);
    assert.deepEqual(whole.disk, AFTER);
    assert.ok(counted.made > 20, `${counted.made} steps`);
    for (let at = 0; at < counted.made; at += 1) {
      for (const when of ['before', 'after'] as const) {
        const world = new World();
        await world.make();
        await world.acceptAll(new Kill(at, when));
        await world.recovers();
      }
    }
  });
});
