import { signal, type Signal } from '@preact/signals';
import type { CompletionRow } from '../../../src/protocol/completion-view.ts';
import type { Panel } from '../../panel.ts';
import type { SlashCommandRow } from '../../../src/domain/slash-command.ts';
import { filterSlashCommands, findSlashCommand } from '../../slash.ts';
import { typedAt, type Typed } from './typed.ts';

/** A row of the list: the host's, or a command of the panel. */
export type Choice =
  | CompletionRow
  | (Omit<CompletionRow, 'does'> & {
      readonly does: { readonly kind: 'run'; readonly command: SlashCommandRow };
    });

export interface CompletionList {
  readonly typed: Typed;
  readonly rows: readonly Choice[];
  readonly chosen: number;
}

/** A row, and what it takes the place of. */
export interface Picked {
  readonly row: Choice;
  readonly typed: Typed;
}

/** The list that belongs to what is typed: asks the host, whose answer counts only while it is still wanted. */
export class Completing {
  /** `null`: there is none. */
  readonly list: Signal<CompletionList | null> = signal(null);
  readonly #panel: Panel;
  #typed: Typed | undefined;
  /** Where the person closed the list: it stays closed there. */
  #closedAt: string | undefined;
  #asked = 0;
  /** The text for which an Enter is being carried out. */
  #entered: string | undefined;
  /** The first rows for what was looked at last. */
  #answer: Promise<readonly Choice[]> = Promise.resolve([]);

  constructor(panel: Panel) {
    this.#panel = panel;
  }

  /** Looks at what is typed; without a trigger nothing is done. */
  look(text: string, caret: number): void {
    const typed = typedAt(text, caret);
    const { trigger, from, query } = typed ?? {};
    if (typed === undefined) {
      this.#closedAt = undefined;
      this.close(false);
      return;
    }
    if (this.#closedAt === `${trigger}${from}`) return;
    const former = this.#typed;
    this.#typed = typed;
    if (former?.trigger === trigger && former?.from === from && former?.query === query) return;
    const { commands } = this.#panel;
    const own = typed.trigger === '/' ? filterSlashCommands(commands, typed.query).map(rowOf) : [];
    // Until the host has answered, its former rows stay: nothing flickers.
    const rows = this.list.peek()?.rows.filter(({ does }) => does.kind !== 'run') ?? [];
    const isSame = former?.trigger === trigger && former?.from === from;
    this.#show(typed, [...own, ...(isSame ? rows : [])]);
    this.#answer = Promise.resolve(own);
    if (typed.trigger === '/' && hasWords(commands, typed.query)) return;
    this.#answer = this.#ask(typed, own);
  }

  /** @param stays until another thing is typed */
  close(stays: boolean): void {
    const { typed } = this.list.peek() ?? {};
    if (stays && typed !== undefined) this.#closedAt = `${typed.trigger}${typed.from}`;
    this.#asked += 1;
    this.#typed = undefined;
    this.list.value = null;
  }

  move(by: number): void {
    const list = this.list.peek();
    if (list === null || list.rows.length === 0) return;
    const { length } = list.rows;
    this.list.value = { ...list, chosen: (list.chosen + by + length) % length };
  }

  /**
   * The row that is chosen for what is typed now, when the host has given its rows; what is typed meanwhile is none of
   * it. `undefined`: there is none.
   */
  async chosen(): Promise<Picked | undefined> {
    const typed = this.#typed;
    const rows = await this.#answer;
    if (typed === undefined) return undefined;
    const list = this.list.peek();
    const isThere = list?.typed.from === typed.from && list.typed.query === typed.query;
    const row = isThere ? list.rows[list.chosen] : rows[0];
    return row && { row, typed };
  }

  /** Carries out an Enter on a text. */
  async enter(text: string | undefined, work: () => Promise<void>): Promise<void> {
    this.#entered = text;
    try {
      await work();
    } finally {
      this.#entered = undefined;
    }
  }

  isEntered(text: string): boolean {
    return this.#entered === text;
  }

  async #ask(typed: Typed, own: readonly Choice[]): Promise<readonly Choice[]> {
    this.#asked += 1;
    const asked = this.#asked;
    const { trigger, query } = typed;
    const ask = async (rest: boolean): Promise<readonly Choice[]> => {
      const answer = await this.#panel.host.attempt('complete', { trigger, query, rest });
      const found = 'value' in answer ? answer.value : { rows: [], more: false };
      const rows = [...own, ...found.rows];
      if (asked !== this.#asked) return rows;
      this.#show(typed, rows);
      if (found.more && !rest) void ask(true);
      return rows;
    };
    return ask(false);
  }

  /** The chosen row stays chosen, where it is still there. */
  #show(typed: Typed, rows: readonly Choice[]): void {
    const former = this.list.peek();
    const moved = former !== null && former.chosen > 0 && former.typed.query === typed.query;
    const at = moved ? rows.findIndex((row) => isSame(row, former.rows[former.chosen])) : 0;
    const count = former?.rows.length ?? 0;
    this.list.value = rows.length === 0 ? null : { typed, rows, chosen: Math.max(0, at) };
    if (rows.length !== count && rows.length > 0)
      this.#panel.announcement.value = `${rows.length} ${rows.length === 1 ? 'suggestion' : 'suggestions'}`;
  }
}

function isSame(left: Choice, right: Choice | undefined): boolean {
  return left.label === right?.label && left.detail === right.detail;
}

function rowOf(command: SlashCommandRow): Choice {
  const { name, description: detail, icon } = command;
  return { label: `/${name}`, detail, icon, does: { kind: 'run', command } };
}

/** Returns `true` for a command of the panel with words after it: nothing is left to complete. */
const hasWords = (commands: readonly SlashCommandRow[], query: string): boolean =>
  (findSlashCommand(commands, `/${query}`)?.words ?? '') !== '';
