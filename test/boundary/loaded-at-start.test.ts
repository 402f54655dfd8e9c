import assert from 'node:assert/strict';
import { loadedAtStart } from '../rig/loaded-at-start.ts';

describe('what is loaded at start', () => {
  it('stays within its limits', async () => {
    const sizes = await loadedAtStart();
    assert.equal(sizes.filter(({ limit }) => limit !== undefined).length, 2);
    for (const { entry, bytes, limit = Infinity, parts } of sizes) {
      const largest = parts.slice(0, 12).map(([part, size]) => `${part} ${size}`);
      assert.ok(
        bytes <= limit,
        `${entry}: ${bytes} bytes of at most ${limit}. Load with \`import()\` what it does not need yet. The largest: ${largest.join(', ')}.`,
      );
    }
  });
});
