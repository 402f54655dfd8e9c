import * as l10n from '@vscode/l10n';
import { signal, type Signal } from '@preact/signals';
import { MAX_DIAGRAM_CHARS } from '../../src/protocol/code-view.ts';
import type { Drawing } from './render.ts';
import { readThemeColors } from './theme-colors.ts';

/** Milliseconds that one drawing may take, the start of the frame included. */
const DRAW_TIMEOUT_MS = 20_000;
/** Drawings that are remembered. */
const MAX_REMEMBERED = 50;

/**
 * Draws diagrams for a page, in a frame that shares nothing with it: the frame has an origin of its own, receives texts
 * and sends back pictures. It is created with the first diagram.
 */
export class Diagrams {
  /** Drawings have the colors of the theme. */
  readonly #theme: Signal<string> = signal(document.body.className);
  readonly #loadCode: () => Promise<string | undefined>;
  readonly #drawn = new Map<string, Promise<Drawing>>();
  readonly #waiting = new Map<number, (drawing: Drawing) => void>();
  #frame: Promise<HTMLIFrameElement> | undefined;
  /** The frame, from the moment that it loads; drawings are taken from it alone. */
  #element: HTMLIFrameElement | undefined;
  #count = 0;

  constructor(loadCode: () => Promise<string | undefined>) {
    this.#loadCode = loadCode;
    new MutationObserver(() => {
      this.#theme.value = document.body.className;
    }).observe(document.body, { attributeFilter: ['class'] });
    addEventListener('message', ({ data, source }: MessageEvent<unknown>) => {
      if (source === null || source !== this.#element?.contentWindow) return;
      if (typeof data !== 'object' || data === null) return;
      if (!('id' in data && 'drawing' in data) || typeof data.id !== 'number') return;
      this.#waiting.get(data.id)?.(data.drawing as Drawing);
    });
  }

  /** Draws a text, and again when the theme changes. Returns the function that ends it. */
  follow(source: string, onDrawn: (drawing: Drawing) => void): () => void {
    let isCurrent = true;
    const unsubscribe = this.#theme.subscribe(() => {
      void (async () => {
        const drawing = await this.#draw(source);
        if (isCurrent) onDrawn(drawing);
      })();
    });
    return () => {
      isCurrent = false;
      unsubscribe();
    };
  }

  /** The same text is drawn once. */
  #draw(source: string): Promise<Drawing> {
    if (source.length > MAX_DIAGRAM_CHARS)
      return Promise.resolve({ problem: l10n.t('It is too long.') });
    const key = `${this.#theme.peek()}\n${source}`;
    const drawn = this.#drawn.get(key) ?? this.#request(source);
    this.#drawn.delete(key);
    this.#drawn.set(key, drawn);
    for (const oldest of this.#drawn.keys()) {
      if (this.#drawn.size <= MAX_REMEMBERED) break;
      this.#drawn.delete(oldest);
    }
    return drawn;
  }

  async #request(source: string): Promise<Drawing> {
    this.#count += 1;
    const id = this.#count;
    const { promise, resolve } = Promise.withResolvers<Drawing>();
    this.#waiting.set(id, resolve);
    const timer = setTimeout(() => this.#restart(), DRAW_TIMEOUT_MS);
    this.#frame ??= this.#open();
    void this.#frame.then(({ contentWindow }) =>
      contentWindow?.postMessage({ id, source, colors: readThemeColors() }, '*'),
    );
    const drawing = await promise;
    clearTimeout(timer);
    this.#waiting.delete(id);
    return drawing;
  }

  /** Removes a frame that does not answer; the next diagram gets a new one. */
  #restart(): void {
    this.#element?.remove();
    this.#frame = undefined;
    for (const resolve of this.#waiting.values())
      resolve({ problem: l10n.t('It takes too long.') });
  }

  async #open(): Promise<HTMLIFrameElement> {
    const code = await this.#loadCode();
    // VS Code puts a script of its own, without a nonce, before ours.
    const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
    const frame = document.createElement('iframe');
    frame.className = 'diagram-frame';
    frame.tabIndex = -1;
    frame.ariaHidden = 'true';
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.srcdoc = `<!DOCTYPE html><html lang="${document.documentElement.lang}"><body data-nonce="${nonce}"><script type="module" nonce="${nonce}">${(code ?? '').replaceAll('</script', String.raw`<\/script`)}</script>`;
    document.body.append(frame);
    this.#element = frame;
    await new Promise<void>((resolve) => {
      const listen = ({ source }: MessageEvent): void => {
        if (source !== frame.contentWindow) return;
        removeEventListener('message', listen);
        resolve();
      };
      addEventListener('message', listen);
    });
    return frame;
  }
}
