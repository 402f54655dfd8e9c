import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { send } from '../../../src/hosts/node/web/send.ts';

/** A body in pieces of 10 kB, unlike that of every other number. */
const bodyOf = (number: number, pieces = 40): readonly Buffer[] =>
  Array.from({ length: pieces }, (_, piece) => Buffer.alloc(10_000, `${number}.${piece};`));
const isBody = (body: Uint8Array, number: number, pieces?: number): boolean =>
  Buffer.concat(bodyOf(number, pieces)).equals(body);
/** More than the sockets of both ends hold. */
const LARGE = 1600;

describe('requests over HTTP of Node', () => {
  let server: http.Server;
  let answer: http.RequestListener;
  const sockets = new Set<Socket>();
  const urlOf = (path = '/'): URL =>
    new URL(path, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const post = (pieces: readonly Uint8Array[], signal = new AbortController().signal) =>
    send(urlOf(), { method: 'POST', headers: { 'x-own': 'yes' }, pieces, signal });

  before(async () => {
    server = http.createServer((request, response) => {
      sockets.add(request.socket);
      answer(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  const readAll = async (request: http.IncomingMessage): Promise<Buffer> =>
    Buffer.concat(await (request as AsyncIterable<Buffer> & http.IncomingMessage).toArray());

  it('sends the pieces as one body of a known length, over one connection', async () => {
    const arrived: Buffer[] = [];
    const lengths: unknown[] = [];
    answer = (request, response) => {
      assert.equal(request.headers['x-own'], 'yes');
      lengths.push(request.headers['content-length'], request.headers['transfer-encoding']);
      void readAll(request).then((body) => {
        arrived.push(body);
        return response.end('taken');
      });
    };
    sockets.clear();
    for (const number of [1, 2, 3]) {
      const response = await post(bodyOf(number));
      assert.equal(response.status, 200);
      assert.equal(await response.text(), 'taken');
    }
    const sent = [1, 2, 3].map((number) => Buffer.concat(bodyOf(number)));
    assert.ok(arrived.every((body, index) => sent[index]?.equals(body) === true));
    assert.deepEqual(
      lengths,
      sent.flatMap(({ length }) => [String(length), undefined]),
    );
    assert.equal(sockets.size, 1);
  });

  it('leaves a body alone that is on its way after the answer has begun', async () => {
    const { promise: later, resolve: readOn } = Promise.withResolvers<void>();
    answer = (request, response) => {
      response.flushHeaders();
      void later.then(() => readAll(request)).then((body) => response.end(body));
    };
    const early = await post(bodyOf(1, LARGE));
    const next = post(bodyOf(2, LARGE));
    readOn();
    const echoed = [await early.bytes(), await (await next).bytes()];
    assert.ok(echoed.every((body, index) => isBody(body, index + 1, LARGE)));
  });

  it('sends bodies at the same time, each as it is', async () => {
    answer = (request, response) => {
      void readAll(request).then((body) => response.end(body));
    };
    const numbers = [1, 2, 3, 4, 5];
    const echoed = await Promise.all(
      numbers.map(async (number) => (await post(bodyOf(number))).bytes()),
    );
    assert.ok(echoed.every((body, index) => isBody(body, index + 1)));
  });

  it('follows no redirect, and unpacks what came packed', async () => {
    answer = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end();
    const redirect = await send(urlOf(), { method: 'GET', headers: {} });
    assert.equal(redirect.status, 302);
    assert.equal(redirect.headers.get('location'), '/elsewhere');
    answer = (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain'));
    assert.equal(await (await send(urlOf(), { method: 'GET', headers: {} })).text(), 'plain');
  });

  it('rejects with the reason of a stop, and with the system’s code', async () => {
    const stop = new AbortController();
    answer = () => stop.abort(new Error('stopped by the person'));
    await assert.rejects(post(bodyOf(1), stop.signal), /stopped by the person/);
    const closed = new URL('http://127.0.0.1:1/');
    await assert.rejects(send(closed, { method: 'GET', headers: {} }), { code: 'ECONNREFUSED' });
  });
});
