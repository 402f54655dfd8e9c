import type { FormField } from './form.ts';
import type { Json } from '../data/json.ts';

/** A request of an MCP server to the person, as they are shown it: a form, or a page. */
export type ServerRequest = FormRequest | PageRequest;

interface Shown {
  /** The server's name in the settings. */
  readonly server: string;
  /** The server's words. */
  readonly message: string;
  /** Sentences of Belay's. */
  readonly warnings: readonly string[];
  /** SHA-256 of all that is shown; the answer must carry it. */
  readonly hash: string;
}

export interface FormRequest extends Shown {
  readonly kind: 'form';
  readonly fields: readonly FormField[];
}

export interface PageRequest extends Shown {
  readonly kind: 'page';
  /** Shown whole. */
  readonly url: string;
  /** A part of `url`, which is marked. */
  readonly host: string;
  /** The person has opened it; the server says when they are done there, or they do. */
  readonly opened: boolean;
}

/** `decline`: they said no. `cancel`: they closed it, or nobody was there. */
export type RequestAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, Json>> }
  | { readonly action: 'decline' | 'cancel' };

/** A form that is being filled in and not sent yet, by the names of its fields. */
export type TypedForm = Readonly<Record<string, string | readonly string[]>>;
