// The other half of attack-adapter.mjs: answers one case after another over the channel to the parent.
import '../rig/tsx-hook.mjs';

const { decideHere } = await import('./surfaces.ts');

/** @type {((requests: readonly string[]) => void)[]} */
const waiting = [];

/** What the parent's listener has heard. */
function requests() {
  return new Promise((resolve) => {
    waiting.push(resolve);
    process.send?.({ requests: true });
  });
}

process.on('message', async (/** @type {any} */ message) => {
  if (message.requests) {
    waiting.shift()?.(message.requests);
    return;
  }
  try {
    const answer = await decideHere(message.attack, { ...message.fixture, requests });
    process.send?.({ answer });
  } catch (error) {
    process.send?.({
      problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
});
process.on('disconnect', () => process.exit());
