import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { maskForModel } from '../../../src/core/secrets/secret-forms.ts';
import { HIDDEN, SecretBook } from '../../../src/core/secrets/secret-book.ts';
import { cleanByTurns, cleanText } from '../../../src/domain/text/honest-text.ts';
import { readableProblem, repaired } from '../../../src/tools/argument-problems.ts';
import { longestBlock } from '../../bench/tools/longest-block.ts';
import { unitOfWork } from './hostile-texts.ts';
import { callOf, LONG_INPUTS, LONG_TEXTS, TAKES_TEXT } from './long-texts.ts';

const MOST = Math.max(60, 6 * unitOfWork());

/** The best of three: the garbage of the tests before is none of its work. */
async function stands(work: () => Promise<unknown>): Promise<void> {
  let least = Infinity;
  for (let time = 0; time < 3 && least > MOST; time += 1)
    least = Math.min(least, await longestBlock(work));
  assert.ok(least <= MOST, `${Math.round(least)} ms of at most ${Math.round(MOST)}`);
}

describe('nothing blocks the host: 1 MB of', function () {
  this.timeout(240_000);

  for (const [what, text] of Object.entries(LONG_TEXTS))
    for (const [how, work] of Object.entries(TAKES_TEXT))
      it(`${what}, ${how}`, () => stands(() => work(text(1_000_000))));
});

describe('an input that a model wrote, of 5 MB', function () {
  this.timeout(120_000);

  for (const [what, json] of Object.entries(LONG_INPUTS))
    it(`of ${what} is read at once, or not`, () => {
      const text = json();
      return stands(async () => Promise.resolve(callOf(text)));
    });

  it('says why it is not read', () => {
    const problem = (name: string): string | undefined => {
      const part = callOf(LONG_INPUTS[name]?.() ?? '');
      return part.type === 'tool_call' ? part.invalid?.problem : undefined;
    };
    assert.match(problem('lists') ?? '', /^The input is nested more than 200 deep\. /u);
    assert.match(problem('numbers') ?? '', /^The input has more than 200000 texts, commas /u);
    assert.equal(problem('lines of code'), undefined);
    assert.equal(problem('backslashes'), undefined);
  });

  it('with quotes and brackets in its texts is read as it is', () => {
    const input = { a: '[{"\\', b: ['\\"', '"]]', { c: '\\\\' }] };
    const part = callOf(JSON.stringify(input));
    assert.deepEqual(part.type === 'tool_call' ? part.input : undefined, input);
  });

  it('with thousands of mistakes is refused with the first ten of them', () => {
    const schema = z.strictObject({ list: z.array(z.string()) });
    const input = { list: Array.from({ length: 20_000 }, (_, index) => index) };
    const { error } = schema.safeParse(input, { reportInput: true });
    const issues = error?.issues ?? [];
    assert.equal(repaired(input, issues), input);
    const said = readableProblem(issues, schema);
    assert.match(said, /^"list\[0\]" must be a string\./u);
    assert.match(said, /There are 19990 more such points\.$/u);
    assert.ok(said.length < 1000);
  });
});

describe('a long text in pieces is what it is as a whole', function () {
  this.timeout(120_000);

  let seed = 11;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    return (seed >> 8) % below;
  };
  const mixed = (pieces: readonly string[], size: number): string => {
    const made: string[] = [];
    for (let length = 0; length < size; length += made.at(-1)?.length ?? 1)
      made.push(pieces[random(pieces.length)] ?? '');
    return made.join('');
  };

  it('when it is cleaned', async () => {
    const pieces = [
      'a\u200d',
      '\u001b[31;1m',
      '\r\n',
      '\r',
      '👩\u200d💻',
      '\u{e0041}\u{e0042}',
      '\u202e',
    ];
    pieces.push(
      '\u001b]8;;http://a.b\u0007',
      'نامه\u200cها',
      'words and ',
      '\ud800',
      '🏴\u{e0067}\u{e0062}',
    );
    for (let round = 0; round < 3; round += 1) {
      const text = mixed(pieces, 200_000);
      assert.equal(await cleanByTurns(text), cleanText(text));
    }
  });

  it('when its secrets are hidden', async () => {
    const pieces = [
      'token=abc123def456;',
      'ghp_abcdefgh12345678 ',
      'postgres://u:pass1word@host/',
      'x ',
    ];
    pieces.push('"password": "two words 12", ', 'login me password sesame12 ', 'QUJDREVGR0hJSktM');
    for (let round = 0; round < 2; round += 1) {
      const text = mixed(pieces, 300_000);
      assert.equal(await new SecretBook().maskByTurns(text), maskForModel(text, HIDDEN));
    }
  });
});
