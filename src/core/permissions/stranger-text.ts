import { said } from '../../domain/text/language.ts';
import { type Message, toolCallsOf, toolResultsOf } from '../../domain/message.ts';
import { ATTACHED } from '../../domain/mention.ts';
import { isServerTool } from '../../domain/mcp/server-tool-name.ts';
import type { Transcripts } from '../ports/store/transcripts.ts';

/** Tools of Belay whose results others have written. */
const READERS = new Set(['fetch_url', 'web_search', 'read_attachment']);
/** The tools that delegate. */
const DELEGATING = new Set(['agent', 'write_agent']);
/** Mentions that bring in what others have written, or what another conversation has taken in. */
const MENTIONS = new Set(['page', 'resource', 'prompt', 'session', ATTACHED]);
/** Programs that fetch what others have written. */
const FETCHING =
  /(?:^|[\s;&|('"`/])(?:curl|wget|lynx|w3m|http|https|xh|gh|glab|ssh|scp|rsync|ftp|sftp|nc|aws|gcloud|az|git\s+(?:-[Cc]\s+\S+\s+|-(?![Cc]\s)\S+\s+)*(?:clone|fetch|pull|ls-remote))(?:\.exe)?(?=$|[\s;&|)'"`])/u;
/** The origin of what was imported from a file, or copied. */
export const OTHER_SESSION = said('another session');
/** Messages that are read at a time. */
const PAGE = 200;

/**
 * The origin of text in a session that neither the person nor the model wrote, nor a file of a trusted workspace;
 * `undefined`: there is none on record. The newest messages are looked at first.
 */
export async function strangerIn(
  transcripts: Pick<Transcripts, 'messages'>,
  sessionId: string,
): Promise<string | undefined> {
  let page: readonly Message[] = [];
  do {
    const beforeSeq = page[0]?.seq;
    page = await transcripts.messages({
      sessionId,
      limit: PAGE,
      ...(beforeSeq === undefined ? {} : { beforeSeq }),
    });
    for (const message of page) {
      const origin = originOf(message);
      if (origin !== undefined) return origin;
    }
  } while (page.length === PAGE);
  return undefined;
}

function originOf(message: Message): string | undefined {
  // Imported from a file, or copied from another session.
  if (message.runId === undefined) return OTHER_SESSION;
  for (const part of message.parts) {
    const mention = 'mention' in part ? part.mention : undefined;
    if (mention !== undefined && MENTIONS.has(mention.source)) return mention.label;
  }
  // A sub-agent has read it, and told.
  for (const { name, display } of toolResultsOf(message)) {
    const stranger = DELEGATING.has(name) ? display?.['stranger'] : undefined;
    if (typeof stranger === 'string' && stranger !== '') return stranger;
  }
  return toolCallsOf(message)
    .map(({ name, input }) => {
      const { command } = input;
      const fetches = typeof command === 'string' && FETCHING.test(command);
      const reads = READERS.has(name) || isServerTool(name) || name.startsWith('ext__');
      return reads || fetches ? name : undefined;
    })
    .find((name) => name !== undefined);
}
