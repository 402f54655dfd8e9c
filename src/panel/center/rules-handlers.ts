import type { CenterHandlers } from '../../protocol/center/requests.ts';
import type { RulesSection } from './rules-section.ts';

type Requests = 'readRules' | 'addRule' | 'removeRule' | 'switchRule' | 'testRules';

/** The permission rules: those of one's own, of the workspace, and of the session that the panel shows. */
export function rulesHandlers(
  rules: RulesSection,
  session: () => string | null,
): Pick<CenterHandlers, Requests> {
  return {
    readRules: async () => rules.list(session()),
    addRule: async ({ rule }) => {
      await rules.add(rule);
      return null;
    },
    removeRule: async ({ rule }) => {
      await rules.remove(session(), [rule]);
      return null;
    },
    switchRule: async ({ rule, off }) => {
      await rules.switch(rule, off);
      return null;
    },
    testRules: async ({ tool, argument }) => rules.test(session(), tool, argument),
  };
}
