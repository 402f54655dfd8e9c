import { ATTACHED } from '../../domain/mention.ts';
import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { RequestHandlers } from '../../protocol/requests.ts';
import type { PanelServices } from '../services.ts';
import type { PanelControl } from './panel-control.ts';

type InputRequest = 'complete' | 'weighMentions' | 'openMention' | 'locateFiles' | 'fillCommand';

/** The requests of the input's list, its mentions and its commands. */
export function inputHandlers(
  control: PanelControl,
  { later: { editor, input }, records }: PanelServices,
): Pick<RequestHandlers, InputRequest> {
  return {
    complete: ({ trigger, query, rest }) => input.complete(trigger, query, rest),
    weighMentions: async ({ mentions }) => ({ tokens: await input.weigh(mentions) }),
    openMention: async ({ mention }) => {
      if (mention.source === ATTACHED) {
        const sessionId = control.session.view.id ?? '';
        const path = (await records.blobs.attachment(sessionId, mention.ref))?.path;
        if (path === undefined)
          throw fault(
            'not_found',
            told`${mention.label} is kept with the conversation alone; there is no file to open.`,
          );
        await editor.openFile({ path });
      } else await input.open(mention);
      return null;
    },
    locateFiles: async ({ files, code }) => ({ mentions: await input.locate(files, code) }),
    fillCommand: async ({ ref }) => {
      const { text, attachments, note } = await input.fill(ref);
      return { text, attachments: attachments.map((one) => ({ ...one })), note };
    },
  };
}
