import { told } from '../../domain/text/told.ts';
import { fault } from '../../domain/failure.ts';
import { shownPath } from '../workspace-path.ts';
import type { LanguageParts } from './language-parts.ts';

/** Nothing was found: when that is because nobody serves the language, the model must know. */
export async function requireServer(
  { language }: LanguageParts,
  path: string,
  roots: readonly string[],
): Promise<void> {
  const known = await language.servers.served(path);
  if (known.served) return;
  const message = told`No extension in this editor serves the language ${JSON.stringify(known.language)} of ${shownPath(path, roots)}, so nothing is known of its symbols. Use search_text and read_file instead.`;
  throw fault('not_found', message);
}
