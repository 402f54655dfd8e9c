import { parse } from 'unbash';
import type {
  AndOr,
  Command,
  CommandNode,
  Pipeline,
  PipelineNode,
  Redirection,
  Statement,
  Subshell,
  Word,
} from 'unbash';
import { type ShellWord, UnclearSyntax, parseWord } from './shell-word.ts';

/**
 * The part of the shell's language that the judge understands: simple commands, joined by pipes, `&&`, `||`, `;`
 * and line ends, and such a list in parentheses. Everything else (loops, branches, substitutions, variables,
 * functions, jobs …) requires approval.
 */
export type ShellNode =
  | ShellCommand
  | { readonly kind: 'pipeline'; readonly nodes: readonly ShellNode[] }
  /** Behind `!` or `time`. */
  | { readonly kind: 'prefixed'; readonly node: ShellNode }
  | {
      readonly kind: 'list';
      readonly nodes: readonly ShellNode[];
      /** `operators[i]` is between `nodes[i]` and `nodes[i + 1]`. */
      readonly operators: readonly ('&&' | '||' | ';')[];
    }
  | { readonly kind: 'subshell'; readonly body: ShellNode };

export interface ShellCommand {
  readonly kind: 'command';
  /** As it is written. */
  readonly text: string;
  readonly words: readonly ShellWord[];
  readonly assignments: readonly { readonly name: string; readonly value: ShellWord }[];
  readonly redirects: readonly ShellRedirect[];
  /** It is given something to read: a file, or a text of the line. */
  readonly fed: boolean;
}

export interface ShellRedirect {
  readonly text: string;
  readonly access: 'read' | 'write';
  readonly target: ShellWord;
}

/** Controls but tab and line feed, format characters, blanks that are none to the shell. */
const HIDDEN = /(?![\t\n ])[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Longer commands are read by people, not judged. */
const LONGEST = 10_000;

/** Parses a command line as a POSIX shell and bash do. Returns undefined if not all of it is understood. */
export function parseShell(source: string): ShellNode | undefined {
  if (source.length > LONGEST || HIDDEN.test(source) || !source.isWellFormed()) return undefined;
  try {
    return new Reader(source).read();
  } catch {
    // The parser of foreign text may fail in ways of its own, too.
    return undefined;
  }
}

class Reader {
  readonly #source: string;
  /** Spans that have been understood, for the check that nothing was skipped. */
  readonly #spans: (readonly [number, number])[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  read(): ShellNode {
    const script = parse(this.#source);
    const { errors = [], shebang, commands } = script;
    if (errors.length > 0 || shebang !== undefined || commands.length === 0)
      throw new UnclearSyntax();
    const node = this.#statements(commands);
    this.#requireEverythingRead();
    return node;
  }

  #statements(statements: readonly Statement[]): ShellNode {
    const nodes = statements.map(({ command, background }) => {
      if (background === true) throw new UnclearSyntax();
      return this.#joined(command);
    });
    return listOf(
      nodes,
      nodes.slice(1).map(() => ';' as const),
    );
  }

  #joined(node: PipelineNode | AndOr): ShellNode {
    if (node.type !== 'AndOr') return this.#pipeline(node);
    return listOf(
      node.commands.map((command) => this.#pipeline(command)),
      node.operators,
    );
  }

  #pipeline(node: PipelineNode): ShellNode {
    if (node.type !== 'Pipeline') return this.#command(node);
    this.#prefixes(node);
    const nodes = node.commands.map((command) => this.#command(command));
    const [only] = nodes;
    if (only === undefined) throw new UnclearSyntax();
    const inner: ShellNode = nodes.length === 1 ? only : { kind: 'pipeline', nodes };
    return node.prefixes.length > 0 ? { kind: 'prefixed', node: inner } : inner;
  }

  #prefixes({ prefixes }: Pipeline): void {
    for (const prefix of prefixes) this.#spans.push([prefix.pos, prefix.end]);
  }

  #command(node: CommandNode): ShellNode {
    switch (node.type) {
      case 'Command':
        return this.#simple(node);
      case 'Subshell':
        return this.#subshell(node);
      default:
        throw new UnclearSyntax();
    }
  }

  #subshell({ body, pos, end }: Subshell): ShellNode {
    if (this.#source[pos] !== '(' || this.#source[end - 1] !== ')') throw new UnclearSyntax();
    this.#spans.push([pos, pos + 1], [end - 1, end]);
    return { kind: 'subshell', body: this.#statements(body.commands) };
  }

  #simple(node: Command): ShellCommand {
    if (node.end === node.pos) throw new UnclearSyntax();
    const redirects: ShellRedirect[] = [];
    const words = node.name === undefined ? [] : [this.#word(node.name)];
    const assignments: { name: string; value: ShellWord }[] = [];
    for (const one of node.prefix) {
      if (one.type !== 'Assignment') {
        redirects.push(...this.#redirect(one));
        continue;
      }
      if (one.append === true || one.index !== undefined || one.value.type !== 'Word')
        throw new UnclearSyntax();
      this.#spans.push([one.pos, one.end]);
      assignments.push({ name: one.name, value: this.#word(one.value) });
    }
    for (const one of node.suffix) {
      if (one.type === 'Word') words.push(this.#word(one));
      else if (one.type === 'Assignment') throw new UnclearSyntax();
      else redirects.push(...this.#redirect(one));
    }
    const text = this.#source.slice(node.pos, node.end);
    const fed = [...node.prefix, ...node.suffix].some(feeds);
    return { kind: 'command', text, words, assignments, redirects, fed };
  }

  #word(word: Word): ShellWord {
    this.#spans.push([word.pos, word.end]);
    return parseWord(word);
  }

  /** Returns no redirection for one that only joins two open files, or that feeds a text of the line. */
  #redirect(node: Redirection): readonly ShellRedirect[] {
    if (node.descriptor?.type === 'FileDescriptorVariable') throw new UnclearSyntax();
    this.#spans.push([node.pos, node.end]);
    if (node.type === 'HereDoc') {
      const { body, closing } = node;
      if (closing === undefined) throw new UnclearSyntax();
      const literal =
        body.parts === undefined || body.parts.every((part) => part.type === 'Literal');
      if (node.delimiter?.quoted !== true && (!literal || /[$`]/u.test(body.text)))
        throw new UnclearSyntax();
      this.#spans.push([body.pos, closing.end]);
      return [];
    }
    if (node.target === undefined) throw new UnclearSyntax();
    const target = this.#word(node.target);
    const joins = node.operator === '>&' || node.operator === '<&';
    // A number before another redirection belongs to that one.
    if (!joins && /^\d+$/u.test(target.text)) throw new UnclearSyntax();
    if (node.type === 'HereString') return [];
    const text = this.#source.slice(node.pos, node.end);
    switch (node.operator) {
      case '<':
        return [{ text, access: 'read', target }];
      case '>&':
      case '<&':
        if (/^(?:\d{1,3}|-)$/u.test(target.value) && target.text === target.value) return [];
        if (node.operator === '<&') throw new UnclearSyntax();
        return [{ text, access: 'write', target }];
      case '<>':
        return [
          { text, access: 'read', target },
          { text, access: 'write', target },
        ];
      case '>':
      case '>>':
      case '>|':
      case '&>':
      case '&>>':
        return [{ text, access: 'write', target }];
      default:
        throw new UnclearSyntax();
    }
  }

  /** Text between what was read must be blanks, separators and comments. */
  #requireEverythingRead(): void {
    let at = 0;
    for (const [from, to] of this.#spans.toSorted((left, right) => left[0] - right[0])) {
      if (from > at && !isBetween(this.#source.slice(at, from))) throw new UnclearSyntax();
      at = Math.max(at, to);
    }
    if (!isBetween(this.#source.slice(at))) throw new UnclearSyntax();
  }
}

function feeds({ type, operator }: { readonly type: string; readonly operator?: string }): boolean {
  return type === 'HereDoc' || operator?.startsWith('<') === true;
}

const BETWEEN = /[ \t\n;]+|\\\n|&&|\|[|&]?|(?<=[\s;(){}|&]|^)#[^\n]*/uy;

/** Checks for blanks, continued lines, separators, pipes and comments only; a single `&` is none of these. */
function isBetween(text: string): boolean {
  // One piece after the other: a repetition of all of them would try each run of bars in every way.
  BETWEEN.lastIndex = 0;
  while (BETWEEN.lastIndex < text.length) if (!BETWEEN.test(text)) return false;
  return true;
}

function listOf(nodes: readonly ShellNode[], operators: readonly ('&&' | '||' | ';')[]): ShellNode {
  const [only] = nodes;
  return nodes.length === 1 && only !== undefined ? only : { kind: 'list', nodes, operators };
}
