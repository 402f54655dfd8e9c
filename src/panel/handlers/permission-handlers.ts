import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { textOf } from '../../domain/message.ts';
import { planIn, planMessage } from '../../domain/session/plan.ts';
import type { RequestHandlers } from '../../protocol/requests.ts';
import type { PanelControl } from './panel-control.ts';
import type { PanelServices } from '../services.ts';

/** Messages at the end of a session among which a plan is looked for. */
const RECENT = 20;

type PermissionRequest = 'acceptPlan' | 'removeRules';

/** Handlers of the panel's requests about rules and plans. */
export function permissionHandlers(
  control: PanelControl,
  { agent, records, later: { rules } }: PanelServices,
): Pick<RequestHandlers, PermissionRequest> {
  return {
    acceptPlan: async ({ sessionId, messageId, mode }) => {
      const recent = await records.transcripts.messages({ sessionId, limit: RECENT });
      const message = recent.find(({ id, role }) => id === messageId && role === 'assistant');
      const plan = message === undefined ? undefined : planIn(textOf(message));
      if (plan === undefined) {
        throw fault(
          'not_found',
          told`This plan is not the newest any more. Nothing was started; look at what came after it.`,
        );
      }
      // The plan is not sent on in a mode in which nothing can be carried out.
      await control.choose(sessionId, { mode });
      await agent.send(sessionId, { text: planMessage(plan) });
      control.session.refreshQueue();
      return null;
    },
    removeRules: async ({ sessionId, rules: removed }) => {
      await rules.remove(sessionId, removed);
      return null;
    },
  };
}
