import type { RequestHandlers } from '../../protocol/requests.ts';
import type { PanelServices } from '../services.ts';

/** Handlers of the requests about code blocks, and about the files that answers name. */
export function codeHandlers({
  later: { code },
}: PanelServices): Pick<RequestHandlers, 'findFiles' | 'useCode' | 'openDiagram' | 'applyCode'> {
  return {
    findFiles: async ({ paths }) => ({ found: await code.find(paths) }),
    useCode: async ({ how, text, info }) => {
      await code.use(how, text, info);
      return null;
    },
    openDiagram: async ({ text }) => {
      await code.diagram(text);
      return null;
    },
    applyCode: async (block) => {
      await code.apply(block);
      return null;
    },
  };
}
