import assert from 'node:assert/strict';
import { promptIn, saysReady } from '../../src/core/background/ready-line.ts';
import { parseSummary } from '../../src/core/context/compaction/summary-text.ts';
import { firstWords } from '../../src/core/context/title.ts';
import { decisionsIn } from '../../src/core/run/model-notices.ts';
import { parseShell } from '../../src/core/permissions/command/shell/shell-syntax.ts';
import { isSecretFile } from '../../src/core/permissions/secret-files.ts';
import { isCodeByRole } from '../../src/core/permissions/code-by-role.ts';
import { plainHost } from '../../src/core/permissions/network/network-address.ts';
import { plainName } from '../../src/core/permissions/plain-name.ts';
import { maskForModel, secretsIn } from '../../src/core/secrets/secret-forms.ts';
import { cleanText } from '../../src/domain/text/honest-text.ts';
import { readChangeComment } from '../../src/domain/review/change-comment.ts';
import { realTarget } from '../../src/domain/text/shown-link.ts';
import { commandEnvironment } from '../../src/hosts/node/processes/command-environment.ts';
import { toolName } from '../../src/mcp/tools/tool-name.ts';
import { addressOf } from '../../src/providers/anthropic/address.ts';
import { shownOutput } from '../../src/tools/commands/command-text.ts';
import { readUnifiedDiff } from '../../src/tools/patch/unified-diff.ts';
import { readSummary } from '../../src/tools/run-tests/test-summary.ts';
import { readFrontMatter } from '../../src/core/customizations/front-matter.ts';
import { readableText } from '../../src/domain/text/readable-text.ts';
import { leavesOut } from '../../src/panel/code/code-target.ts';
import { readJUnit } from '../../src/tools/run-tests/junit.ts';
import { decoded } from '../../src/hosts/node/web/page-text.ts';

/** Characters of the smaller of the two texts that are compared. */
const SIZE = 50_000;
/** Twice the text may take three times as long: it would be four if time grew with the square. */
const GROWTH = 3;
/** Characters of a file's name: no file system takes more. */
const LONGEST_NAME = 255;
/** In milliseconds; below it a ratio says nothing. */
const NOTICEABLE = 500;

type Reads = (text: string) => unknown;

/** Who takes text of a model, a repository, a web page or a program, with the pieces that are worst for it. */
const READERS: Readonly<Record<string, readonly [reads: Reads, pieces: readonly string[]]>> = {
  'a command': [parseShell, ['|', '||', ';|&', '\\\n', 'if ', '{', '#|']],
  'the name of a file': [plainName, [':', '. ', '.']],
  'the role of a file': [isCodeByRole, ['.config', '.a', '.travis.', 'mise.', '.arc.']],
  'the names of files': [
    (text) =>
      ['', 'tsconfig', 'jsconfig_', '.markdownlint', 'a-20240101'].map((begin) => {
        const name = `${(begin + text).slice(0, LONGEST_NAME - 1)}n`;
        return [isCodeByRole(name), isSecretFile(`/w/${name}`)];
      }),
    ['-s', '_s', '.config', '0', '02020022_', '-20240101', '.bak', ' (copy)', '.tar'],
  ],
  'the head of a skill': [
    (text) => readFrontMatter(`---\na:${text.replace('\n', '\u2028')}\n---\n`),
    ['\t', ' - ', "'", '"a",'],
  ],
  'an answer as it reads': [readableText, ['\t', '`', '|---', '\t|---', '*', '[', '[](', '> ']],
  'a block of code': [leavesOut, ['\t', '\n', ' \n', '// ', '...']],
  'a host': [plainHost, ['%', '.', '%.']],
  'a summary': [
    parseSummary,
    ['<summary>\n', '<request>\n', '<pinned tool="', '<pinned tool="" input="">\n'],
  ],
  'a note of decisions': [decisionsIn, ['<review>\n']],
  'a comment on a change': [
    readChangeComment,
    ['\n\n```diff\n', '`', 'Comment on your pending change of a, line 1:\n\n'],
  ],
  'a title': [firstWords, [' ', '.', '… ', 'a ']],
  'the end of a key': [
    (text) => secretsIn(`${text}-----END X`),
    ['1111\n1111', 'AAAA\n', `${'A'.repeat(76)}\n`, '1: 1111\n'],
  ],
  'a text with secrets': [
    (text) => [maskForModel(text, ''), secretsIn(text)],
    [
      '-sk-',
      '-eyJ',
      '-eyJaaaaaaaa.eyJa',
      '--token=',
      '-----BEGIN ',
      '-----BEGIN PRIVATE KEY-----',
      'Bearer ',
      'secret=',
      'a://b:',
      'login  ',
      'token"""',
      '-SG.aaaaaaaaaaaaa',
    ],
  ],
  'an output': [
    (text) => shownOutput(text, text.length),
    ['\r', '\u001b]', '\u001bP', '\u001b[', '\u001b[1;', '\u202e', '\r\n'],
  ],
  'hidden characters': [cleanText, ['\u200d', '\u{1f3f4}', '\u{e0067}', '\ufe0f', '\u001b]8;;']],
  'a line of a server': [
    (text) => [saysReady(text), promptIn(text)],
    ['listening ', 'password', '[y/n', '? ', '[sudo]'],
  ],
  'an output of tests': [
    readSummary,
    [
      '\n',
      ' ',
      'a',
      '0',
      '=',
      '= 1 failed',
      'at ',
      'at (',
      '\ntest result: ok. 1 passed; 1 failed; 0 ignored',
      '\n1 failed, ',
      '\n Tests 1',
      '\nℹ pass 1',
      'error: ',
      '{"Action":"output","Package":"a","Test":"b"}\n',
    ],
  ],
  'an output of TAP': [
    (text) => readSummary(`TAP version 13\n${text}`),
    [
      'ok\n---\n',
      'not ok\n',
      'not ok\n  ---\n  error: \n',
      'ok # ',
      '\n',
      'not ok\n---\nerror: \n...\n',
      'ok\n---\n\n\n\n\n',
    ],
  ],
  'results of tests': [
    (text) => readJUnit(`<testsuite>${text}`),
    [
      '<testcase',
      '<testcase>',
      '<testcase><failure>',
      '<testcase><failure message="</testcase>',
      '<testcase name="',
    ],
  ],
  'a difference': [
    (text) => readUnifiedDiff(`--- a${text}\n+++ b${text}\n@@ -1 +1 @@\n-a\n+b`.split('\n')),
    ['\t', '\\1', 'a/'],
  ],
  'a page': [
    (text) => decoded(Buffer.from(text), 'text/html', undefined),
    ['<meta ', '<meta charset=', ' '],
  ],
  'a link': [(text) => realTarget(text, 'https://example.com/'), ['a.', '(a.a', 'www.']],
  'a variable': [(text) => commandEnvironment({ PATH: text }), ['//a', ':', '//a:']],
  'a tool of a server': [(text) => toolName(text, text), ['_', '-']],
  'an address': [addressOf, ['/', '/v1']],
};

/** The time of a reading in milliseconds. */
function timeOf(reads: Reads, text: string): number {
  const began = performance.now();
  try {
    reads(text);
  } catch {
    // A refusal is an answer.
  }
  return performance.now() - began;
}

/** The best of three. */
const bestTimeOf = (reads: Reads, text: string): number =>
  Math.min(...[1, 2, 3].map(() => timeOf(reads, text)));

describe('text that is made to take long', function () {
  this.timeout(60_000);

  for (const [what, [reads, pieces]] of Object.entries(READERS))
    for (const piece of pieces)
      it(`${what}: ${JSON.stringify(piece.slice(0, 40))} over and over`, () => {
        const text = (size: number): string =>
          `${piece.repeat(Math.ceil(size / piece.length))}\u0001\n!`;
        if (timeOf(reads, text(SIZE * 2)) < NOTICEABLE) return;
        const once = bestTimeOf(reads, text(SIZE));
        const twice = bestTimeOf(reads, text(SIZE * 2));
        assert.ok(
          twice <= once * GROWTH,
          `${Math.round(once)} ms, and ${Math.round(twice)} ms for twice the text`,
        );
      });
});
