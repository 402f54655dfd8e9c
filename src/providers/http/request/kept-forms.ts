import type { Message } from '../../../domain/message.ts';

/**
 * Messages in the form of an API, kept for as long as the message object lives and is written by the same
 * form: a turn costs what is new in it, and the same message always gives the same bytes.
 */
export class KeptForms<Form extends object, Written> {
  readonly #known = new WeakMap<Message, { readonly form: Form; readonly written: Written }>();
  readonly #write: (message: Message, form: Form) => Written;

  constructor(write: (message: Message, form: Form) => Written) {
    this.#write = write;
  }

  of(message: Message, form: Form): Written {
    const known = this.#known.get(message);
    if (known?.form === form) return known.written;
    const written = this.#write(message, form);
    this.#known.set(message, { form, written });
    return written;
  }
}
