/**
 * The longest time that the event loop stood still while something ran, in milliseconds of the thread's own
 * processor time: what other programs took from it meanwhile does not count.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = processorTime();
  const timer = setInterval(() => {
    const now = processorTime();
    longest = Math.max(longest, now - before);
    before = now;
  }, 1);
  try {
    await work();
    // What the work did last counts as well.
    longest = Math.max(longest, processorTime() - before);
  } finally {
    clearInterval(timer);
  }
  return longest;
}

function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
