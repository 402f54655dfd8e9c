import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import { Listeners } from '../../../domain/lifetime/listeners.ts';
import type { PanelPresence } from '../human/attention.ts';
import type { PanelView } from './panel-view.ts';
import type { Place, Revealed } from './place.ts';
import type { SessionTabs } from './session-tabs.ts';

/**
 * The places of the window that show sessions: the view, and tabs. Commands mean the one that had the focus last,
 * while it is to be seen; else the view.
 */
export class Places implements PanelPresence, Disposable {
  readonly tabs: SessionTabs;
  readonly #view: PanelView;
  readonly #lifetime = new Lifetime();
  readonly #presence = this.#lifetime.add(new Listeners());
  #last: Place;

  constructor(view: PanelView, tabs: SessionTabs) {
    this.tabs = tabs;
    this.#view = view;
    this.#last = view;
    const changed = (): void => this.#presence.fire();
    this.#lifetime.add(view.onPresenceChanged(changed));
    this.#lifetime.add(view.host.line.onFocus(() => this.mean(view)));
    this.#lifetime.add(tabs.onChanged(changed));
    this.#lifetime.add(tabs.onFocused((tab) => this.mean(tab)));
  }

  /** The place that commands mean. */
  get active(): Place {
    const isThere = this.tabs.all().some((tab) => tab === this.#last && tab.isVisible);
    return isThere ? this.#last : this.#view;
  }

  get isTab(): boolean {
    return this.active !== this.#view;
  }

  get sessionId(): string | undefined {
    return this.active.host.state.sessionId;
  }

  /** The session in the view. */
  get viewSession(): string | undefined {
    return this.#view.host.state.sessionId;
  }

  /** From now on commands mean this place. */
  mean(place: Place = this.#view): void {
    this.#last = place;
    this.#presence.fire();
  }

  isShown(sessionId: string): boolean {
    return [this.#view, ...this.tabs.all()].some(
      (place) => place.isVisible && place.host.state.sessionId === sessionId,
    );
  }

  onPresenceChanged(listener: () => void): Disposable {
    return this.#presence.listen(listener);
  }

  setBadge(count: number, tooltip: string): void {
    this.#view.setBadge(count, tooltip);
  }

  async reveal(then?: Revealed): Promise<void> {
    await this.active.reveal(then);
  }

  /** Brings the person to a session: to its tab where it has one, else to the view. */
  async goTo(sessionId: string, then?: Revealed): Promise<void> {
    const isIt = (place: Place): boolean => place.host.state.sessionId === sessionId;
    const place = [this.active, ...this.tabs.all()].find(isIt) ?? this.#view;
    if (!isIt(place)) await place.host.show(sessionId);
    this.mean(place);
    await place.reveal(then);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
