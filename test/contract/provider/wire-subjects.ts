import type { Provider } from '../../../src/core/model-call/model-call.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { createAnthropicProvider } from '../../../src/providers/anthropic/provider.ts';
import { createCatalog } from '../../../src/providers/catalog/catalog.ts';
import type { KeyedAddresses } from '../../../src/providers/http/client.ts';
import { callDelta, chunk } from '../../support/chat-server/chat-server.ts';
import { chatProvider } from '../../support/chat-server/composed-chat.ts';
import { geminiProvider } from '../../support/gemini-server/composed-gemini.ts';
import { geminiChunk } from '../../support/gemini-server/gemini-server.ts';
import { responsesProvider } from '../../support/responses-server/composed-responses.ts';
import {
  callItem,
  completed,
  itemEvents,
  messageItem,
} from '../../support/responses-server/responses-server.ts';

interface MakeOptions {
  readonly keyed?: KeyedAddresses;
  readonly key?: string;
}

/** One way of talking to models, and its shortest whole answer. */
export interface Subject {
  readonly name: string;
  readonly make: (address: string, options?: MakeOptions) => Provider;
  readonly events: readonly unknown[];
  /** An answer of calls with these arguments. */
  readonly calls: (args: readonly string[]) => readonly unknown[];
  /** The error of the API with these words. */
  readonly error: (message: string, more?: object) => unknown;
}

const MESSAGES: Subject = {
  name: 'Messages',
  make: (address, { keyed, key = 'secret-key' } = {}) =>
    createAnthropicProvider({
      apiKey: async () => Promise.resolve(key),
      baseUrl: () => address,
      cacheTtl: () => '5m',
      catalog: createCatalog({ offered: ['anthropic'] }),
      clock: new SystemClock(),
      keyed,
    }),
  events: [
    { type: 'message_start', message: { model: 'm' } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ],
  calls: (args) => [
    { type: 'message_start', message: { model: 'm' } },
    ...args.flatMap((json, index) => [
      {
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id: `t${index}`, name: 'read_file', input: {} },
      },
      {
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json: json },
      },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ],
  error: (message, more = {}) => ({
    type: 'error',
    error: { type: 'invalid_request_error', message, ...more },
  }),
};

/** The wires, Messages twice: Vertex AI has other paths and another place for the version. */
export const SUBJECTS: readonly Subject[] = [
  MESSAGES,
  {
    ...MESSAGES,
    name: 'Messages at Vertex AI',
    make: (address, options) => MESSAGES.make(`${address}/v1/projects/p/locations/r`, options),
  },
  {
    name: 'Chat Completions',
    make: (address, { keyed, key = 'secret-key' } = {}) =>
      chatProvider(address, {
        apiKey: async () => Promise.resolve(key),
        ...(keyed === undefined ? {} : { keyed }),
      }),
    events: [chunk({ content: 'Hi.' }, 'stop'), '[DONE]'],
    calls: (args) => [
      ...args.map((json, n) => chunk({ tool_calls: [callDelta(n, `c${n}`, 'read_file', json)] })),
      chunk({}, 'tool_calls'),
      '[DONE]',
    ],
    error: (message, more = {}) => ({
      error: { message, type: 'invalid_request_error', param: null, code: null, ...more },
    }),
  },
  {
    name: 'Responses',
    make: (address, { keyed, key = 'secret-key' } = {}) =>
      responsesProvider(address, { apiKey: async () => Promise.resolve(key), keyed }),
    events: [...itemEvents(0, messageItem('msg_1', 'Hi.')), completed()],
    calls: (args) => [
      ...args.flatMap((json, n) => itemEvents(n, callItem(`fc_${n}`, `c${n}`, json))),
      completed(),
    ],
    error: (message, more = {}) => ({
      error: { message, type: 'invalid_request_error', param: null, code: null, ...more },
    }),
  },
  {
    name: 'Gemini',
    make: (address, { keyed, key = 'secret-key' } = {}) =>
      geminiProvider(address, { apiKey: async () => Promise.resolve(key), keyed }),
    events: [geminiChunk([{ text: 'Hi.' }], 'STOP')],
    calls: (args) => [
      geminiChunk(
        args.map((json) => ({ functionCall: { name: 'read_file', args: json } })),
        'STOP',
      ),
    ],
    error: (message, more = {}) => ({ error: { message, status: 'INVALID_ARGUMENT', ...more } }),
  },
];
