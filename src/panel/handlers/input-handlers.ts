import type { RequestHandlers } from '../../protocol/requests.ts';
import type { PanelServices } from '../services.ts';

type InputRequest = 'complete' | 'weighMentions' | 'openMention' | 'locateFiles' | 'fillCommand';

/** The requests of the input's list, its mentions and its commands. */
export function inputHandlers({
  later: { input },
}: PanelServices): Pick<RequestHandlers, InputRequest> {
  return {
    complete: ({ trigger, query, rest }) => input.complete(trigger, query, rest),
    weighMentions: async ({ mentions }) => ({ tokens: await input.weigh(mentions) }),
    openMention: async ({ mention }) => {
      await input.open(mention);
      return null;
    },
    locateFiles: async ({ files, code }) => ({ mentions: await input.locate(files, code) }),
    fillCommand: async ({ ref }) => {
      const { text, attachments, note } = await input.fill(ref);
      return { text, attachments: attachments.map((one) => ({ ...one })), note };
    },
  };
}
