import { inWords, told, type Told } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import type { HostMemory } from '../../core/permissions/network/allowed-hosts.ts';
import type { ToolContext } from '../../core/tool-call/tool-call.ts';
import { fault } from '../../domain/failure.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';

/** Lines and characters that the question shows. */
const SHOWN_LINES = 12;
export const SHOWN_CHARACTERS = 1200;

/** An answer of a host, before the model has seen it. */
interface Sent {
  readonly url: URL;
  /** Its kind and size, for people. */
  readonly about: Told;
  readonly text: string;
}

/** Throws when the person does not want the model to read it. */
export async function askToRead(
  { url, about, text }: Sent,
  hosts: Pick<HostMemory, 'believed'>,
  context: ToolContext,
): Promise<void> {
  const first = text.slice(0, SHOWN_CHARACTERS).split('\n').slice(0, SHOWN_LINES).join('\n');
  const detail = [makeVisible(url.href), inWords(told`${about} It begins:`), first].join('\n\n');
  const answer = await context.confirm?.(
    { title: l10n.t('Let the model read what {0} sent', url.host), detail },
    [told`Further pages of ${url.host} are read without this question in this session.`],
  );
  if (answer?.allowed === true) {
    hosts.believed(context.sessionId, url);
    return;
  }
  const said = answer?.reason === undefined ? '' : told` They said: ${answer.reason}`;
  const message = told`The person did not let you read what ${url.host} sent.${said} Go another way.`;
  throw fault('permission', message);
}
