/** The parts of a message in which something is found, as the host reads them. */
const CONTENT = '.request-text, .markdown, .tool-line .subject';
/** Words of the panel among them. */
const NOT_CONTENT = 'button, figcaption, footer, .preview';
/** A hit goes over several of these only where a blank was looked for. */
const BLOCKS = 'p, li, td, th, h1, h2, h3, h4, h5, h6, pre, blockquote, .request-text, .subject';

/** The places of a pattern in a row, in the order in which they are read. */
export function findRanges(row: HTMLElement, pattern: RegExp): Range[] {
  const nodes: { readonly node: Text; readonly from: number }[] = [];
  let text = '';
  let block: Element | null = null;
  for (const node of textNodes(row)) {
    const within: Element | null = node.parentElement?.closest(BLOCKS) ?? null;
    if (within !== block && text !== '') text += '\n';
    block = within;
    nodes.push({ node, from: text.length });
    text += node.data;
  }
  const ranges: Range[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const to = match.index + match[0].length;
    while ((nodes[at + 1]?.from ?? Number.POSITIVE_INFINITY) <= match.index) at += 1;
    let last = at;
    while ((nodes[last + 1]?.from ?? Number.POSITIVE_INFINITY) < to) last += 1;
    const [begin, end] = [nodes[at], nodes[last]];
    if (begin === undefined || end === undefined) break;
    const range = document.createRange();
    range.setStart(begin.node, Math.min(begin.node.length, match.index - begin.from));
    range.setEnd(end.node, Math.min(end.node.length, to - end.from));
    ranges.push(range);
  }
  return ranges;
}

function* textNodes(row: HTMLElement): Generator<Text> {
  for (const content of row.querySelectorAll(CONTENT)) {
    if (content.parentElement?.closest(CONTENT) !== null) continue;
    const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Text && node.parentElement?.closest(NOT_CONTENT) === null) yield node;
    }
  }
}
