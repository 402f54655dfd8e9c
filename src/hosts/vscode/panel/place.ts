import type { PanelHost } from '../../../panel/panel-host.ts';

/** Done in a place when it is revealed. */
export type Revealed =
  | 'focus_input'
  | 'focus_waiting'
  | 'focus_changes'
  | 'next_mode'
  | 'show_journal';

/** A place that shows a session: the view, or a tab. */
export interface Place {
  readonly host: PanelHost;
  readonly isVisible: boolean;
  /** Shows the place and does this in it. */
  reveal(then?: Revealed): Promise<void>;
}
