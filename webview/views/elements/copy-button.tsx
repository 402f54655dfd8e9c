import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePanel } from '../../panel.ts';
import { IconButton } from './button.tsx';

/** How long the tick is shown, in milliseconds. */
const TICK = 1200;

interface CopyButtonProps {
  readonly text: string | (() => string);
  readonly label: string;
}

/** Copies a text through the host and says so. */
export function CopyButton({ text, label }: CopyButtonProps): ComponentChildren {
  const panel = usePanel();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), TICK);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    const done = await panel.host.ask('copy', { text: typeof text === 'string' ? text : text() });
    setCopied(done !== undefined);
  };
  return (
    <IconButton
      icon={copied ? 'check' : 'copy'}
      label={copied ? l10n.t('Copied') : label}
      class="copy"
      onClick={() => void copy()}
    />
  );
}
