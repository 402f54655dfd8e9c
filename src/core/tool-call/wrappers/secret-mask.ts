import { Turn } from '../../../domain/lifetime/steps.ts';
import type { ResultContent } from '../../../domain/message.ts';
import type { SecretBook } from '../../secrets/secret-book.ts';
import { listedSecrets, printedSecretFile } from '../../secrets/listed-secrets.ts';
import { isSecretFile } from '../../permissions/secret-files.ts';
import { toolOf } from './lookup.ts';
import { withCardTexts } from '../result.ts';
import type { WrapToolCall } from '../tool-call.ts';

/**
 * Inside the size limit, outside hygiene. Hides the secrets in what a tool has read (security, rule
 * 9), and remembers them.
 * @param enabled the setting `secrets.maskToolOutput`; without it secrets are remembered all the
 * same
 */
export function withSecretMask(
  book: Pick<SecretBook, 'learn' | 'learnByTurns' | 'maskByTurns'>,
  enabled: () => boolean,
): WrapToolCall {
  return (next) => async (request) => {
    const outcome = await next(request);
    const { part, context } = request;
    const touched = toolOf(request).touches?.(part.input, context.roots) ?? [];
    const lines = toolOf(request).commands?.(part.input, context.roots) ?? [];
    const secretFile =
      touched.find((touch) => isSecretFile(touch.path))?.path ??
      lines.map(({ command }) => printedSecretFile(command)).find((file) => file !== undefined);
    const { content } = outcome.result;
    const turn = new Turn();
    for (const one of content) {
      if (one.type !== 'text') continue;
      await book.learnByTurns(one.text, secretFile?.split(/[/\\]/u).at(-1), turn);
      for (const { line, file } of listedSecrets(one.text)) {
        book.learn(line, file);
        await turn.pass();
      }
    }
    if (!enabled()) return outcome;
    const masked: ResultContent[] = [];
    for (const one of content)
      masked.push(
        one.type === 'text' ? { ...one, text: await book.maskByTurns(one.text, turn) } : one,
      );
    const card = await withCardTexts(outcome.result, (text) => book.maskByTurns(text, turn));
    return { ...outcome, result: { ...outcome.result, content: masked, ...card } };
  };
}
