import { inEnglish, inWords } from '../../../src/domain/text/told.ts';
import { outputOf } from '../../../src/mcp/tools/result.ts';
import { judgeForm, judgePage } from '../../../src/mcp/requests/elicitation.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { ServerRequest } from '../../../src/domain/mcp/server-request.ts';
import type { Stage } from '../../unit/panel/stage.ts';
import { begin, call, history, S, session } from './fixture-session.ts';
import type { Scene } from './scenes.ts';

/** A form with every kind of field that the protocol has. */
export const EVERY_FIELD: JsonObject = {
  type: 'object',
  required: ['name', 'plan', 'agree'],
  properties: {
    name: { type: 'string', title: 'Name', description: 'As it is on the card', minLength: 2 },
    mail: { type: 'string', title: 'E-mail', format: 'email' },
    site: { type: 'string', title: 'Site', format: 'uri' },
    day: { type: 'string', title: 'Day', format: 'date' },
    at: { type: 'string', title: 'At', format: 'date-time' },
    count: { type: 'integer', title: 'Count', minimum: 1, maximum: 10, default: 3 },
    share: { type: 'number', title: 'Share' },
    agree: { type: 'boolean', title: 'Agree' },
    plan: { type: 'string', title: 'Plan', enum: ['a', 'b'], enumNames: ['Plan A', 'Plan B'] },
    tags: {
      type: 'array',
      title: 'Tags',
      maxItems: 2,
      items: { anyOf: ['x', 'y', 'z'].map((value) => ({ const: value, title: `Tag ${value}` })) },
      default: ['y'],
    },
    words: { type: 'string', title: 'Words', maxLength: 2000 },
  },
};

const HOSTILE = `<img src=x onerror="document.title='no'"> \u202Egnp.exe\u{E0041}\u200B ${'long'.repeat(200)}`;

/** Shows a call of a server that asks this. */
export function askFor(stage: Stage, asked: ServerRequest): void {
  begin(stage);
  stage.publish(
    S,
    ...call(0, 'm1', 'mcp__everything__deploy', { target: 'staging' }),
    { type: 'tool.started', callId: 'm1', name: 'mcp__everything__deploy' },
    { type: 'agent_run.waiting', for: 'question', questionId: 'x' },
  );
  const question = `The MCP server “${asked.server}” asks: ${asked.message}`;
  const where = { sessionId: S, runId: 'r', callId: 'm1' };
  stage.questions.push({ ...where, id: 'x', question, choices: [], request: asked });
  stage.deskChanged();
}

/** A form as it comes from a server. */
export function form(message: string, schema: JsonObject): ServerRequest {
  const asked = judgeForm('everything', message, schema);
  if (asked.verdict === 'refuse') throw new Error(inEnglish(asked.reason));
  const { fields } = asked;
  const warnings = asked.warnings.map(inWords);
  const shown = { server: 'everything', message: asked.message, warnings, hash: 'h' };
  return { kind: 'form', fields, ...shown };
}

/** A page as it comes from a server. */
export function page(url: string, opened = false): ServerRequest {
  const asked = judgePage('everything', 'Pay the bill there.', url);
  if (asked.verdict === 'refuse') throw new Error(inEnglish(asked.reason));
  const { message, host } = asked;
  const warnings = asked.warnings.map(inWords);
  const shown = { server: 'everything', message, warnings, hash: 'h' };
  return { kind: 'page', url: asked.url, host, opened, ...shown };
}

const prepare = (stage: Stage): void => {
  session(stage);
  history(stage);
};

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** A tenth of a second of silence. */
const SILENCE = Buffer.concat([
  Buffer.from(
    'RIFF\x44\x03\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x20\x03\0\0',
    'latin1',
  ),
  Buffer.alloc(800, 128),
]).toString('base64');

/** A finished call of a server's tool whose result has all that a card draws. */
export function showResult(stage: Stage): void {
  const name = 'mcp__everything__weather';
  const input: JsonObject = { location: 'Chicago' };
  const call = { type: 'tool_call', id: 'm2', name, input } as const;
  stage.store(S, 'assistant', [call, { type: 'finish', reason: 'tool_use' }]);
  const {
    content,
    display = {},
    files = [],
  } = outputOf(
    {
      content: [
        { type: 'text', text: 'It is <b>cold</b>.' },
        { type: 'image', mimeType: 'image/png', data: PIXEL },
        { type: 'audio', mimeType: 'audio/wav', data: SILENCE },
        { type: 'resource_link', name: 'forecast', title: 'Forecast', uri: 'demo://forecast' },
        { type: 'resource', resource: { uri: 'demo://log/today.txt', text: 'Line 1' } },
      ],
      structuredContent: {
        temperature: -3.5,
        'conditions\u202E': ['snow', 'wind <img src=x>'],
        station: { name: 'O’Hare', height: 204 },
        none: null,
      },
    },
    { server: 'everything', page: 'ui://weather' },
  );
  const result = {
    type: 'tool_result',
    callId: 'm2',
    name,
    state: 'done',
    content,
    files,
    display,
  } as const;
  stage.store(S, 'tool', [result]);
}

/** Requests of MCP servers to the person, and their results. */
export const SERVER_SCENES: Readonly<Record<string, Scene>> = {
  'server-form': {
    prepare,
    play: (stage) => askFor(stage, form('Where does it go, and as who?', EVERY_FIELD)),
    tall: true,
  },
  'server-form-hostile': {
    prepare,
    play: (stage) => {
      const properties = {
        [HOSTILE.slice(0, 150)]: { type: 'string', title: HOSTILE, description: HOSTILE },
        password: { type: 'string' },
        pick: { type: 'string', oneOf: [{ const: 'a', title: HOSTILE }] },
      };
      askFor(stage, form(HOSTILE, { type: 'object', properties }));
    },
    tall: true,
  },
  'server-page': {
    prepare,
    play: (stage) =>
      askFor(stage, page('https://pay.example.com/bills/2026?customer=1&back=https://example.org')),
  },
  'server-result': {
    prepare: (stage) => {
      session(stage);
      showResult(stage);
    },
    click: ['[data-call="m2"] .tool-fold'],
    tall: true,
  },
  'server-page-opened': {
    prepare,
    play: (stage) => askFor(stage, page('https://pay.example.com/bills', true)),
  },
};
