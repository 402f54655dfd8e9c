/** The answer to a request that is answered with no more than "done". */
export async function done(work: Promise<unknown>): Promise<null> {
  await work;
  return null;
}
