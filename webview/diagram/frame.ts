import { renderDiagram } from './render.ts';

/**
 * Draws for the page that this frame is in. The frame has an origin of its own and the content security policy of that
 * page, which allows styles with its nonce only: style elements get it, and style attributes are set through the CSSOM.
 */
export function serveFrame(nonce: string): void {
  const addNonce = <Made extends Element>(made: Made): Made => {
    if (made.localName === 'style') (made as unknown as HTMLStyleElement).nonce = nonce;
    return made;
  };
  const createElement = document.createElement.bind(document);
  const createElementNS = document.createElementNS.bind(document) as (
    ...given: [string, string]
  ) => Element;
  document.createElement = (...given: [string]) => addNonce(createElement(...given));
  document.createElementNS = ((...given: [string, string]) =>
    addNonce(createElementNS(...given))) as typeof document.createElementNS;
  // oxlint-disable-next-line typescript/unbound-method -- called with the element below
  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function set(this: Element, name: string, value: string) {
    if (name === 'style' && 'style' in this) (this.style as CSSStyleDeclaration).cssText = value;
    else setAttribute.call(this, name, value);
  };
  addEventListener('message', ({ data, source }: MessageEvent<unknown>) => {
    if (source !== parent || typeof data !== 'object' || data === null) return;
    if (!('id' in data && 'source' in data && 'colors' in data)) return;
    const { id, source: text, colors } = data;
    if (typeof text !== 'string') return;
    void (async () => {
      const drawing = await renderDiagram(text, colors as Record<string, string>);
      parent.postMessage({ id, drawing }, '*');
    })();
  });
  parent.postMessage({ isReady: true }, '*');
}
