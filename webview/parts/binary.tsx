import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { BinaryView } from '../../src/protocol/view.ts';
import { usePanel } from '../panel.ts';
import { Icon } from '../views/elements/icon.tsx';
import { size } from '../texts/words.ts';

/** Images the panel shows; an SVG may carry scripts and links, so it is not one of them. */
const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

interface BinaryProps {
  readonly part: BinaryView;
  readonly messageSeq: number;
  readonly index: number;
  /** It is of the result of this call, in a message with the call. */
  readonly callId?: string;
}

/** Sounds the panel plays, from data that the host sent. */
const SOUNDS = /^audio\/(?:mpeg|mp3|mp4|(?:x-)?wav|ogg|webm|flac|aac)$/u;

/** An image, sound or document. Big ones are loaded when they are asked for. */
export function BinaryPart({ part, messageSeq, index, callId }: BinaryProps): ComponentChildren {
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
  const isSound = SOUNDS.test(part.mediaType);
  if (isSound && data !== undefined) {
    const src = `data:${part.mediaType};base64,${data}`;
    return <audio class="attached-sound" controls preload="metadata" src={src} aria-label={name} />;
  }
  const load = async (): Promise<void> => {
    const sessionId = panel.store.session.id.peek();
    if (sessionId === null) return;
    const answer = await panel.host.ask('loadBinary', {
      sessionId,
      seq: messageSeq,
      index,
      ...(callId === undefined ? {} : { callId }),
    });
    if (answer !== undefined) setLoaded(answer.data);
  };
  return (
    <div class="attached">
      <Icon name={isImage ? 'file-media' : isSound ? 'unmute' : 'file-pdf'} />
      <span class="name">{name}</span>
      <span class="quiet">{size(part.size)}</span>
      {(isImage || isSound) && (
        <button type="button" class="link" onClick={() => void load()}>
          {isImage ? l10n.t('Show') : l10n.t('Load')}
        </button>
      )}
    </div>
  );
}
