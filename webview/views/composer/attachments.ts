import * as l10n from '@vscode/l10n';
import type { AttachmentView } from '../../../src/protocol/requests.ts';
import { ATTACHMENT_BYTES, ATTACHMENTS } from '../../../src/protocol/limits.ts';

let attached = 0;

/** Reads files that were pasted or dropped; what cannot be taken is said in `problems`. */
export async function readFiles(files: readonly File[]): Promise<{
  readonly attachments: readonly AttachmentView[];
  readonly problems: readonly string[];
}> {
  const attachments: AttachmentView[] = [];
  const problems: string[] = [];
  for (const file of files.slice(0, ATTACHMENTS)) {
    if (file.size > ATTACHMENT_BYTES) {
      problems.push(
        l10n.t(
          '{0} is larger than {1} MB and was not attached. “Attach files” takes files of any size.',
          file.name,
          ATTACHMENT_BYTES / 1_000_000,
        ),
      );
      continue;
    }
    try {
      const data = await base64(file);
      attached += 1;
      attachments.push({
        id: `panel-${attached}-${file.lastModified}`,
        name: file.name === '' ? l10n.t('pasted file') : file.name,
        mediaType: file.type === '' ? 'application/octet-stream' : file.type,
        size: file.size,
        data,
      });
    } catch {
      problems.push(l10n.t('{0} could not be read and was not attached.', file.name));
    }
  }
  if (files.length > ATTACHMENTS)
    problems.push(l10n.t('Only {0} files can be attached to a message.', ATTACHMENTS));
  return { attachments, problems };
}

function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve(url.slice(url.indexOf(',') + 1));
    });
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')));
    reader.readAsDataURL(file);
  });
}
