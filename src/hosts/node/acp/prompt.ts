import { RequestError, type ContentBlock } from '@agentclientprotocol/sdk';
import type { SendRequest } from '../../../core/run/agent-service.ts';
import { base64Of } from '../../../domain/data/base64.ts';
import type { Attachment } from '../../../domain/session/session.ts';

/** A client's prompt as a message: links stand in its text, for the agent reads files by itself, within its rules. */
export function messageOf(prompt: readonly ContentBlock[]): SendRequest {
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  const attach = (name: string, mediaType: string, data: string): void => {
    const id = `acp-${attachments.length + 1}`;
    const size = Math.floor((data.length * 3) / 4);
    attachments.push({ id, name, mediaType, size, data });
  };
  for (const block of prompt)
    switch (block.type) {
      case 'text':
        texts.push(block.text);
        break;
      case 'image':
        attach(`image ${attachments.length + 1}`, block.mimeType, block.data);
        break;
      case 'resource_link':
        texts.push(`[${block.name}](${pathOf(block.uri)})`);
        break;
      case 'resource': {
        const { resource } = block;
        const type = resource.mimeType ?? 'text/plain';
        if ('text' in resource)
          attach(pathOf(resource.uri), type, base64Of(new TextEncoder().encode(resource.text)));
        else attach(pathOf(resource.uri), type, resource.blob);
        break;
      }
      default:
        throw RequestError.invalidParams(undefined, `Belay takes no ${block.type} in a prompt.`);
    }
  return { text: texts.join('\n'), attachments };
}

/** The path of a `file:` address; any other as it is. */
function pathOf(uri: string): string {
  return uri.startsWith('file://') && URL.canParse(uri)
    ? decodeURIComponent(new URL(uri).pathname)
    : uri;
}
