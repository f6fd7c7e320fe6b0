/** Names of variables that clients, transports and SDKs read, with their values for a server. */

interface Address {
  readonly url: string;
  readonly token: string;
  /** Dataset of all events; without it, OTLP logs go to `logs` and spans to `traces`. */
  readonly dataset?: string;
}

/** SDKs that batch send after this many milliseconds instead of seconds. */
const otelDelay = '50';

/**
 * Variables for `@axiomhq/js` and the transports for pino and winston (`AXIOM_*`), OpenTelemetry
 * SDKs (`OTEL_*`), and the `millrace` command and its client (`MILLRACE_*`).
 */
export function environmentFor({ url, token, dataset }: Address): Readonly<Record<string, string>> {
  const headers = [`Authorization=Bearer%20${token}`];
  if (dataset !== undefined) headers.push(`X-Axiom-Dataset=${dataset}`);
  return {
    AXIOM_URL: url,
    AXIOM_TOKEN: token,
    AXIOM_ORG_ID: 'millrace',
    AXIOM_DATASET: dataset ?? 'logs',
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_HEADERS: headers.join(','),
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_BSP_SCHEDULE_DELAY: otelDelay,
    OTEL_BLRP_SCHEDULE_DELAY: otelDelay,
    MILLRACE_URL: url,
    MILLRACE_TOKEN: token,
  };
}
