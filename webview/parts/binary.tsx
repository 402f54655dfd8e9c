import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { BinaryView } from '../../src/protocol/view.ts';
import { usePanel } from '../panel.ts';
import { Icon } from '../views/elements/icon.tsx';
import { size } from '../words.ts';

/** Images the panel shows; an SVG may carry scripts and links, so it is not one of them. */
const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

interface BinaryProps {
  readonly part: BinaryView;
  readonly messageSeq: number;
  readonly index: number;
}

/** An attached image or document. Big images are loaded when they are asked for. */
export function BinaryPart({ part, messageSeq, index }: BinaryProps): ComponentChildren {
  const panel = usePanel();
  const [loaded, setLoaded] = useState<string>();
  const data = part.data ?? loaded;
  const name = part.name ?? part.mediaType;
  const isImage = IMAGES.has(part.mediaType);
  if (isImage && data !== undefined) {
    return (
      <img
        class="attached-image"
        src={`data:${part.mediaType};base64,${data}`}
        alt={name}
        title={name}
      />
    );
  }
  const load = async (): Promise<void> => {
    const sessionId = panel.store.session.id.peek();
    if (sessionId === null) return;
    const answer = await panel.host.ask('loadBinary', { sessionId, seq: messageSeq, index });
    if (answer !== undefined) setLoaded(answer.data);
  };
  return (
    <div class="attached">
      <Icon name={isImage ? 'file-media' : 'file-pdf'} />
      <span class="name">{name}</span>
      <span class="quiet">{size(part.size)}</span>
      {isImage && (
        <button type="button" class="link" onClick={() => void load()}>
          Show
        </button>
      )}
    </div>
  );
}
