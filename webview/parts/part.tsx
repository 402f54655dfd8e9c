import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { PartView } from '../../src/protocol/view.ts';
import { BinaryPart } from './binary.tsx';
import { FinishPart } from './finish.tsx';
import { ImageUrlPart } from './image-url.tsx';
import { MentionPart } from './mention.tsx';
import { ReasoningPart } from './reasoning.tsx';
import { TextPart } from './text.tsx';
import { ToolCard } from './tool-card.tsx';

interface PartProps {
  readonly part: Signal<PartView>;
  /** Names the part within the session. */
  readonly partKey: string;
  readonly messageSeq: number;
  readonly index: number;
  /** The message is being streamed and this is its last part. */
  readonly open: boolean;
}

/** One component a type of part; a new type does not compile before it has one. */
export function Part({ part, partKey, messageSeq, index, open }: PartProps): ComponentChildren {
  const view = part.value;
  switch (view.type) {
    case 'text':
      return <TextPart text={view.text} open={open} />;
    case 'reasoning':
      return <ReasoningPart text={view.text} partKey={partKey} open={open} />;
    case 'tool':
      return <ToolCard tool={view} messageSeq={messageSeq} />;
    case 'finish':
      return <FinishPart part={view} />;
    case 'binary':
      return <BinaryPart part={view} messageSeq={messageSeq} index={index} />;
    case 'image_url':
      return <ImageUrlPart url={view.url} />;
    case 'mention':
      return <MentionPart part={view} partKey={partKey} />;
    default:
      return view satisfies never;
  }
}
