/** A message that could not be handed over: the server has seen nothing of it. */
export class UnsentError extends Error {
  override readonly name = 'UnsentError';
}
