import { createHash } from 'node:crypto';

/** Which ids of calls a server takes. */
export interface IdForm {
  readonly fits: RegExp;
  /** Letters and digits of a made-up id, its beginning included. */
  readonly length: number;
  /** Beginning of made-up ids; empty where there is no room for one. */
  readonly begin: string;
}

const BASE = 62n;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Ids of calls as one server takes them: two ids of the history never share one. An id that fits goes
 * as it is; another gets one made of its hash, the same each time and in every process, so that what
 * was sent once stays the same.
 */
export class WireIds {
  readonly #form: IdForm;
  readonly #made = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(form: IdForm) {
    this.#form = form;
  }

  of(id: string): string {
    const { fits, begin } = this.#form;
    // One that looks made up is made up anew, so that it cannot be another's. Without room for a beginning all are.
    if (begin !== '' && !id.startsWith(begin) && fits.test(id)) return id;
    const known = this.#made.get(id);
    if (known !== undefined) return known;
    let made = this.#hash(id);
    for (let number = 2; this.#taken.has(made); number += 1) made = this.#hash(`${id} ${number}`);
    this.#taken.add(made);
    this.#made.set(id, made);
    return made;
  }

  #hash(text: string): string {
    const { begin, length } = this.#form;
    let rest = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
    let made = '';
    while (begin.length + made.length < length) {
      made += DIGITS[Number(rest % BASE)] ?? '';
      rest /= BASE;
    }
    return begin + made;
  }
}

/** Ids of the Messages API. */
export const MESSAGES_IDS: IdForm = { fits: /^[\w-]{1,128}$/, length: 28, begin: 'bly_' };
