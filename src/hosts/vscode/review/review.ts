import path from 'node:path';
import * as vscode from 'vscode';
import type { ApprovalQuestion, ProposedEdit } from '../../../core/ports/person/approval.ts';
import type { Disposable } from '../../../domain/disposable.ts';
import type { Log } from '../../../core/ports/log.ts';
import { BelayError } from '../../../domain/failure.ts';
import type { ApprovalQueue, DeskChange } from '../../../window/approvals/approval-queue.ts';
import { Lifetime } from '../../../domain/lifetime.ts';
import { PROPOSED_SCHEME } from '../../../manifest/context-key-names.ts';
import { BaseDocuments } from './base-documents.ts';
import { activeUri, closeProposals } from './diff-tabs.ts';
import { EditedProposals } from './edited-proposals.ts';
import { ProposedFiles } from './proposed-files.ts';

/** Milliseconds after a keystroke in a proposal until it is kept for a restart. */
const KEEP_AFTER = 300;

/** A proposed edit that waits for a decision. */
export interface Proposal {
  readonly question: ApprovalQuestion & { readonly edit: ProposedEdit };
  /** The right side: what the file will be, editable. */
  readonly proposed: vscode.Uri;
}

/** A text before and after an edit. */
export interface ShownEdit {
  /** Absolute, or below the workspace. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export interface ReviewParts {
  /** Of the proposals' addresses; one review a scheme. Default: Belay's own. */
  readonly scheme?: string;
  readonly desk: ApprovalQueue;
  readonly state: vscode.Memento;
  readonly log: Log;
  /** Whether a new proposal of this session opens by itself: the person is looking at that session. */
  readonly opensAlone: (sessionId: string) => boolean;
}

/**
 * The review of proposed edits: each is a diff whose right side is a file in memory. Nothing on
 * disk changes here; a yes carries what the person made of the right side, and the tool writes it.
 */
export class Review implements Disposable {
  readonly #parts: ReviewParts;
  readonly #scheme: string;
  readonly #lifetime = new Lifetime();
  readonly #files: ProposedFiles;
  readonly #bases = this.#lifetime.add(new BaseDocuments());
  readonly #edited: EditedProposals;
  readonly #proposals = new Map<string, Proposal>();
  readonly #keeping = new Map<string, NodeJS.Timeout>();

  constructor(parts: ReviewParts) {
    this.#parts = parts;
    this.#scheme = parts.scheme ?? PROPOSED_SCHEME;
    this.#files = this.#lifetime.add(new ProposedFiles(this.#scheme));
    this.#edited = new EditedProposals(parts.state);
    parts.desk.readEditsFrom(this.editedText);
    this.#lifetime.add(parts.desk.onChange((change) => this.#follow(change)));
    this.#lifetime.add(
      vscode.workspace.onDidChangeTextDocument((event) => this.#keepSoon(event.document.uri)),
    );
    // Tabs of a window that was reloaded: their proposals are asked again or gone.
    this.#run(closeProposals((uri) => uri.scheme === this.#scheme && !this.#files.has(uri)));
    this.#follow();
  }

  /** Oldest first. */
  get proposals(): readonly Proposal[] {
    return [...this.#proposals.values()];
  }

  /** The proposal in the active editor, or the one a title button was pressed for. */
  active(uri: vscode.Uri | undefined = activeUri()): Proposal | undefined {
    return this.proposals.find((one) => one.proposed.toString() === uri?.toString());
  }

  /** What the person has made of a proposal; `undefined`: nothing was changed. */
  readonly editedText = (questionId: string): string | undefined => {
    const proposal = this.#proposals.get(questionId);
    return proposal === undefined ? undefined : this.#files.edited(proposal.proposed);
  };

  /** Shows the diff of a waiting proposal. */
  async open(questionId: string, options: { readonly preserveFocus: boolean }): Promise<void> {
    const proposal = this.#proposals.get(questionId);
    if (proposal === undefined) {
      throw new BelayError({ code: 'not_found', message: 'This edit was decided already.' });
    }
    const { edit } = proposal.question;
    const left = await this.#leftSide(questionId, edit);
    if (!this.#files.has(proposal.proposed)) return;
    const title = `${path.basename(edit.path)}: proposed by Belay`;
    await showDiff(left, proposal.proposed, title, options);
    // Decided while it was being opened.
    if (!this.#proposals.has(questionId)) await closeProposals(sameAs(proposal.proposed));
  }

  /** Shows the diff of a call that waits for a yes; `false`: none of this call does. */
  async openCall(callId: string): Promise<boolean> {
    const waiting = this.proposals.find((one) => one.question.callId === callId);
    if (waiting === undefined) return false;
    await this.open(waiting.question.id, { preserveFocus: false });
    return true;
  }

  /** Shows what a call did, read-only: one file as a diff, several in one editor. */
  async showEdits(callId: string, edits: readonly ShownEdit[]): Promise<void> {
    const sides = edits.map((edit) => {
      // The name tells the language.
      const at = path.join('/', edit.path);
      const before = this.#bases.add(`${callId}-before`, at, edit.before);
      return { edit, before, after: this.#bases.add(`${callId}-after`, at, edit.after) };
    });
    const [first] = sides;
    if (first === undefined) return;
    if (sides.length === 1) {
      const title = `${path.basename(first.edit.path)}: edit by Belay`;
      await showDiff(first.before, first.after, title, { preserveFocus: false });
      return;
    }
    await vscode.commands.executeCommand(
      'vscode.changes',
      `${sides.length} files: edit by Belay`,
      sides.map(({ before, after }) => [after, before, after]),
    );
  }

  /** Says yes or no to a proposal as it is now. */
  decide(proposal: Proposal, allowed: boolean): void {
    const { id: questionId, hash } = proposal.question;
    this.#parts.desk.answerApproval({ questionId, hash, allowed });
  }

  dispose(): void {
    for (const [questionId, timer] of this.#keeping) {
      clearTimeout(timer);
      this.#keep(questionId);
    }
    this.#lifetime.dispose();
  }

  /** Brings the proposals in line with what waits on the desk. */
  #follow(change?: DeskChange): void {
    const waiting = new Set<string>();
    for (const question of this.#parts.desk.approvals()) {
      const { edit } = question;
      if (edit === undefined) continue;
      waiting.add(question.id);
      if (!this.#proposals.has(question.id)) this.#begin({ ...question, edit });
    }
    for (const [questionId, proposal] of this.#proposals) {
      if (waiting.has(questionId)) continue;
      // What was typed into a proposal is kept when nobody decided: its call may be asked again.
      const decided = change?.kind === 'answered' && change.pending.question.id === questionId;
      this.#run(this.#end(proposal, decided));
    }
  }

  #begin(question: Proposal['question']): void {
    const { id, hash, edit } = question;
    const proposed = this.#files.add(id, edit.path, edit.after, this.#edited.get(hash));
    this.#proposals.set(id, { question, proposed });
    if (this.#parts.opensAlone(question.sessionId)) {
      this.#run(this.open(id, { preserveFocus: true }));
    }
  }

  async #end(proposal: Proposal, decided: boolean): Promise<void> {
    const { id, hash } = proposal.question;
    clearTimeout(this.#keeping.get(id));
    if (!decided) this.#keep(id);
    this.#keeping.delete(id);
    this.#proposals.delete(id);
    await closeProposals(sameAs(proposal.proposed));
    this.#files.remove(proposal.proposed);
    if (decided) await this.#edited.remove(hash);
  }

  /** The file itself, so that the diff is what accepting will do; where there is none, what it was. */
  async #leftSide(questionId: string, edit: ProposedEdit): Promise<vscode.Uri> {
    const file = vscode.Uri.file(edit.path);
    if (!edit.creates) {
      try {
        await vscode.workspace.fs.stat(file);
        return file;
      } catch {
        // Deleted meanwhile: the tool will say so when the edit is accepted.
      }
    }
    return this.#bases.add(questionId, edit.path, edit.before);
  }

  #keepSoon(uri: vscode.Uri): void {
    if (uri.scheme !== this.#scheme) return;
    const id = this.active(uri)?.question.id;
    if (id === undefined) return;
    clearTimeout(this.#keeping.get(id));
    this.#keeping.set(
      id,
      setTimeout(() => this.#keep(id), KEEP_AFTER),
    );
  }

  #keep(questionId: string): void {
    this.#keeping.delete(questionId);
    const proposal = this.#proposals.get(questionId);
    if (proposal === undefined) return;
    const { hash } = proposal.question;
    const text = this.#files.edited(proposal.proposed);
    this.#run(text === undefined ? this.#edited.remove(hash) : this.#edited.put(hash, text));
  }

  #run(work: Promise<void>): void {
    work.catch((error: unknown) => this.#parts.log.error('A review could not be shown.', error));
  }
}

const sameAs =
  (one: vscode.Uri) =>
  (other: vscode.Uri): boolean =>
    other.toString() === one.toString();

async function showDiff(
  left: vscode.Uri,
  right: vscode.Uri,
  title: string,
  options: { readonly preserveFocus: boolean },
): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', left, right, title, {
    preview: false,
    preserveFocus: options.preserveFocus,
  });
}
