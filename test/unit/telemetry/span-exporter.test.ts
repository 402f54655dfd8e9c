import assert from 'node:assert/strict';
import { SpanExporter } from '../../../src/telemetry/span-exporter.ts';
import { OpenSpan } from '../../../src/telemetry/open-span.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { silentLog } from '../../support/memory-recorder.ts';

const spans = (count: number) =>
  Array.from({ length: count }, (_, index) => new OpenSpan(`span ${index}`, 0, {}).end(1));

const exporter = (
  post: (body: Uint8Array<ArrayBuffer>) => Promise<void>,
  clock = new FakeClock(),
) => ({
  clock,
  made: new SpanExporter({
    clock,
    log: silentLog,
    post,
    mask: async (text) => Promise.resolve(text),
    version: '1',
  }),
});

describe('the exporter of spans', () => {
  it('C11: keeps at most 2,048 waiting spans and counts those that it drops', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let sent = 0;
    const { made } = exporter(async (body) => {
      sent += new TextDecoder().decode(body).split('"traceId"').length - 1;
      await promise;
    });
    for (let index = 0; index < 100; index += 1) made.add(spans(100));
    // The first batch is on its way, 2,048 wait.
    assert.ok(
      made.dropped >= 10_000 - 2048 - 256 && made.dropped <= 10_000 - 2048,
      `${made.dropped}`,
    );
    resolve(undefined);
    await made.dispose();
    assert.equal(sent + made.dropped, 10_000);
  });
});
