import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeWeb } from '../../../src/hosts/node/web/node-web.ts';
import type { Web } from '../../../src/core/ports/web.ts';

/** A server on loopback with pages by path; what it heard is in `seen`. */
export class LocalPages implements AsyncDisposable {
  readonly seen: { readonly url: string; readonly headers: http.IncomingHttpHeaders }[] = [];
  readonly #server: http.Server;

  private constructor(answer: http.RequestListener) {
    this.#server = http.createServer((request, response) => {
      this.seen.push({ url: request.url ?? '', headers: request.headers });
      answer(request, response);
    });
    this.#server.unref();
  }

  static async open(answer: http.RequestListener): Promise<LocalPages> {
    const pages = new LocalPages(answer);
    await new Promise<void>((resolve) => pages.#server.listen(0, '127.0.0.1', resolve));
    return pages;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  at(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** The real one, with the port of a server put in: a name in a table cannot know it. */
export function webTo(pages: Promise<LocalPages>): Web {
  const web = new NodeWeb();
  return {
    text: (...given) => web.text(...given),
    get: async (request) => {
      const url = new URL(request.url);
      url.port = String((await pages).port);
      return web.get({ ...request, url });
    },
  };
}
