import { inEnglish, type Told } from '../../domain/text/told.ts';

/** The server wants a sign-in and nobody is there to do it; or a sentence why one cannot be. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly said: Told;
  /** A person can begin a sign-in; otherwise trying again changes nothing. */
  readonly needed: boolean;

  constructor(said: Told, needed = false) {
    super(inEnglish(said));
    this.said = said;
    this.needed = needed;
  }
}
