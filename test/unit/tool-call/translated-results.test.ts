import assert from 'node:assert/strict';
import type { ToolCallRequest, ToolOutcome } from '../../../src/core/tool-call/tool-call.ts';
import { withHygiene } from '../../../src/core/tool-call/wrappers/hygiene.ts';
import { withSecretMask } from '../../../src/core/tool-call/wrappers/secret-mask.ts';
import { SecretBook } from '../../../src/core/secrets/secret-book.ts';
import { inEnglish, told } from '../../../src/domain/text/told.ts';

const SECRET = 'sk-ant-api03-of-a-test-0123456789abcdefghij';

describe('what a card translates', () => {
  it('has neither the secrets nor the hidden characters that the result had', async () => {
    const request = {
      part: { id: 'c', name: 'edit_file', input: {} },
      context: { roots: ['/w'] },
      tool: { name: 'edit_file' },
    } as unknown as ToolCallRequest;
    const found = `key = ${SECRET} \u202E`;
    const outcome = {
      result: {
        type: 'tool_result',
        content: [{ type: 'text', text: `The nearest is ${found}.` }],
        told: [told`The nearest is ${found}.`],
      },
    } as unknown as ToolOutcome;
    const masked = withSecretMask(new SecretBook(), () => true);
    const answer = await masked(withHygiene()(async () => outcome))(request);
    const [said = told``] = answer.result.told ?? [];
    assert.match(inEnglish(said), /^The nearest is key = .*<U\+202E>\.$/u);
    assert.doesNotMatch(inEnglish(said), /0123456789/u);
  });
});
