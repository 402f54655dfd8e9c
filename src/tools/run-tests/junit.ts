import { before } from '../../domain/text/text-end.ts';
import {
  type TestFailure,
  type TestSummary,
  failure,
  shortened,
  upTo,
  escaped,
} from './test-summary.ts';

/** One result of a JUnit XML file, as Maven and Gradle write them. */
export function readJUnit(xml: string): TestSummary | undefined {
  if (!/<testsuites?\b/u.test(xml)) return undefined;
  const counted = { passed: 0, failed: 0, skipped: 0 };
  const failures: TestFailure[] = [];
  for (const piece of xml.split(/<testcase\b/u).slice(1)) {
    const attributes = before(piece, '>');
    const inside = attributes.endsWith('/') ? '' : piece.slice(attributes.length + 1);
    const end = inside.indexOf('</testcase>');
    if (inside !== '' && end === -1) continue; // cut off
    const body = inside.slice(0, Math.max(0, end));
    const of = (name: string): string =>
      unescaped(new RegExp(`\\b${name}="([^"]*)"`, 'u').exec(attributes)?.[1] ?? '');
    if (/<skipped\b/u.test(body)) counted.skipped += 1;
    else if (!/<(?:failure|error)\b/u.test(body)) counted.passed += 1;
    else {
      counted.failed += 1;
      const told = body.slice(body.search(/<(?:failure|error)\b/u));
      const head = before(told, '>');
      const text = upTo(told.slice(head.length + 1), /<\/(?:failure|error)>/u);
      const message = /\bmessage="([^"]*)"/u.exec(head)?.[1] ?? '';
      const type = of('classname').split('.').at(-1) ?? '';
      const place = new RegExp(
        `\\((?<path>${escaped(type.split('$')[0] ?? type)}\\.\\w+):(?<line>\\d+)\\)`,
        'u',
      );
      const plain = unescaped(text.replaceAll(/<!\[CDATA\[|\]\]>/gu, ''));
      failures.push({
        ...failure(`${type}.${of('name')}`, plain, place),
        message: shortened(unescaped(message) || plain),
      });
    }
  }
  return { ...counted, failures };
}

export const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
  '#10': '\n',
};

export function unescaped(text: string): string {
  return text.replaceAll(
    /&(lt|gt|quot|apos|amp|#10);/gu,
    (_, name: string) => ENTITIES[name] ?? '',
  );
}
