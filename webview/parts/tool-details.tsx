import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { ToolDetail } from '../../src/protocol/view.ts';
import { usePanel } from '../panel.ts';
import { FileSubject } from '../views/elements/file-link.tsx';
import { Icon } from '../views/elements/icon.tsx';

/** The parts of a call, a row for each: files of a patch, steps of a plan, answers. */
export function ToolDetails({
  details,
}: {
  readonly details: readonly ToolDetail[];
}): ComponentChildren {
  const panel = usePanel();
  if (details.length === 0) return null;
  return (
    <ul class="details">
      {details.map(({ icon, text, note, file, url, problem }, index) => (
        <li key={index} class={problem ? 'is-problem' : undefined}>
          <Icon name={icon} {...(problem ? { label: l10n.t('not done') } : {})} />
          {url !== null ? (
            <button
              type="button"
              class="detail-text link"
              title={url}
              onClick={() => panel.host.do('openExternal', { url, shown: text })}
            >
              {text}
            </button>
          ) : file === null ? (
            <span class="detail-text">{text}</span>
          ) : (
            <FileSubject tool={{ subject: text, file }} />
          )}
          {note !== '' && <span class="detail-note">{note}</span>}
        </li>
      ))}
    </ul>
  );
}
