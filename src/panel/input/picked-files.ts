import type { AttachmentView } from '../../protocol/requests.ts';
import type { Attachment } from '../../domain/session/session.ts';

/** Files that are remembered between the picker and the message. */
const MOST = 500;

/** The files that the person chose in the picker: no other path that comes from the page is a yes of theirs. */
export class PickedFiles {
  readonly #paths = new Map<string, string>();

  keep(picked: readonly Attachment[]): void {
    for (const { id, path } of picked) if (path !== undefined) this.#paths.set(id, path);
    for (const id of this.#paths.keys()) {
      if (this.#paths.size <= MOST) return;
      this.#paths.delete(id);
    }
  }

  attachmentOf({ id, name, mediaType, size, data, mention }: AttachmentView): Attachment {
    const path = this.#paths.get(id);
    return {
      id,
      name,
      mediaType,
      size,
      ...(path === undefined ? {} : { path }),
      ...(data === undefined ? {} : { data }),
      ...(mention === undefined ? {} : { mention }),
    };
  }
}
