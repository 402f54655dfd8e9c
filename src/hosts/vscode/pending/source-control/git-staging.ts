import * as vscode from 'vscode';
import type { Disposable } from '../../../../domain/lifetime/disposable.ts';
import type { Choice } from '../../../../core/review/model/decide.ts';
import type { FileReview } from '../../../../core/review/model/file-review.ts';
import { pathBelow } from '../../../../domain/paths.ts';
import { Lifetime } from '../../../../domain/lifetime/lifetime.ts';
import type { PendingParts } from '../pending-parts.ts';
import { stagedHunks } from '../../../../window/pending/staged-hunks.ts';

/** Milliseconds in which news of git are collected: it tells of one change several times. */
const COLLECT_MS = 100;

/** Of git's own `Status`: the file is deleted in the index. */
const INDEX_DELETED = 2;

/** The part of the API of VS Code's git extension, version 1, that is used here. */
interface GitChange {
  readonly uri: vscode.Uri;
  readonly renameUri?: vscode.Uri;
  readonly status: number;
}

interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    readonly onDidChange: vscode.Event<void>;
  };
  status(): Promise<void>;
  show(ref: string, path: string): Promise<string>;
}

interface GitApi {
  readonly repositories: readonly GitRepository[];
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
}

interface GitExtension {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  getAPI(version: 1): GitApi;
}

/** How a file was in the index when it was last looked at. */
interface Staged {
  /** `undefined`: it is deleted there, or is no text. */
  readonly text: string | undefined;
  readonly deleted: boolean;
  /** Nothing of the file is unstaged, as git says. */
  readonly whole: boolean;
}

/** The commands that agents run. */
export interface AgentCommands {
  readonly running: boolean;
  /** Hears when the last of them is over. */
  onIdle(listener: () => void): Disposable;
}

/**
 * Staging counts as keeping: what the person stages of the written changes, with whatever tool, is
 * kept. Git is only asked through VS Code's extension for it; without that nothing is followed.
 */
export class GitStaging implements Disposable {
  readonly #parts: PendingParts;
  /** An agent's command that stages decides nothing for the person. */
  readonly #commands: AgentCommands;
  readonly #lifetime = new Lifetime();
  /** By path, of files with written changes. */
  readonly #known = new Map<string, Staged | undefined>();
  #following: Lifetime | undefined;
  #timer: NodeJS.Timeout | undefined;
  #turn = Promise.resolve();
  #disposed = false;

  constructor(parts: PendingParts, commands: AgentCommands) {
    this.#parts = parts;
    this.#commands = commands;
    this.#lifetime.add(parts.feed.onChange(() => this.#follow()));
    this.#lifetime.add(commands.onIdle(() => this.#afterCommands()));
    this.#follow();
  }

  /** Resolves when everything that git has told is taken in. */
  async settled(): Promise<void> {
    await this.#turn;
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#following?.dispose();
    this.#lifetime.dispose();
  }

  get #pending(): readonly FileReview[] {
    return this.#parts.reviews.pending;
  }

  #follow(): void {
    const paths = new Set(this.#pending.map(({ path }) => path));
    for (const path of this.#known.keys()) if (!paths.has(path)) this.#known.delete(path);
    if (paths.size === 0) {
      this.#following?.dispose();
      this.#following = undefined;
      return;
    }
    if (this.#following === undefined) this.#begin().catch(this.#parts.onError);
    // Lines that were staged before the agent changed a file are not the person's answer to it.
    else if ([...paths].some((path) => !this.#known.has(path))) this.#take('note');
  }

  async #begin(): Promise<void> {
    const following = new Lifetime();
    this.#following = following;
    const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
    if (extension === undefined) return;
    const git = extension.isActive ? extension.exports : await extension.activate();
    const watch = (): void => {
      if (!git.enabled) return;
      const api = git.getAPI(1);
      const listen = ({ state }: GitRepository): void => {
        following.add(state.onDidChange(() => this.#soon()));
      };
      api.repositories.forEach(listen);
      following.add(
        api.onDidOpenRepository((repository) => {
          listen(repository);
          this.#take('note');
        }),
      );
      this.#take('note');
    };
    following.add(git.onDidChangeEnablement(watch));
    watch();
  }

  #repositories(): readonly GitRepository[] {
    const git = vscode.extensions.getExtension<GitExtension>('vscode.git');
    if (git?.isActive !== true || !git.exports.enabled) return [];
    return git.exports.getAPI(1).repositories;
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#take(this.#commands.running ? 'note' : 'keep');
    }, COLLECT_MS);
  }

  /**
   * Notes what was staged while commands ran. Nobody can tell the command's staging from the user's, so none of it
   * decides anything: the user stages again or keeps it.
   */
  #afterCommands(): void {
    if (this.#following === undefined) return;
    const roots = this.#repositories().filter(({ rootUri }) =>
      this.#pending.some(({ path }) => pathBelow(rootUri.fsPath, path) !== undefined),
    );
    this.#queue(async () => {
      for (const repository of roots) await repository.status();
      await this.#look('note');
    });
  }

  #take(purpose: 'note' | 'keep'): void {
    this.#queue(() => this.#look(purpose));
  }

  #queue(work: () => Promise<void>): void {
    const before = this.#turn;
    const mine = async (): Promise<void> => {
      await before;
      if (!this.#disposed) await work();
    };
    this.#turn = mine().catch(this.#parts.onError);
  }

  async #look(purpose: 'note' | 'keep'): Promise<void> {
    for (const { path } of this.#pending) {
      const repository = this.#repositoryOf(path);
      if (repository === undefined) continue;
      const now = await stagedIn(repository, path);
      const isNew = !this.#known.has(path);
      const before = this.#known.get(path);
      this.#known.set(path, now);
      if (purpose === 'note' || isNew || now === undefined || same(before, now)) continue;
      const review = this.#parts.reviews.find(path);
      if (review === undefined) continue;
      const choice = await choiceOf(repository, review, before, now);
      if (choice !== undefined) await this.#parts.reviews.decisions.keep({ path, choice });
    }
  }

  /** The innermost one. */
  #repositoryOf(path: string): GitRepository | undefined {
    return this.#repositories()
      .filter(({ rootUri }) => pathBelow(rootUri.fsPath, path) !== undefined)
      .toSorted((a, b) => b.rootUri.fsPath.length - a.rootUri.fsPath.length)[0];
  }
}

function same(before: Staged | undefined, now: Staged): boolean {
  if (before === undefined) return false;
  return (
    before.text === now.text &&
    before.deleted === now.deleted &&
    (now.text !== undefined || before.whole || !now.whole)
  );
}

/** `undefined`: nothing of the file is staged. */
async function stagedIn(repository: GitRepository, path: string): Promise<Staged | undefined> {
  const { state } = repository;
  const isAt = ({ uri, renameUri }: GitChange): boolean =>
    uri.fsPath === path || renameUri?.fsPath === path;
  const change = state.indexChanges.find(isAt);
  if (change === undefined) return undefined;
  const whole = !state.workingTreeChanges.some(isAt);
  const deleted = change.status === INDEX_DELETED;
  const text = deleted ? undefined : await repository.show('', path).catch(() => undefined);
  return { text: text?.includes('\0') === true ? undefined : text, deleted, whole };
}

async function choiceOf(
  repository: GitRepository,
  review: FileReview,
  before: Staged | undefined,
  now: Staged,
): Promise<Choice | undefined> {
  const { document, path } = review;
  if (document.kind === 'absent') return now.deleted ? 'all' : undefined;
  if (document.kind === 'binary') return now.text === undefined && now.whole ? 'all' : undefined;
  if (now.text === undefined) return undefined;
  const old = before?.text ?? (await repository.show('HEAD', path).catch(() => ''));
  return stagedHunks(review, old, now.text);
}
