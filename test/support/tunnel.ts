import http from 'node:http';
import net from 'node:net';

/** A proxy that leads to one port of this machine, whatever is asked for. */
export class Tunnel implements AsyncDisposable {
  /** Hosts with their ports, as they were asked for. */
  readonly asked: string[] = [];
  readonly #server: http.Server;
  readonly #sockets = new Set<net.Socket>();

  private constructor(to: number) {
    // What is not encrypted may be asked for with its whole address instead of a connection.
    this.#server = http.createServer((request, response) => {
      const { hostname, port, pathname, search } = new URL(request.url ?? '');
      this.asked.push(`${hostname}:${port === '' ? '80' : port}`);
      const { method, headers } = request;
      const onward = { host: '127.0.0.1', port: to, path: `${pathname}${search}`, method, headers };
      const up = http.request(onward, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      up.on('error', () => response.destroy());
      request.pipe(up);
    });
    this.#server.on('connect', ({ url = '' }, socket: net.Socket) => {
      this.asked.push(url);
      const up = net.connect(to, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        up.pipe(socket).pipe(up);
      });
      for (const one of [up, socket]) {
        this.#sockets.add(one);
        one.on('error', () => one.destroy());
      }
    });
  }

  /** @param url of a server on this machine */
  static async to(url: string): Promise<Tunnel> {
    const tunnel = new Tunnel(Number(new URL(url).port));
    await new Promise<void>((resolve) => tunnel.#server.listen(0, '127.0.0.1', resolve));
    return tunnel;
  }

  get url(): string {
    const { port } = this.#server.address() as net.AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#sockets) one.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
