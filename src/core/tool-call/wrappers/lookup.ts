import { told, type Told } from '../../../domain/text/told.ts';
import { rejectedOutcome } from '../result.ts';
import type { Tool, WrapToolCall } from '../tool-call.ts';

/** Outside validation. Answers unknown names and unreadable inputs, which are never run (B4). */
export function withLookup(tools: (sessionId: string) => readonly Tool[]): WrapToolCall {
  return (next) => async (request) => {
    const { part, context } = request;
    const offered = tools(context.sessionId);
    const tool = offered.find((candidate) => candidate.name === part.name);
    if (tool === undefined || tool.isGone === true) {
      const names = offered.flatMap(({ name, isGone }) => (isGone === true ? [] : [name]));
      const said =
        tool === undefined
          ? told`There is no tool named ${JSON.stringify(part.name)}. ${namesOf(names)}`
          : told`The tool ${part.name} is no longer there: its server does not offer it now. It was not run. Go on without it.`;
      return rejectedOutcome(part, 'unknown_tool', said);
    }
    if (part.invalid !== undefined) {
      const { problem, raw } = part.invalid;
      const said = told`The arguments of ${part.name} could not be read, so it was not run: ${problem} They began with: ${raw.slice(0, 200)}\nSend the call again with arguments that are one complete JSON object.`;
      return rejectedOutcome(part, 'wrong_arguments', said);
    }
    return next({ ...request, tool });
  };
}

function namesOf(names: readonly string[]): Told {
  if (names.length === 0) return told`No tools are available now: answer in words.`;
  return told`Use one of these: ${names.join(', ')}.`;
}

/** The tool that lookup found. Wrappers further in call this; without lookup outside it is a defect. */
export function toolOf(request: {
  readonly tool?: Tool;
  readonly part: { readonly name: string };
}): Tool {
  if (request.tool === undefined)
    throw new Error(`The tool ${request.part.name} was not looked up.`);
  return request.tool;
}
