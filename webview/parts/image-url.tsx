import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { linkTarget } from '../markdown/links.ts';
import { usePanel } from '../panel.ts';
import { Icon } from '../views/elements/icon.tsx';

/** A remote image: named, never loaded (a request would tell the world what is being read). */
export function ImageUrlPart({ url }: { readonly url: string }): ComponentChildren {
  const panel = usePanel();
  const target = linkTarget(url);
  return (
    <div class="attached">
      <Icon name="file-media" />
      <span class="name">{url}</span>
      {target?.kind === 'web' && (
        <button
          type="button"
          class="link"
          onClick={() => panel.host.do('openExternal', { url: target.url })}
        >
          {l10n.t('Open in browser')}
        </button>
      )}
    </div>
  );
}
