import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { delegatedRights, delegatedTools } from '../../../src/core/permissions/delegation.ts';
import type { Rights } from '../../../src/core/permissions/delegation.ts';
import type { Mode } from '../../../src/core/tool-call/tool-call.ts';
import type { Json, JsonObject } from '../../../src/domain/data/json.ts';
import { ApprovalQueue } from '../../../src/window/approvals/approval-queue.ts';
import { approvalView } from '../../../src/panel/cards/approval-view.ts';
import { Approval } from '../../../webview/views/approvals/approval.tsx';
import { PanelContext } from '../../../webview/panel.ts';
import { AttackedWorkspace } from '../attacked-workspace.ts';
import { mildest } from '../case-input.ts';
import { runSession } from '../attacked-session.ts';
import type { PlannedCall } from '../attacked-session.ts';
import type { Answer, Fixture, Surfaces } from '../surface.ts';
import { screenOf } from './panel.ts';
import { callFor, textOf } from './text.ts';

/** A person's yes, and what it is a yes to. */
export const approvalSurfaces: Surfaces = {
  approval: ({ input }, fixture) =>
    swapped(
      callFor(objectOf(input['approved'])),
      callFor(objectOf(input['executed'] ?? input['now'])),
      fixture,
    ),

  'approval-stream': ({ input }, fixture) =>
    swapped(streamed(input['shown']), streamed(input['final']), fixture),

  'approval-flood': ({ input }) => flood(Number(input['count'] ?? 50)),

  subagent: async ({ input }, fixture) => {
    const parent = rightsOf(input['parent'], fixture);
    const child = objectOf(input['child']);
    const planned = callFor(child);
    const wish: Partial<Rights> = { mode: 'auto', level: 'owner', roots: ['/'], depth: 99 };
    const rights = delegatedRights(parent, wish);
    const workspace = new AttackedWorkspace(fixture, rights.mode);
    try {
      const offered = delegatedTools(workspace.tools, rights);
      if (!offered.some(({ name }) => name === planned.name))
        return {
          decision: 'refuse',
          note: `${planned.name} is not offered in mode ${rights.mode}`,
        };
      return await workspace.decide(planned.name, planned.input);
    } finally {
      workspace.dispose();
    }
  },
};

function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

/** A case gives the arguments as text, as they come in. */
function streamed(value: unknown): PlannedCall {
  const raw = typeof value === 'string' ? value : JSON.stringify(value ?? {});
  try {
    return callFor(objectOf(JSON.parse(raw)));
  } catch {
    return { name: 'run_command', input: { command: raw } };
  }
}

/** The person says yes to the first call; that yes is given again for the second one. */
async function swapped(shown: PlannedCall, used: PlannedCall, fixture: Fixture): Promise<Answer> {
  const answers: Answer[] = [];
  // As it was, and with the id of the new question, as a forged answer would have it.
  for (const forged of [false, true]) {
    const { last, results } = await runSession(fixture, {
      calls: [shown, used],
      person: (_question, [first]) => {
        if (first === undefined) return { allowed: false };
        return { allowed: true, hash: first.hash, ...(forged ? {} : { questionId: first.id }) };
      },
    });
    const held = results.length === 2 && last.decision !== 'allow';
    answers.push({ decision: held ? 'refuse' : 'allow', note: last.note ?? '' });
  }
  return mildest(answers);
}

/** Many questions at once: nothing is answered by itself, and one stop takes all of them back. */
async function flood(count: number): Promise<Answer> {
  const desk = new ApprovalQueue();
  const stop = new AbortController();
  const settled: string[] = [];
  const waiting = Array.from({ length: count }, (_, index) =>
    desk
      .approve(
        {
          id: `q-${index}`,
          sessionId: 's',
          runId: 'r',
          callId: `c-${index}`,
          tool: 'run_command',
          title: 'Run a command',
          detail: `command ${index}`,
          hash: `h-${index}`,
        },
        stop.signal,
      )
      .then(
        ({ allowed }) => settled.push(allowed ? 'yes' : 'no'),
        () => settled.push('taken back'),
      ),
  );
  const [first] = desk.approvals();
  if (first === undefined) return { decision: 'refuse' };
  const html = renderToString(
    h(
      PanelContext.Provider,
      { value: screenOf({}) },
      h(Approval, { approval: approvalView(first) }),
    ),
  );
  const takesKeys = !html.includes('data-armed="false"') || /autofocus/iu.test(html);
  stop.abort();
  await Promise.all(waiting);
  const answered = settled.some((one) => one !== 'taken back') || desk.approvals().length > 0;
  return takesKeys || answered
    ? { decision: 'allow', note: settled.join() }
    : { decision: 'inert', note: `${count} questions, all taken back by one stop` };
}

function rightsOf(parent: unknown, fixture: Fixture): Rights {
  const said = typeof parent === 'string' ? parent : textOf(objectOf(parent)['mode']);
  const modes: readonly (readonly [RegExp, Mode])[] = [
    [/read/iu, 'read'],
    [/plan/iu, 'plan'],
    [/auto|all|bypass/iu, 'auto'],
    [/edit/iu, 'edit'],
    [/ask/iu, 'ask'],
  ];
  const mode = modes.find(([pattern]) => pattern.test(said))?.[1] ?? 'read';
  const tools = objectOf(parent)['tools'];
  return {
    mode,
    level: mode === 'read' ? 'guest' : 'owner',
    roots: [fixture.ws],
    depth: 1,
    ...(Array.isArray(tools) ? { tools: tools.map((one: Json) => textOf(one)) } : {}),
  };
}
