import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { Log } from '../../../core/ports/log.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import type { PendingTotals } from '../status-bar/indicators.ts';
import { badgeOf } from '../../../window/approvals/badge.ts';
import type { ApprovalQueue, Pending } from '../../../window/approvals/approval-queue.ts';
import { noticeOf } from '../../../window/approvals/notice.ts';

/** The panel as the approvals see it: the person is told only what they do not see anyway. */
export interface PanelPresence {
  /** True for a session that a place shows which is to be seen. */
  isShown(sessionId: string): boolean;
  /** Fires when a place is shown, hidden, has the focus, or shows another session. */
  onPresenceChanged(listener: () => void): Disposable;
  /** The number on the view's icon; 0 removes it. */
  setBadge(count: number, tooltip: string): void;
}

export interface AttentionParts {
  readonly desk: ApprovalQueue;
  readonly panel: PanelPresence;
  readonly log: Log;
  /** The title of a session, for the text of a notification. */
  readonly titleOf: (sessionId: string) => string | undefined;
  /** Brings the person to what waits: panel, session, diff. */
  readonly show: (pending: Pending) => Promise<void>;
  /** Pending changes of files: they count on the badge and are never announced. */
  readonly changes: PendingTotals;
}

/** Gets a person's attention for what waits while the panel does not show it (D9). */
export class Attention implements Disposable {
  readonly #parts: AttentionParts;
  readonly #lifetime = new Lifetime();
  /** Ids that a notification was shown for; each is announced once. */
  readonly #announced = new Set<string>();

  constructor(parts: AttentionParts) {
    this.#parts = parts;
    this.#lifetime.add(parts.desk.onChange(() => this.#update()));
    this.#lifetime.add(parts.panel.onPresenceChanged(() => this.#update()));
    // Changes to review interrupt nobody: no notification, however a run ends.
    this.#lifetime.add(parts.changes.onChange(() => this.#badge()));
    this.#update();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #update(): void {
    const { desk, panel } = this.#parts;
    this.#badge();
    const pending = desk.pending();
    const ids = new Set(pending.map((one) => one.question.id));
    for (const id of this.#announced) if (!ids.has(id)) this.#announced.delete(id);
    for (const one of pending) {
      if (panel.isShown(one.question.sessionId)) continue;
      if (this.#announced.has(one.question.id)) continue;
      this.#announced.add(one.question.id);
      this.#announce(one).catch((error: unknown) => {
        this.#parts.log.error('A notification could not be shown.', error);
      });
    }
  }

  #badge(): void {
    const { desk, panel, changes } = this.#parts;
    const { value, tooltip } = badgeOf(desk.pending().length, changes.totals.hunks);
    panel.setBadge(value, tooltip);
  }

  async #announce(pending: Pending): Promise<void> {
    const { desk, show, titleOf } = this.#parts;
    const { question } = pending;
    const notice = noticeOf(pending, titleOf(question.sessionId));
    const buttons = [
      ...(notice.mayAllow ? [l10n.t('Allow')] : []),
      ...(notice.mayDeny ? [l10n.t('Deny')] : []),
      l10n.t('Show'),
    ];
    const chosen = await vscode.window.showInformationMessage(notice.text, ...buttons);
    if (chosen === undefined || desk.find(question.id) === undefined) return;
    if (chosen === l10n.t('Show')) await show(pending);
    else if (pending.kind === 'approval') {
      const { id: questionId, hash } = pending.question;
      desk.answerApproval({ questionId, hash, allowed: chosen === l10n.t('Allow') });
    }
  }
}
