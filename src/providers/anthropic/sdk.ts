// The part of the SDK that Belay uses, lazily: the bundler leaves three quarters of it out.
export { BaseAnthropic } from '@anthropic-ai/sdk/client';
