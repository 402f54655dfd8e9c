// The part of the SDK that Belay uses. A module of its own, loaded lazily: through it the bundler sees
// that the resources around the transport, three quarters of the SDK, are not needed.
export { BaseAnthropic } from '@anthropic-ai/sdk/client';
