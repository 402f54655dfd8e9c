import type { RequestHandlers } from '../../protocol/requests.ts';
import type { PanelServices } from '../services.ts';
import { done } from './done.ts';

/** Handlers of the requests about code blocks, and about the files that answers name. */
export function codeHandlers({
  later: { code },
}: PanelServices): Pick<
  RequestHandlers,
  'findFiles' | 'useCode' | 'openDiagram' | 'loadDiagramCode' | 'applyCode'
> {
  return {
    findFiles: async ({ paths }) => ({ found: await code.find(paths) }),
    useCode: ({ how, text, info }) => done(code.use(how, text, info)),
    openDiagram: ({ text }) => done(code.diagram(text)),
    loadDiagramCode: async () => ({ code: await code.loadDiagramCode() }),
    applyCode: (block) => done(code.apply(block)),
  };
}
