/**
 * Texts whose lines say who wrote them: every line, and everything that is typed into one, has a tag of
 * which there is no other. `o`: there from the start; `p`: the person, or something that is not the
 * agent; `g`: the agent.
 */
type Hand = 'o' | 'p' | 'g';

/** A file as bytes, told apart without the code under test. */
export interface Form {
  readonly encoding: 'utf8' | 'utf16le' | 'utf16be';
  readonly bom: boolean;
  readonly end: '\n' | '\r\n';
}

export const PLAIN: Form = { encoding: 'utf8', bom: false, end: '\n' };

export interface Text {
  readonly lines: readonly string[];
  /** How each line ends; the last one not at all. */
  readonly ends: readonly string[];
  readonly form: Form;
}

export function tagsOf(text: string): readonly string[] {
  return text.match(/[opg]\d+;/gu) ?? [];
}

export function handOf(tag: string): Hand {
  return tag[0] as Hand;
}

export function decoded(bytes: Uint8Array): Text {
  const [form, text] = read(Buffer.from(bytes));
  const ends: readonly string[] = text.match(/\r?\n/gu) ?? [];
  return {
    lines: text.split(/\r?\n/u),
    ends: [...ends, ''],
    form: { ...form, end: ends.includes('\r\n') ? '\r\n' : '\n' },
  };
}

function read(bytes: Buffer): [Omit<Form, 'end'>, string] {
  const mark = bytes.toString('latin1', 0, 3);
  if (mark === '\u00ef\u00bb\u00bf')
    return [{ encoding: 'utf8', bom: true }, bytes.toString('utf8', 3)];
  if (mark.startsWith('\u00ff\u00fe'))
    return [{ encoding: 'utf16le', bom: true }, bytes.toString('utf16le', 2)];
  if (mark.startsWith('\u00fe\u00ff'))
    return [
      { encoding: 'utf16be', bom: true },
      Buffer.from(bytes.subarray(2)).swap16().toString('utf16le'),
    ];
  return [{ encoding: 'utf8', bom: false }, bytes.toString('utf8')];
}

export function encoded({ lines, ends, form }: Text): Uint8Array {
  const text = lines.map((line, index) => `${line}${ends[index] ?? ''}`).join('');
  const { encoding, bom } = form;
  const whole = bom ? `\ufeff${text}` : text;
  if (encoding === 'utf8') return Buffer.from(whole, 'utf8');
  const bytes = Buffer.from(whole, 'utf16le');
  return encoding === 'utf16le' ? bytes : bytes.swap16();
}

/** Lines become others, which end as the file's do; every other line keeps its end. */
export function spliced(
  text: Text,
  { from, to, lines }: { from: number; to: number; lines: readonly string[] },
): Text {
  const { end } = text.form;
  const all = text.lines.map((line, index) => ({ line, end: text.ends[index] ?? '' }));
  all.splice(from, to - from, ...lines.map((line) => ({ line, end })));
  if (all.length === 0) all.push({ line: '', end: '' });
  return {
    ...text,
    lines: all.map(({ line }) => line),
    ends: all.map((one, index) => (index === all.length - 1 ? '' : one.end || end)),
  };
}

/** What is beside the tag of a line: blank lines, brackets, characters of several units, much text. */
const BESIDE = ['', '', '\t', '👩‍👩‍👧 ', 'e\u0301', '𝒳', '  } ', '"', 'long '.repeat(400)];
/** Lines that are the same as others. */
const SAME = ['', '}', '  ', 'return 😀;', 'same'];

export class Tags {
  #count = 0;

  next(hand: Hand): string {
    return `${hand}${(this.#count += 1)};`;
  }

  /** Tagged lines, and now and then one that is the same as others. */
  lines(hand: Hand, count: number, flavour: number): string[] {
    return Array.from({ length: count }, (_, index) => {
      const kind = flavour + index * 7;
      const same = SAME[kind % 23];
      if (same !== undefined) return same;
      const [before, behind] = [BESIDE[kind % BESIDE.length], BESIDE[(kind >> 2) % 8]];
      return `${before}${this.next(hand)}${behind}`;
    });
  }
}
