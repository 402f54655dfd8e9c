import { parseSync } from 'oxc-parser';
import { COMMANDS } from '../../src/manifest/commands.ts';
import { localized } from '../../src/manifest/localized.ts';
import { manifest } from '../../src/manifest/manifest.ts';
import { assertNone } from './assert-none.ts';
import { sourceOf } from './said-texts.ts';
import { type Node, sourceFiles, visit } from './source-graph.ts';

const OTHER_WORDS = /accept|reject/iu;
/** Phrases and capitalized words are read; other literals are identifiers. */
const IS_READ = /\s|^[A-Z]/u;
/** Texts that decide nothing about pending changes or approvals. */
const ALLOWED = [
  /\bkey\b|accepts the thinking|file system accepts|--accept-loss|part of the record/iu, // what servers, disks and options accept
  /\bplan\b|^Accept in (?:mode Ask|another mode)$/u, // a plan is accepted
];

/** Every string and template part of the code. */
function literalsIn(file: string): string[] {
  const found: string[] = [];
  visit(parseSync(file, sourceOf(file)).program, (node: Node) => {
    if (typeof node.value === 'string') found.push(node.value);
    if (node.type === 'TemplateElement') found.push((node.value as { cooked: string }).cooked);
  });
  return found;
}

describe('words for decisions', () => {
  it('commands and texts say Keep and Undo for changes, Allow and Deny for approvals', () => {
    const { english } = localized(manifest());
    const texts = [...Object.values(english), ...sourceFiles().flatMap(literalsIn)];
    const read = texts.filter((text) => IS_READ.test(text.trim()));
    const wrong = [...Object.keys(COMMANDS), ...read].filter((text) => OTHER_WORDS.test(text));
    assertNone(
      [...new Set(wrong)].filter((text) => !ALLOWED.some((allowed) => allowed.test(text))),
    );
  });
});
