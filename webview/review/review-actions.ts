import * as l10n from '@vscode/l10n';
import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { RequestParams } from '../../src/protocol/requests.ts';
import type { HunkName, ReviewFileView, ReviewView } from '../../src/protocol/review-view.ts';
import type { HostRequests } from '../host/host-requests.ts';
import { ChangeComment } from './change-comment.ts';
import { DecisionNote } from './decision-note.ts';
import { nameOf } from './review-words.ts';
import type { ActiveRow } from './rows.ts';
import { decidedText } from '../../src/domain/review/decided-words.ts';
import { plural } from '../../src/domain/text/language.ts';

type Decision = RequestParams<'decideChanges'>['decision'];
type Selection = RequestParams<'decideChanges'>['selection'];

/** Where a failure of a decision about everything is shown. */
export const ALL = 'all';

/** The person's decisions about pending changes; a failure is said where it was tried. */
export class ReviewActions {
  /** Sentences by the key of the row, or `ALL`. */
  readonly failures: Signal<ReadonlyMap<string, string>> = signal(new Map());
  /** A decision is on its way: a second key would hit what has moved up. */
  readonly deciding = signal(false);
  readonly note: DecisionNote;
  /** Row that the focus is to go to; one that is not there: to where the keyboard was last. */
  readonly backTo: Signal<string | undefined> = signal(undefined);
  readonly comment: ChangeComment;
  readonly #host: HostRequests;
  readonly #announcement: Signal<string>;
  readonly #view: () => ReviewView;
  readonly #session: ReadonlySignal<string | null>;
  /** Session without changes of its own in which the list was unfolded. */
  readonly #unfoldedIn: Signal<string | null | undefined> = signal(undefined);

  /** @param session the one on screen */
  constructor(
    host: HostRequests,
    announcement: Signal<string>,
    view: () => ReviewView,
    session: ReadonlySignal<string | null>,
  ) {
    this.#host = host;
    this.#announcement = announcement;
    this.#view = view;
    this.#session = session;
    this.note = new DecisionNote(host, announcement);
    this.comment = new ChangeComment(host, announcement, (row) => (this.backTo.value = row.key));
  }

  /** @param green only those of these changes that are green still */
  decideAll(decision: Decision, green?: readonly HunkName[]): Promise<void> {
    const selection: Selection =
      green === undefined ? { of: 'all' } : { of: 'green', hunks: [...green] };
    return this.#decide(decision, selection, ALL);
  }

  async decideRow(decision: Decision, row: ActiveRow): Promise<void> {
    return this.#decide(decision, selectionOf(row), row.key, nameOf(row));
  }

  /** Opens the change in the editor; of a request: all of its changes. */
  async open(row: ActiveRow): Promise<void> {
    if (row.type === 'request') {
      const { sessionId, messageId } = row.group;
      const request = { sessionId, messageId };
      this.#tell(row.key, await this.#host.attempt('openAllChanges', { request }));
      return;
    }
    const { path } = row.file;
    const hunkId = row.type === 'hunk' ? row.hunk.id : null;
    this.#tell(row.key, await this.#host.attempt('openChange', { path, hunkId }));
  }

  /** Marks a change, or all listed ones of a file, as looked at, or as not. */
  async look(row: ActiveRow): Promise<void> {
    if (row.type === 'request') return;
    const { file } = row;
    const hunks = row.type === 'hunk' ? [row.hunk] : file.hunks;
    if (hunks.length === 0) return;
    const looked = !hunks.every((hunk) => hunk.looked);
    const { path } = file;
    const hunkIds = hunks.map(({ id }) => id);
    this.#tell(row.key, await this.#host.attempt('lookAt', { path, hunkIds, looked }));
  }

  /** The focus goes to the list, which is unfolded for it. */
  goThere(): void {
    this.unfold(true);
    this.backTo.value = '';
  }

  /** True when the list is shown; the changes of other sessions only where the user unfolded them. */
  isUnfolded(view: ReviewView): boolean {
    return view.unfolded && (this.#unfoldedIn.value === this.#session.value || this.hasOwn(view));
  }

  /** True when the session on screen has pending changes. */
  hasOwn({ groups }: Pick<ReviewView, 'groups'>): boolean {
    return groups.some(({ sessionId }) => sessionId === this.#session.value);
  }

  unfold(unfolded: boolean): void {
    const isOthers = unfolded && !this.hasOwn(this.#view());
    this.#unfoldedIn.value = isOthers ? this.#session.peek() : undefined;
    this.#host.do('unfoldChanges', { unfolded });
  }

  dismiss(key: string): void {
    this.#fail([[key, undefined]]);
  }

  /** @param name of the row; absent: everything is meant */
  async #decide(
    decision: Decision,
    selection: Selection,
    key: string,
    name?: string,
  ): Promise<void> {
    if (this.deciding.peek()) return;
    this.deciding.value = true;
    this.note.shown.value = undefined;
    this.#fail([[key, undefined]]);
    const { version } = this.#view();
    const answer = await this.#host.attempt('decideChanges', { decision, version, selection });
    this.deciding.value = false;
    this.#tell(key, answer);
    if ('refused' in answer) return;
    const { id, failed, newer, done, left } = answer.value;
    const { files, totals } = this.#view();
    this.#fail(
      failed.flatMap(({ path, reason }) => keysOf(files, path).map((one) => [one, reason])),
    );
    const said = [
      decidedText(decision, { done, left }),
      ...(newer === 0
        ? []
        : [
            plural(
              newer,
              '{0} change came meanwhile and is left to look at.',
              '{0} changes came meanwhile and are left to look at.',
            ),
          ]),
      ...(failed.length === 0
        ? []
        : [
            plural(
              failed.length,
              '{0} file could not be decided.',
              '{0} files could not be decided.',
            ),
          ]),
    ].join(' ');
    if (selection.of !== 'hunk' || decision === 'undo')
      this.note.shown.value = {
        text: said,
        ...(id === null ? {} : { takeBack: { decision, id } }),
      };
    const rest =
      totals.hunks === 0
        ? l10n.t('Nothing is left.')
        : plural(totals.hunks, '{0} change left.', '{0} changes left.');
    const named =
      decision === 'keep' ? l10n.t('Kept {0}.', name ?? '') : l10n.t('Undid {0}.', name ?? '');
    this.#announcement.value = `${name === undefined ? said : named} ${rest}`;
  }

  #tell(key: string, answer: { readonly refused: string } | { readonly value: unknown }): void {
    const refused = 'refused' in answer ? answer.refused : undefined;
    this.#fail([[key, refused]]);
    if (refused !== undefined) this.#announcement.value = refused;
  }

  #fail(changes: readonly (readonly [key: string, reason: string | undefined])[]): void {
    const next = new Map(this.failures.peek());
    let different = false;
    for (const [key, reason] of changes) {
      if (next.get(key) === reason) continue;
      different = true;
      if (reason === undefined) next.delete(key);
      else next.set(key, reason);
    }
    if (different) this.failures.value = next;
  }
}

function selectionOf(row: ActiveRow): Selection {
  switch (row.type) {
    case 'request': {
      const { sessionId, messageId } = row.group;
      return { of: 'request', sessionId, messageId };
    }
    case 'file': {
      const { path, sessionId, messageId } = row.file;
      return { of: 'file', path, sessionId, messageId };
    }
    case 'hunk':
      return { of: 'hunk', path: row.file.path, hunkId: row.hunk.id };
    default:
      return row satisfies never;
  }
}

function keysOf(files: Readonly<Record<string, ReviewFileView>>, path: string): readonly string[] {
  return Object.entries(files).flatMap(([key, file]) => (file.path === path ? [key] : []));
}
