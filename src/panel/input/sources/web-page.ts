import * as l10n from '@vscode/l10n';
import { readUrl } from '../../../core/permissions/network/request-guard.ts';
import type { MentionReader } from '../../../core/tool-call/mention-reader.ts';
import { mentionRow, type MentionSource } from '../source.ts';

/** Nothing else looks like an address. */
const WORTH = 5000;

/** A page of the web, read when the message is sent, and asked for by the rules of the web tool. */
export function pageSource(
  reader: Pick<MentionReader, 'byTool'>,
  open: (url: string) => Promise<void>,
): MentionSource {
  return {
    id: 'page',
    trigger: '@',
    search: async (query) => {
      const read = /^https?:\/\/\S+$/iu.test(query) ? readUrl(query) : undefined;
      if (read === undefined || !('url' in read)) return [];
      const { href, host, pathname } = read.url;
      const label = `${host}${pathname === '/' ? '' : pathname}`.slice(0, 80);
      const detail = l10n.t('Read when the message is sent');
      return [
        {
          ...mentionRow({ source: 'page', ref: href, label, detail: href, icon: 'globe' }, WORTH),
          detail,
        },
      ];
    },
    take: async (ref, sessionId) => reader.byTool('fetch_url', { url: ref }, sessionId),
    weigh: async () => null,
    open: async (ref) => open(ref),
  };
}
