import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { throwIfAborted } from '../../src/domain/lifetime/abort.ts';
import type {
  ActionRequest,
  CodeAction,
  Declaration,
  FileChange,
  Language,
  Place,
  Problem,
  ProblemReport,
  ProblemRequest,
  Related,
  Relation,
} from '../../src/core/ports/editor/language.ts';
import { BelayError } from '../../src/domain/failure.ts';

const DECLARED = /^(?:export )?(function|const|interface|class) ([\p{L}\p{N}_$]+)/u;
const CALL = /(?<![.\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]*)\(/gu;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

interface Line {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/**
 * A language server for the plainest TypeScript: a name means the same in every file, declarations begin
 * their line. It reads the folder anew at each question, and passes the contract of the real one.
 */
export class FakeLanguage implements Language {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async problems({ paths }: ProblemRequest, signal: AbortSignal): Promise<ProblemReport> {
    throwIfAborted(signal);
    for (const file of paths ?? []) requireFile(file);
    const asked = paths ?? this.#files();
    const served = asked.filter((file) => file.endsWith('.ts'));
    return {
      problems: served.flatMap((file) => this.#problemsOf(file)),
      unanswered: asked.filter((file) => !file.endsWith('.ts')),
    };
  }

  async outline(file: string, signal: AbortSignal): Promise<readonly Declaration[]> {
    throwIfAborted(signal);
    requireFile(file);
    return file.endsWith('.ts') ? declarationsIn(file) : [];
  }

  async symbols(query: string, signal: AbortSignal): Promise<readonly Declaration[]> {
    throwIfAborted(signal);
    return this.#declarations().filter(({ name }) => name.includes(query));
  }

  async related(
    relation: Relation,
    place: Place,
    signal: AbortSignal,
  ): Promise<readonly Related[]> {
    throwIfAborted(signal);
    requireFile(place.path);
    const name = place.path.endsWith('.ts') ? wordAt(place) : undefined;
    const declared = this.#declarations().filter((one) => one.name === name);
    if (name === undefined || declared.length === 0) return [];
    switch (relation) {
      case 'definition':
      case 'type_definition':
      case 'implementations':
        return declared.map(placeOf);
      case 'references':
        return this.#lines().flatMap((line) => occurrences(line, name));
      case 'callers':
        return this.#lines()
          .filter(({ text }) => !DECLARED.test(text))
          .flatMap((line) => callsIn(line).filter((call) => call.name === name))
          .flatMap((call) => {
            const caller = declarationsIn(call.path).findLast((one) => one.line < call.line);
            return caller === undefined ? [] : [{ ...call, name: caller.name }];
          });
      case 'callees':
        return linesOf(place.path)
          .filter(({ line, text }) => line > place.line && !DECLARED.test(text))
          .flatMap(callsIn)
          .flatMap((call) => this.#declarations().filter((one) => one.name === call.name))
          .map((one) => ({ ...placeOf(one), name: one.name }));
      default:
        return relation satisfies never;
    }
  }

  async hover(place: Place, signal: AbortSignal): Promise<string> {
    throwIfAborted(signal);
    requireFile(place.path);
    const name = wordAt(place);
    const [declared] = this.#declarations().filter((one) => one.name === name);
    if (declared === undefined) return '';
    const lines = linesOf(declared.path);
    const text = lines[declared.line - 1]?.text ?? '';
    const comment = /^\/\*\* (.*) \*\/$/u.exec(lines[declared.line - 2]?.text ?? '')?.[1];
    return `${text.replace(/^export |\s*\{$/gu, '')}\n${comment ?? ''}`;
  }

  async rename(place: Place, newName: string, signal: AbortSignal): Promise<readonly FileChange[]> {
    throwIfAborted(signal);
    requireFile(place.path);
    if (!place.path.endsWith('.ts')) return [];
    const name = wordAt(place);
    if (name === undefined || !this.#declarations().some((one) => one.name === name))
      throw new BelayError({ code: 'invalid', message: 'You cannot rename this element.' });
    const found = this.#lines().flatMap((line) => occurrences(line, name));
    return [...new Set(found.map((one) => one.path))].map((file) => ({
      path: file,
      edits: found
        .filter((one) => one.path === file)
        .map(({ line, column }) => ({
          line,
          column,
          endLine: line,
          endColumn: column + name.length,
          text: newName,
        })),
    }));
  }

  async actions(request: ActionRequest, signal: AbortSignal): Promise<readonly CodeAction[]> {
    throwIfAborted(signal);
    requireFile(request.path);
    if (!request.path.endsWith('.ts')) return [];
    const kind = request.kind ?? '';
    const offered: CodeAction[] = [
      {
        title: 'Organize Imports',
        kind: 'source.organizeImports',
        preferred: false,
        changes: organized(request.path),
      },
      {
        title: 'Ask the assistant',
        kind: 'refactor.rewrite',
        preferred: false,
        command: 'assistant.ask',
      },
      {
        title: 'Extract function',
        kind: 'refactor.extract',
        preferred: false,
        disabled: 'select a statement',
      },
      {
        title: 'Number the needle',
        kind: 'refactor.rewrite',
        preferred: false,
        changes: numbered(request.path),
      },
      ...this.#problemsOf(request.path)
        .filter(
          ({ code, line }) => code === '2304' && line >= request.line && line <= request.endLine,
        )
        .map(({ message }) => fixOf(request.path, /'(.*)'/u.exec(message)?.[1] ?? '')),
    ];
    return offered.filter((one) => one.kind.startsWith(kind) && one.changes?.length !== 0);
  }

  async served(file: string): Promise<{ readonly language: string; readonly served: boolean }> {
    const served = file.endsWith('.ts');
    return { language: served ? 'typescript' : 'plaintext', served };
  }

  #files(): readonly string[] {
    return globSync(['**/*.ts', '.vscode/*.ts'], { cwd: this.#folder })
      .toSorted()
      .map((file) => path.join(this.#folder, file));
  }

  #lines(): readonly Line[] {
    return this.#files().flatMap(linesOf);
  }

  #declarations(): readonly Declaration[] {
    return this.#files().flatMap(declarationsIn);
  }

  #problemsOf(file: string): readonly Problem[] {
    const known = new Set(this.#importedOrDeclared(file));
    const base = { path: file, severity: 'error', source: 'ts' } as const;
    return linesOf(file).flatMap((line): readonly Problem[] => {
      const text = line.text.indexOf("return '");
      const wrong = {
        ...base,
        line: line.line,
        column: text + 1,
        code: '2322',
        message: 'Type string is not assignable to type number.',
      };
      const unknown = callsIn(line)
        .filter(({ name }) => !known.has(name) && name !== 'function')
        .map(({ name, column }) => ({
          ...base,
          line: line.line,
          column,
          code: '2304',
          message: `Cannot find name '${name}'.`,
        }));
      return [...(text === -1 ? [] : [wrong]), ...unknown];
    });
  }

  #importedOrDeclared(file: string): readonly string[] {
    const imported = linesOf(file).flatMap(({ text }) => importedBy(text));
    return [...declarationsIn(file).map(({ name }) => name), ...imported];
  }
}

function requireFile(file: string): void {
  if (existsSync(file)) return;
  throw new BelayError({ code: 'not_found', message: `${file} does not exist.` });
}

function linesOf(file: string): readonly Line[] {
  const lines = readFileSync(file, 'utf8').split(/\r\n|\r|\n/u);
  return lines.map((text, index) => ({ path: file, line: index + 1, text }));
}

function declarationsIn(file: string): readonly Declaration[] {
  let container = '';
  return linesOf(file).flatMap(({ line, text }): readonly Declaration[] => {
    const [, kind, name] = DECLARED.exec(text) ?? [];
    if (kind !== undefined && name !== undefined) {
      container = kind === 'interface' ? name : '';
      return [
        { path: file, line, column: text.indexOf(name) + 1, name, kind, container: '', depth: 0 },
      ];
    }
    const member = container === '' ? undefined : /^ {2}([\p{L}\p{N}_$]+):/u.exec(text)?.[1];
    return member === undefined
      ? []
      : [{ path: file, line, column: 3, name: member, kind: 'property', container, depth: 1 }];
  });
}

function wordAt({ path: file, line, column }: Place): string | undefined {
  const text = linesOf(file)[line - 1]?.text ?? '';
  return [...text.matchAll(WORD)].find(
    (word) => word.index < column && column <= word.index + word[0].length + 1,
  )?.[0];
}

function occurrences({ path: file, line, text }: Line, name: string): readonly Related[] {
  if (text.startsWith('/**')) return [];
  return [...text.matchAll(WORD)]
    .filter(([word]) => word === name)
    .map(({ index }) => ({ path: file, line, column: index + 1 }));
}

function callsIn({ path: file, line, text }: Line): readonly (Place & { readonly name: string })[] {
  return [...text.matchAll(CALL)].map(({ index, 1: name = '' }) => ({
    path: file,
    line,
    column: index + 1,
    name,
  }));
}

function placeOf({ path: file, line, column }: Declaration): Place {
  return { path: file, line, column };
}

function importedBy(text: string): readonly string[] {
  const names = /^import (?:type )?\{ (.*) \} from/u.exec(text)?.[1]?.split(', ') ?? [];
  return names.map((name) => name.replace(/^.* as /u, ''));
}

/** Imports of which nothing is used go. */
function organized(file: string): readonly FileChange[] {
  const lines = linesOf(file);
  const edits = lines
    .filter(({ text }) => {
      const names = importedBy(text);
      const used = (name: string) =>
        lines.some((one) => !one.text.startsWith('import') && one.text.includes(name));
      return names.length > 0 && !names.some(used);
    })
    .map(({ line }) => ({ line, column: 1, endLine: line + 1, endColumn: 1, text: '' }));
  return edits.length === 0 ? [] : [{ path: file, edits }];
}

function fixOf(file: string, name: string): CodeAction {
  const text = `import { ${name} } from './user.js';\n`;
  const edits = [{ line: 1, column: 1, endLine: 1, endColumn: 1, text }];
  return {
    title: `Add import from "./user.js"`,
    kind: 'quickfix',
    preferred: true,
    changes: [{ path: file, edits }],
  };
}

/** Something to apply where `const … = 1` stands. */
function numbered(file: string): readonly FileChange[] {
  return linesOf(file)
    .filter(({ text }) => text.endsWith(' = 1;'))
    .slice(0, 1)
    .map(({ line, text }) => ({
      path: file,
      edits: [{ line, column: text.length - 1, endLine: line, endColumn: text.length, text: '2' }],
    }));
}
