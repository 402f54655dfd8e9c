import type { Failure } from '../../domain/failure.ts';
import type { CenterSection } from './view.ts';

/**
 * Messages to the Control Center. The page reads what it shows; the host only says which sections are not
 * as they were read any more, so that a page that is slow, or gone, costs nothing.
 */
export type CenterMessage =
  | { readonly type: 'reply'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly failure: Failure }
  | { readonly type: 'stale'; readonly sections: readonly CenterSection[] }
  | { readonly type: 'go'; readonly place: CenterPlace };

/** A place on the page. */
export interface CenterPlace {
  readonly section: CenterSection;
  /** Name of a server, a provider, a tool; absent: the section. */
  readonly item?: string;
}
