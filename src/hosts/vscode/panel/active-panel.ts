import type { SessionOptions } from '../../../core/run/agent-service.ts';
import type { Asked } from '../../../core/run/opening.ts';
import type { Mention } from '../../../domain/mention.ts';
import type { PanelHost } from '../../../panel/panel-host.ts';
import type { SessionList } from '../../../panel/session/session-list.ts';
import type { SharedPanel } from '../../../panel/shared-panel.ts';
import type { OptionsView } from '../../../protocol/view.ts';
import type { BackgroundRuns } from '../../../window/background-runs.ts';
import type { Places } from './places.ts';

/** The sessions on screen, as commands change them: in the place that they mean, and wherever else a session is shown. */
export class ActivePanel {
  /** Runs in the background. */
  readonly away: BackgroundRuns;
  readonly #places: Places;
  readonly #shared: SharedPanel;

  constructor(places: Places, shared: SharedPanel, away: BackgroundRuns) {
    this.away = away;
    this.#places = places;
    this.#shared = shared;
  }

  get list(): SessionList {
    return this.#shared.list;
  }

  /** Of the session on screen, or of the new one. */
  get options(): OptionsView {
    return this.#places.active.host.session.view.options;
  }

  /** Shows a session, or a new one. In a tab: one that has another tab is shown there. */
  async show(sessionId: string | null): Promise<void> {
    const { active, isTab, tabs } = this.#places;
    const other = sessionId === null ? undefined : tabs.of(sessionId);
    if (isTab && other !== undefined && other !== active) await this.#places.goTo(sessionId ?? '');
    else await active.host.show(sessionId);
  }

  /** A session that comes of the one on screen has a tab of its own where that one has one. */
  async roomFor(sessionId: string): Promise<void> {
    if (this.#places.isTab) await this.#places.tabs.open(sessionId, false);
  }

  /** @param sessionId `null`: of the new session, in the place that commands mean */
  async giveBack(sessionId: string | null, asked: Asked): Promise<void> {
    const host = sessionId === null ? this.#places.active.host : this.#hostOf(sessionId);
    await host.giveBack(sessionId, asked);
  }

  /** Puts a mention into a session's draft, or takes it out, wherever it is shown. */
  mention(sessionId: string, mention: Mention, isThere: boolean): void {
    this.#shared.mention(sessionId, mention, isThere);
  }

  async takeBack(sessionId: string, text: string): Promise<void> {
    await this.#hostOf(sessionId).takeBack(sessionId, text);
  }

  /** @param sessionId `null`: for new sessions of this window */
  async choose(sessionId: string | null, options: SessionOptions): Promise<void> {
    await this.#places.active.host.choose(sessionId, options);
  }

  /** Reads a session anew wherever it is shown. */
  async reload(sessionId: string): Promise<void> {
    await this.#shared.reload(sessionId);
  }

  /** Of the place with a session, the one that commands mean first. */
  #hostOf(sessionId: string): PanelHost {
    const { active, sessionId: shown, tabs } = this.#places;
    return (shown === sessionId ? active : (tabs.of(sessionId) ?? active)).host;
  }
}
