import type { RunEvent } from '../../domain/event.ts';
import { BelayError } from '../../domain/failure.ts';
import { isLoopback, withoutPassword } from '../../providers/http/address.ts';
import { HttpClient, HttpRefusal } from '../../providers/http/client.ts';
import type { WireName } from '../../providers/instance.ts';
import { RefusedSpans } from '../../telemetry/span-exporter.ts';
import { Telemetry } from '../../telemetry/telemetry.ts';
import type { Engine } from '../engine.ts';
import type { TelemetryHost } from './telemetry-host.ts';

/** Where traces go, and with what. */
export interface Collector {
  /** Of the request, whole. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Variables of the environment with headers of requests; the first that is set counts. */
const HEADERS = ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS'] as const;

/** Statuses after which the same may be taken later. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

export function exportTelemetry(
  { store, secrets, names }: Pick<Engine, 'store' | 'secrets' | 'names'>,
  host: TelemetryHost,
  events: AsyncIterable<RunEvent>,
): Telemetry {
  const { clock, log, settings, version, environment } = host;
  // One value a line, as in a file of secrets.
  for (const name of HEADERS)
    secrets.learn((environment[name] ?? '').replaceAll(',', '\n'), `the variable ${name}`);
  return new Telemetry(events, {
    clock,
    log,
    version,
    content: () => settings('telemetry.content'),
    parentOf: async (sessionId) => (await store.transcripts.session(sessionId))?.parentId,
    providerOf: (model) => PROVIDERS[names.addressOf(model).instance.wire],
    mask: async (text) => secrets.maskByTurns(text),
    post: async (body, signal) => {
      const key = await host.key();
      if (key !== undefined) secrets.learn(key, 'the key of the collector');
      await post(host, key, body, signal);
    },
  });
}

/** `gen_ai.provider.name` of the conventions, by the wire. */
const PROVIDERS: Readonly<Record<WireName, string>> = {
  messages: 'anthropic',
  chat: 'openai',
  responses: 'openai',
  gemini: 'gcp.gemini',
  'vscode-lm': 'vscode',
  demo: 'belay',
};

async function post(
  host: TelemetryHost,
  key: string | undefined,
  body: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<void> {
  const collector = collectorOf(host, key);
  if (collector === undefined) throw new RefusedSpans('No collector is named any more.');
  const { address, headers } = collector;
  if (address.startsWith('http:') && !isLoopback(address) && Object.keys(headers).length > 0)
    throw new RefusedSpans(
      `Nothing was sent to ${withoutPassword(address)}: the key would have gone unencrypted. Name an https address.`,
    );
  const client = new HttpClient({
    apiKey: async () => Promise.resolve(key),
    address: () => address,
    headers: () => headers,
    setting: 'belay.telemetry.otlpEndpoint',
  });
  try {
    const response = await client.post('', [body], signal);
    await response.body?.cancel();
  } catch (error) {
    // A redirect to somewhere else, or an address that nothing can be sent to.
    if (error instanceof BelayError) throw new RefusedSpans(error.message);
    if (!(error instanceof HttpRefusal)) throw error;
    const { status = 0 } = error.refusal;
    throw PASSING.has(status) ? error : new RefusedSpans(error.message);
  }
}

/** The collector of the settings, else, where the person says so, that of the environment. */
export function collectorOf(
  { settings, environment }: Pick<TelemetryHost, 'settings' | 'environment'>,
  key: string | undefined,
): Collector | undefined {
  const own = settings('telemetry.otlpEndpoint').trim();
  if (own !== '') {
    const name = settings('telemetry.keyHeader');
    const value = name === 'authorization' && key?.includes(' ') === false ? `Bearer ${key}` : key;
    return { address: tracesAt(own), headers: value === undefined ? {} : { [name]: value } };
  }
  if (!settings('telemetry.useEnvironment')) return undefined;
  const traces = environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']?.trim() ?? '';
  const base = environment['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim() ?? '';
  const address = traces === '' ? (base === '' ? '' : tracesAt(base)) : traces;
  if (!/^https?:\/\//.test(address)) return undefined;
  const list = HEADERS.map((name) => environment[name]).find((value) => value !== undefined) ?? '';
  return { address, headers: headersFrom(list) };
}

/** The address for traces below that of a collector. */
function tracesAt(endpoint: string): string {
  const [plain = '', query] = endpoint.split('?', 2);
  const base = plain.replace(/\/+$/, '');
  const address = base.endsWith('/v1/traces') ? base : `${base}/v1/traces`;
  return query === undefined ? address : `${address}?${query}`;
}

/** `NAME=VALUE,NAME=VALUE`, values percent-encoded. */
function headersFrom(list: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    list.split(',').flatMap((pair) => {
      const at = pair.indexOf('=');
      const name = pair.slice(0, at).trim().toLowerCase();
      if (at < 1 || !/^[\w-]+$/.test(name)) return [];
      const value = pair.slice(at + 1).trim();
      try {
        return [[name, decodeURIComponent(value)]];
      } catch {
        return [[name, value]];
      }
    }),
  );
}
