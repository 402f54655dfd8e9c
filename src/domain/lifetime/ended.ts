/** Ends one thing after the other, each whatever became of those before; rejects with the first failure when all have ended. */
export async function ended(...ends: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const end of ends) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
