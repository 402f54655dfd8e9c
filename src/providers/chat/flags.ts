import { USUAL_FLAGS } from '../../domain/models/wire-flags.ts';
import type { WireFlags } from '../../domain/models/wire-flags.ts';
import { hostOf } from '../http/address.ts';

const OPENAI = { maxTokens: 'max_completion_tokens', cache: 'key', pdf: true } as const;

/** Flags of known servers, by the end of their host, or its port. */
const HOSTS: readonly (readonly [host: RegExp, flags: Partial<WireFlags>])[] = [
  [/(?:^|\.)api\.openai\.com$/, OPENAI],
  [/\.openai\.azure\.com$|\.cognitiveservices\.azure\.com$/, { ...OPENAI, keyHeader: 'api-key' }],
  [/(?:^|\.)openrouter\.ai$/, { effort: 'reasoning', pdf: true }],
  [/\.deepseek\.com$/, { thinkingSwitch: 'thinking', reasoning: 'always' }],
  [/\.moonshot\.(?:ai|cn)$|\.kimi\.com$/, { effort: 'none', reasoning: 'always' }],
  [/\.z\.ai$|\.bigmodel\.cn$/, { thinkingSwitch: 'thinking', effort: 'none', toolStream: true }],
  [/\.together\.(?:ai|xyz)$/, { thinkingSwitch: 'reasoning.enabled', effort: 'none' }],
  [/dashscope.*\.aliyuncs\.com$/, { thinkingSwitch: 'enable_thinking', effort: 'none' }],
  [/\.mistral\.ai$/, { ids: 'nine', userAfterTool: false, effort: 'none', reasoning: 'never' }],
  [/\.cerebras\.ai$/, { maxTokens: 'max_completion_tokens', silentOverflow: true }],
  [/:11434$/, { ollama: true }],
];

/** The flags at an address, with what is known better: of the model, then what the person says. */
export function flagsFor(
  address: string,
  ...known: readonly (Partial<WireFlags> | undefined)[]
): WireFlags {
  const host = hostOf(address);
  const ofHost = HOSTS.find(([pattern]) => pattern.test(host))?.[1];
  return Object.assign({}, USUAL_FLAGS, ofHost, ...known) as WireFlags;
}

/** The headers that carry the key. */
export function chatKeyHeaders(
  key: string | undefined,
  { keyHeader }: Pick<WireFlags, 'keyHeader'>,
): Record<string, string> {
  if (key === undefined) return {};
  return keyHeader === 'api-key' ? { 'api-key': key } : { authorization: `Bearer ${key}` };
}
