import { judgeForm, judgePage } from '../../../src/mcp/requests/elicitation.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ServerRequest } from '../../../src/domain/server-request.ts';
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
  if (asked.verdict === 'refuse') throw new Error(asked.reason);
  const { fields, warnings } = asked;
  const shown = { server: 'everything', message: asked.message, warnings, hash: 'h' };
  return { kind: 'form', fields, ...shown };
}

/** A page as it comes from a server. */
export function page(url: string, opened = false): ServerRequest {
  const asked = judgePage('everything', 'Pay the bill there.', url);
  if (asked.verdict === 'refuse') throw new Error(asked.reason);
  const { message, warnings, host } = asked;
  const shown = { server: 'everything', message, warnings, hash: 'h' };
  return { kind: 'page', url: asked.url, host, opened, ...shown };
}

const prepare = (stage: Stage): void => {
  session(stage);
  history(stage);
};

/** Requests of MCP servers to the person. */
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
  'server-page-opened': {
    prepare,
    play: (stage) => askFor(stage, page('https://pay.example.com/bills', true)),
  },
};
