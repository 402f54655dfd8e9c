/** The server wants a sign-in and nobody is there to do it; or a sentence why one cannot be. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
  /** A person can begin a sign-in; otherwise trying again changes nothing. */
  readonly needed: boolean;

  constructor(message: string, needed = false) {
    super(message);
    this.needed = needed;
  }
}
