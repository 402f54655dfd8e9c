import { inWords, joined, told } from '../../domain/text/told.ts';
import {
  bytesOf,
  PLAIN_FORMAT,
  type TextFile,
  requireKnownEncoding,
  textIn,
} from '../../core/files/text-file.ts';
import { LARGEST_TEXT, tooLarge } from '../../core/files/text-limits.ts';
import { lineChangesByTurns, splitLines } from '../../core/merge/line-changes.ts';
import type { PathGuard } from '../../core/permissions/path-guard.ts';
import { describePath } from '../../core/permissions/risks.ts';
import type { FileSystem } from '../../core/ports/files/file-system.ts';
import type { TextEncodings } from '../../core/ports/files/text-encodings.ts';
import type { Ids } from '../../core/ports/ids.ts';
import { fault } from '../../domain/failure.ts';
import { resolvePath } from '../../domain/paths.ts';
import { applyHunks } from '../../tools/patch/apply-hunks.ts';
import { type FileChange, PatchProblem } from '../../tools/patch/patch.ts';
import { readPatch } from '../../tools/patch/read-patch.ts';
import { absolutePath, shownPath } from '../../tools/workspace-path.ts';
import { type CodeBlock, codePaths, leavesOut } from './code-target.ts';

/** A code block of an answer that is to become a pending change. */
export interface AppliedBlock extends CodeBlock {
  readonly sessionId: string;
  /** The person's message that is answered; empty: not known. */
  readonly messageId: string;
}

/** A replacement that is not clear from the block alone. */
export interface UnclearReplacement {
  readonly shown: string;
  /** Lines that the file has. */
  readonly lines: number;
  /** Lines that the block has. */
  readonly blockLines: number;
  /** The block says itself that it is not the whole file. */
  readonly leavesOut: boolean;
}

/** The person, where a block does not say enough; `undefined`: they give up. */
export interface ApplyPerson {
  /** @param likely paths as they were named, the likeliest first */
  chooseFile(likely: readonly string[]): Promise<string | undefined>;
  confirmReplace(unclear: UnclearReplacement): Promise<'replace' | 'other' | undefined>;
  /** Asks before a protected file is changed, which other programs run or obey. */
  confirmProtected(shown: string, why: string): Promise<boolean>;
  /** Shows what was changed. */
  show(path: string): Promise<void>;
}

export interface ApplyParts {
  /** As agents have them: what is written with an origin is a pending change. */
  readonly files: FileSystem;
  readonly encodings?: TextEncodings | undefined;
  readonly guard: Pick<PathGuard, 'judge'>;
  readonly roots: () => readonly string[];
  readonly ids: Pick<Ids, 'next'>;
  readonly person: ApplyPerson;
}

interface Present extends TextFile {
  readonly bytes: Uint8Array;
}

interface Target {
  /** Absolute, without links, as it was judged. */
  readonly real: string;
  readonly shown: string;
  /** Absent: a new file. */
  readonly present?: Present;
}

/** The share of a file's lines that a block must have to be taken for all of it. */
const WHOLE = 0.5;

/** Applies code blocks: they are written at once, and pending as edits of the agent are. */
export class CodeApplier {
  readonly #parts: ApplyParts;

  constructor(parts: ApplyParts) {
    this.#parts = parts;
  }

  /** @throws BelayError with the reason for what cannot be applied; nothing is changed then */
  async apply(block: AppliedBlock): Promise<void> {
    const isDiff = /^(?:diff|patch|udiff)\b/iu.test(block.info);
    await (isDiff ? this.#applyDiff(block) : this.#applyWhole(block));
  }

  async #applyWhole(block: AppliedBlock): Promise<void> {
    const { person } = this.#parts;
    const { label, near, named } = codePaths(block);
    let path = await this.#pathOf(block);
    while (path !== undefined) {
      const target = await this.#target(path, block.text);
      if (target === undefined) return;
      const text = contentOf(block.text, label, target.present?.text);
      const unclear = await unclearReplacement(target, text);
      const answer = unclear === undefined ? 'replace' : await person.confirmReplace(unclear);
      if (answer === undefined) return;
      if (answer === 'replace') {
        await this.#write(target, text, block);
        await person.show(target.real);
        return;
      }
      path = await person.chooseFile([...(named === undefined ? [] : [named]), ...near]);
    }
  }

  /** A diff changes the files that it names, or the one that stands before it. */
  async #applyDiff(block: AppliedBlock): Promise<void> {
    const changes = changesOf(block.text) ?? (await this.#changesOfNamed(block));
    if (changes === undefined) return;
    const done: { readonly target: Target; readonly text: string }[] = [];
    for (const change of changes) {
      if (change.kind === 'delete' || (change.kind === 'update' && change.moveTo !== undefined))
        throw fault(
          'invalid',
          told`The diff deletes or renames ${change.path}, which a block cannot do. Nothing was changed.`,
        );
      const target = await this.#target(await this.#found(change.path), block.text);
      if (target === undefined) return;
      done.push({ target, text: textAfter(change, target) });
    }
    for (const { target, text } of done) await this.#write(target, text, block);
    const [first] = done;
    if (first !== undefined) await this.#parts.person.show(first.target.real);
  }

  /** Hunks without the name of a file. */
  async #changesOfNamed(block: AppliedBlock): Promise<readonly FileChange[] | undefined> {
    const path = await this.#pathOf(block);
    if (path === undefined) return undefined;
    const changes = changesOf(`--- a/file\n+++ b/file\n${block.text}`);
    if (changes?.length !== 1)
      throw fault('invalid', told`The diff cannot be read. Nothing was changed.`);
    return changes.map((change) => ({ ...change, path }));
  }

  /** The path that a block is about, as it was named or chosen. */
  async #pathOf(block: AppliedBlock): Promise<string | undefined> {
    const { named, near } = codePaths(block);
    if (named !== undefined) return this.#found(named);
    for (const path of near) {
      const found = await this.#found(path).catch(() => undefined);
      if (found !== undefined && (await this.#exists(found))) return found;
    }
    const [nearest] = near;
    // "Create src/new.ts:"
    const isLast =
      nearest !== undefined &&
      block.before
        .trimEnd()
        .replace(/[\s:.)]+$/u, '')
        .endsWith(nearest);
    return isLast ? nearest : this.#parts.person.chooseFile(near);
  }

  /** The path in the folder of the workspace that has such a file, else in the first. */
  async #found(path: string): Promise<string> {
    const roots = this.#parts.roots();
    for (const root of roots) {
      const one = resolvePath(root, path);
      if (await this.#exists(one)) return one;
    }
    return absolutePath(path, roots);
  }

  async #exists(path: string): Promise<boolean> {
    const { place, real } = await this.#judge(path, '');
    if (place !== 'inside' && place !== 'config') return false;
    return (await this.#parts.files.stat(real))?.type === 'file';
  }

  async #judge(path: string, text: string) {
    const { guard, roots } = this.#parts;
    return guard.judge({ path, access: 'write', text }, roots());
  }

  /** `undefined`: the user does not want the file to be changed. */
  async #target(path: string, text: string): Promise<Target | undefined> {
    const { files, roots, person } = this.#parts;
    const absolute = absolutePath(path, roots());
    const shown = shownPath(absolute, roots());
    const judged = await this.#judge(absolute, text);
    const { place, real } = judged;
    if (place !== 'inside' && place !== 'config') {
      const message = told`The block was not applied to ${shown}. ${describePath(judged)}`;
      throw fault('permission', message);
    }
    const isProtected = place === 'config';
    if (isProtected && !(await person.confirmProtected(shown, inWords(describePath(judged)))))
      return undefined;
    const stat = await files.stat(real);
    if (stat === undefined) return { real, shown };
    if (stat.type !== 'file' || stat.readOnly || stat.size > LARGEST_TEXT * 2) {
      const message =
        stat.type === 'file'
          ? stat.readOnly
            ? told`${shown} is read-only. Nothing was changed.`
            : told`${shown} is too large. Nothing was changed.`
          : told`${shown} is no file. Nothing was changed.`;
      throw fault('invalid', message);
    }
    const bytes = await files.read(real, LARGEST_TEXT * 2);
    const decoded = await textIn(this.#parts, real, bytes);
    if (decoded === undefined)
      throw fault('invalid', told`${shown} is a binary file. Nothing was changed.`);
    requireKnownEncoding(decoded, shown);
    return { real, shown, present: { ...decoded, bytes } };
  }

  async #write(
    { real, shown, present }: Target,
    text: string,
    { sessionId, messageId }: AppliedBlock,
  ): Promise<void> {
    const { files, ids } = this.#parts;
    const after =
      present?.text.includes('\r\n') === true ? text.replaceAll(/\r?\n/gu, '\r\n') : text;
    if (present?.text === after)
      throw fault('invalid', told`${shown} has this content already. Nothing was changed.`);
    const large = tooLarge(after, 'is');
    if (large !== undefined) throw fault('invalid', told`The block ${large}. Nothing was changed.`);
    const bytes = await bytesOf(this.#parts, after, present?.format ?? PLAIN_FORMAT);
    if (bytes === undefined)
      throw fault('invalid', told`The encoding of ${shown} lacks a character of the block.`);
    const callId = ids.next('call');
    await files.write(real, bytes, {
      replaces: present?.bytes ?? 'nothing',
      origin: { sessionId, messageId, callId, tool: 'write_file', how: 'write' },
    });
  }
}

/** The content of the file: without a first line that only names it, and with an end of its last line. */
function contentOf(text: string, label: boolean, before: string | undefined): string {
  const [first = '', ...rest] = text.split('\n');
  const isLabel = label && before?.startsWith(first) !== true;
  const body = isLabel ? rest.join('\n').replace(/^\n/u, '') : text;
  return body === '' || body.endsWith('\n') ? body : `${body}\n`;
}

/** `undefined`: it is a new file, or the block has most of the file's lines and leaves none out. */
async function unclearReplacement(
  { present, shown }: Target,
  text: string,
): Promise<UnclearReplacement | undefined> {
  if (present === undefined || present.text.trim() === '') return undefined;
  const left = splitLines(present.text.replaceAll('\r\n', '\n'));
  const right = splitLines(text);
  const isPart = leavesOut(text) && !leavesOut(present.text);
  const removed = (await lineChangesByTurns(left, right)).reduce(
    (sum, { from, to }) => sum + (to - from),
    0,
  );
  if (!isPart && left.length - removed >= left.length * WHOLE) return undefined;
  return { shown, lines: left.length, blockLines: right.length, leavesOut: isPart };
}

/** `undefined`: the text names no file, or is no diff. */
function changesOf(text: string): readonly FileChange[] | undefined {
  try {
    return readPatch(text);
  } catch (thrown) {
    if (thrown instanceof PatchProblem) return undefined;
    throw thrown;
  }
}

function textAfter(
  change: Exclude<FileChange, { readonly kind: 'delete' }>,
  { present, shown }: Target,
): string {
  if (change.kind === 'add') {
    if (present === undefined) return change.text;
    throw fault(
      'invalid',
      told`The diff makes ${shown}, which is there already. Nothing was changed.`,
    );
  }
  if (present === undefined)
    throw fault(
      'not_found',
      told`The diff changes ${shown}, which is not there. Nothing was changed.`,
    );
  const { text, problems } = applyHunks(present.text, change.hunks);
  if (problems.length === 0) return text;
  throw fault(
    'invalid',
    told`The diff does not fit ${shown}: ${joined(problems, ' ')} Nothing was changed.`,
  );
}
