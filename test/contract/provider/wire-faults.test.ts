import assert from 'node:assert/strict';
import { NO_BUDGET } from '../../support/no-budget.ts';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createModelCall } from '../../../src/compose/order.ts';
import { Pictures } from '../../../src/core/model-call/pictures.ts';
import type { Provider } from '../../../src/core/model-call/model-call.ts';
import type { Message } from '../../../src/domain/message.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { createNamedCatalog } from '../../../src/providers/named-catalog.ts';
import { createRegistry } from '../../../src/providers/registry.ts';
import { png } from '../../faults/png.ts';
import {
  message,
  modelRequest,
  namesOf,
  outcomeOf,
  quietLog,
  settingsWith,
  shownText,
} from '../../support/model-call.ts';
import { SUBJECTS } from './wire-subjects.ts';

/** Seconds. */
const DEADLINE = 0.4;
/** A picture of few pixels and many bytes. */
const WIDE = png(2500, 3, 9000);
const LIMITS = { side: 3000, length: 5 * 1024 * 1024, most: 20, total: 20 * 1024 * 1024 };

/** The call as the product composes it, over one provider; pictures become a dot of the wanted side. */
function composed(provider: Provider) {
  const names = namesOf([provider]);
  const clock = new SystemClock();
  const scaler = {
    scaled: async (_: string, { side }: { readonly side: number }) =>
      Promise.resolve({ mediaType: 'image/png', data: png(side, 1) }),
  };
  return createModelCall({
    budget: NO_BUDGET,
    registry: createRegistry(names, new Map([[provider.id, provider]])),
    catalog: createNamedCatalog(names),
    settings: settingsWith({
      'advanced.modelRetryDelaySeconds': 0.01,
      'advanced.modelRetries': 3,
      'advanced.firstByteTimeoutSeconds': DEADLINE,
      'advanced.streamIdleTimeoutSeconds': DEADLINE,
      'advanced.streamProgressTimeoutSeconds': 2 * DEADLINE,
    }),
    clock,
    log: quietLog,
    random: () => 0.5,
    mask: async (request) => request,
    pictures: new Pictures(scaler, () => LIMITS),
    onUsage: () => undefined,
    recorded: async () => undefined,
  });
}

describe('faults of a connection and of pictures, on every wire', () => {
  type Answer = (
    response: ServerResponse,
    n: number,
    body: string,
    request: IncomingMessage,
  ) => void;
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
  });
  const serve = async (answer: Answer) => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        bodies.push(Buffer.concat(chunks).toString());
        answer(response, bodies.length, bodies.at(-1) ?? '', request);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const stop = async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
    stops.push(stop);
    return { bodies, stop, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };

  for (const { name, make, events, error } of SUBJECTS) {
    describe(name, () => {
      const text = events
        .map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
        .join('');
      const begin = (response: ServerResponse): ServerResponse =>
        response.writeHead(200, { 'content-type': 'text/event-stream' });
      const whole = (response: ServerResponse): void => void begin(response).end(text);
      const asked = async (answer: Answer, messages?: readonly Message[]) => {
        const server = await serve(answer);
        const request = modelRequest(messages === undefined ? {} : { messages });
        return { ...(await outcomeOf(composed(make(server.address)), request)), ...server };
      };
      const passes = async (what: string, first: (response: ServerResponse) => void) => {
        const { events: told, bodies } = await asked((response, n) =>
          n === 1 ? first(response) : whole(response),
        );
        assert.equal(shownText(told), 'Hi.', what);
        assert.equal(bodies.length, 2, what);
        assert.equal(bodies[0], bodies[1], 'the same request');
      };

      it('t01: a reset before the headers is tried again; nobody there is told', async () => {
        await passes('reset', (response) => response.socket?.resetAndDestroy());
        const { stop, address } = await serve(whole);
        await stop();
        stops.pop();
        const { failure, emitted } = await outcomeOf(composed(make(address)), modelRequest());
        assert.equal(failure?.code, 'network');
        assert.equal(emitted.filter(({ type }) => type === 'model.waiting').length, 3);
      });

      it('t02: no headers at all', async () => passes('silence', () => undefined));

      it('s10: a stall after half of the answer', async () =>
        passes('stall', (response) => void begin(response).write(text.slice(0, text.length / 2))));

      it('s11: signs of life without an answer', async () =>
        passes('pings', (response) => {
          begin(response);
          const beat = setInterval(() => response.write(': ping\n\n'), 40);
          response.on('close', () => clearInterval(beat));
        }));

      const picture = [
        message('user', [
          { type: 'text', text: 'See.' },
          { type: 'binary', mediaType: 'image/png', data: WIDE, name: 'wide.png' },
        ]),
      ];
      for (const [id, words, made] of [
        ['h20', 'image dimensions exceed max allowed size: 2000 pixels', png(2000, 1)],
        [
          'h20',
          'The image resolution 2500x3 is larger than the maximum of 1024 x 1024',
          png(1024, 1),
        ],
        ['h21', 'messages.0: image exceeds 5 MB maximum: 6000000 bytes > 4000 bytes', png(3000, 1)],
        ['h21', 'The image is too large.', png(1024, 1)],
        ['h21', 'Image size is too large, the limit is 1 KB', png(3000, 1)],
      ] as const) {
        it(`${id}: “${words}”: it is made smaller, and the rest goes on`, async () => {
          const { events: told, bodies } = await asked((response, n) => {
            if (n > 1) return whole(response);
            response.writeHead(400, { 'content-type': 'application/json' });
            response.end(JSON.stringify(error(words)));
          }, picture);
          assert.equal(shownText(told), 'Hi.');
          assert.ok(bodies[0]?.includes(WIDE));
          assert.ok(bodies[1]?.includes(made), bodies[1]?.slice(-300));
        });
      }
    });
  }
});
