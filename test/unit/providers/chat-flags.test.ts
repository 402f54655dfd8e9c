import assert from 'node:assert/strict';
import { chatAddress } from '../../../src/providers/chat/address.ts';
import { flagsFor } from '../../../src/providers/chat/flags.ts';

describe('Chat Completions: where it is and what it wants', () => {
  for (const [given, expected] of [
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/v1'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/v1'],
    ['https://a.example/v1/', 'https://a.example/v1'],
    ['https://a.example/v1/chat/completions', 'https://a.example/v1'],
    ['https://a.example/api/v1', 'https://a.example/api/v1'],
    ['https://a.example/openai/v1?api-version=1', 'https://a.example/openai/v1?api-version=1'],
  ] as const) {
    it(`${given} is ${expected}`, () => assert.equal(chatAddress(given), expected));
  }

  it('flags are known by host, and what a person says wins', () => {
    const of = (host: string) => flagsFor(`https://${host}/v1`);
    assert.equal(of('api.openai.com').maxTokens, 'max_completion_tokens');
    assert.equal(of('x.openai.azure.com').keyHeader, 'api-key');
    assert.equal(of('openrouter.ai').effort, 'reasoning');
    assert.deepEqual(
      [of('api.mistral.ai').ids, of('api.mistral.ai').userAfterTool],
      ['nine', false],
    );
    assert.equal(of('api.deepseek.com').reasoning, 'always');
    assert.equal(of('127.0.0.1:11434').ollama, true);
    assert.equal(of('evil-api.openai.com.example').maxTokens, 'max_tokens');
    assert.equal(flagsFor('https://api.openai.com/v1', { cache: 'none' }).cache, 'none');
  });
});
