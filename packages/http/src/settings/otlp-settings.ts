import type { SettingRecord } from './setting-types.js';
import { minute, second } from './setting-units.js';

/** Settings of OpenTelemetry; a part of `settingsTable`. */
export const otlpSettings = {
  otlpGrpc: {
    type: 'text',
    default: undefined,
    pattern: /^(off|((\[[0-9a-f:]+\]|[\w.-]+):)?([0-5]?\d{1,4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5]))$/i,
    expected: 'a port such as 4317, an address such as 0.0.0.0:4317, or off',
    doc: 'OTLP/gRPC listen address, or `off`; a port alone is on 127.0.0.1. Without this setting, the server listens on 127.0.0.1:4317 if that port is free. Uses `tls-cert` and `tls-key` if set.',
    reason: 'The default port of OpenTelemetry, reachable from this machine only, as HTTP is.',
  },
  otlpLogsDataset: {
    type: 'text',
    default: undefined,
    doc: 'Dataset for OTLP logs without the header `x-axiom-dataset`, over HTTP and gRPC.',
    reason: 'None by default: the sender or the operator chooses the dataset.',
  },
  otlpTracesDataset: {
    type: 'text',
    default: undefined,
    doc: 'Dataset for OTLP traces without the header `x-axiom-dataset`, over HTTP and gRPC.',
    reason: 'None by default, as for logs.',
  },
  otlpMetricsDataset: {
    type: 'text',
    default: undefined,
    doc: 'Dataset of kind `otel:metrics:v1` for OTLP metrics without the headers `x-axiom-metrics-dataset` and `x-axiom-dataset`, over HTTP and gRPC.',
    reason: 'None by default, as for logs.',
  },
  maxOtlpGrpcConnections: {
    type: 'integer',
    default: 1024,
    min: 1,
    max: 65_535,
    doc: 'Maximum OTLP/gRPC connections; the limit works as for syslog.',
    reason: 'Exporters use one connection each; each takes a file descriptor.',
  },
  maxOtlpGrpcStreams: {
    type: 'integer',
    default: 100,
    min: 1,
    max: 10_000,
    doc: 'Maximum concurrent OTLP/gRPC requests per connection; clients queue further ones.',
    reason: 'Collectors use tens. Requests waiting for authentication buffer up to 256 KiB each.',
  },
  otlpGrpcIdleTimeout: {
    type: 'duration',
    default: 15 * minute,
    min: 10 * second,
    max: 24 * 60 * minute,
    doc: 'Idle timeout of OTLP/gRPC connections.',
    reason: 'Clients reconnect with the next request.',
  },
} as const satisfies Record<string, SettingRecord>;
