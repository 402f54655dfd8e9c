import { type Setting, flag, text } from './setting.ts';

/** Settings about traces of runs; without them nothing is sent to anybody. */
export const TELEMETRY_SETTINGS = {
  'telemetry.otlpEndpoint': text(
    '',
    'application',
    'Address of an OpenTelemetry collector that traces of runs are sent to, such as `http://127.0.0.1:4318`. Empty: nothing is sent. Models, tools, tokens and times go there, but no prompts, answers or files.',
    '^$|^https?://.*',
  ),
  'telemetry.useEnvironment': flag(
    false,
    'application',
    'Where no collector is set: take the one in the variables `OTEL_EXPORTER_OTLP_ENDPOINT` and `OTEL_EXPORTER_OTLP_HEADERS` of the environment.',
  ),
  'telemetry.keyHeader': text(
    'authorization',
    'application',
    'Header that takes the collector’s key, which *Belay: Set Telemetry Key…* keeps. In `authorization` it goes as a bearer token, unless it has a scheme.',
    '^[a-z][a-z0-9-]{0,60}$',
  ),
  'telemetry.content': flag(
    false,
    'application',
    'Send messages, answers, arguments and results of tools to the collector, too. Known secrets are left out.',
  ),
} as const satisfies Record<string, Setting>;
