/**
 * The test or conformance run that each configuration of `docs` for senders is tied to. Parts are
 * text that the configuration and the run have in common, so that they change together.
 */

interface Run {
  /** In `tests` or `packages`. */
  readonly file: string;
  readonly parts: readonly string[];
}

/** The heading of a configuration, and the beginning of its text. */
type Name = `${string} | ${string}`;

export type DocumentedPage = 'docs/shippers.md' | 'docs/opentelemetry.md' | 'docs/sources.md';

const agents = 'tests/conformance/shippers/agents';
const noPackage = 'the program is not in a package registry';
const service = 'the service cannot be reached from a test';
const collectorByHand = 'tried by hand with version 0.165: the Collector of the runs has other exporters';
const goShippers = 'tests/conformance/go-shippers.clients.ts';

/** A run, or why there is none. */
export const documentedRuns: Readonly<Record<DocumentedPage, Readonly<Record<Name, Run | string>>>> = {
  'docs/shippers.md': {
    'Shippers | npx millrace token create': { file: 'tests/command-line.test.ts', parts: ['token', '--dataset'] },
    'Log files | npx millrace ingest': {
      file: 'packages/cli/src/follow/follow-directory.test.ts',
      parts: ['follow'],
    },
    'Splunk HEC | curl': {
      file: 'packages/ingest/src/protocol-events.test.ts',
      parts: ['/services/collector/event'],
    },
    'Splunk HEC | # syslog-ng': {
      file: `${agents}/syslog-ng.ts`,
      parts: ['"time":$S_UNIXTIME.$S_USEC', '$(format-json message=$MSG application=$PROGRAM)', 'retries(1000000)'],
    },
    'Splunk HEC | docker run': { file: goShippers, parts: ['splunk'] },
    'Elasticsearch | # filebeat.yml': {
      file: `${agents}/filebeat.ts`,
      parts: ['api_key', 'allow_older_versions: true', 'setup.ilm.enabled', 'setup.template.enabled'],
    },
    'Elasticsearch | # rsyslog': {
      file: `${agents}/rsyslog.ts`,
      parts: [
        'property(outname="@timestamp" name="timereported" dateFormat="rfc3339" format="jsonf")',
        'bulkmode="on"',
      ],
    },
    'Loki | // config.alloy': noPackage,
    'Loki | # promtail.yml': noPackage,
    'Cloudflare Logpush | curl': service,
    'Syslog | MILLRACE_SYSLOG_LISTENERS': {
      file: 'tests/conformance/system-shippers.clients.ts',
      parts: ['MILLRACE_SYSLOG_LISTENERS', 'tcp://'],
    },
    'Syslog | # rsyslog': {
      file: `${agents}/rsyslog.ts`,
      parts: ['action(type="omfwd"', 'template="RSYSLOG_SyslogProtocol23Format" TCP_Framing="octet-counted"'],
    },
    'Syslog | # syslog-ng': { file: `${agents}/syslog-ng.ts`, parts: ['transport("tcp")', 'flags(flow-control)'] },
    'Fluentd forward | MILLRACE_FLUENTD_SHARED_KEY': {
      file: 'tests/conformance/shippers.clients.ts',
      parts: ['MILLRACE_FLUENTD_SHARED_KEY', 'MILLRACE_FLUENTD_LISTENERS'],
    },
    'Fluentd forward | # fluentd': noPackage,
    'Fluentd forward | # fluent-bit': noPackage,
    'GELF | MILLRACE_GELF_LISTENERS': {
      file: 'packages/ingest/src/sockets/listeners.test.ts',
      parts: ['udp://', 'tcp://'],
    },
    'GELF | docker run': noPackage,
    'journald upload | # /etc/systemd': {
      file: 'tests/conformance/system-shippers.clients.ts',
      parts: ['://axiom:', '/journald'],
    },
    'Alertmanager, CloudEvents and Sentry | # alertmanager.yml': noPackage,
    'Alertmanager, CloudEvents and Sentry | // JavaScript':
      'recorded envelopes are sent; @sentry/node is no dependency',
    'Heroku | heroku drains:add': service,
    'Datadog agent | # datadog.yaml': noPackage,
    'Telegraf | # telegraf.conf': noPackage,
    "OpenTelemetry's Collector | exporters:": {
      file: `${agents}/collector.ts`,
      parts: ['splunk_hec', 'loki', 'elasticsearch', 'logs_index', 'max_requests: 1000'],
    },
  },
  'docs/opentelemetry.md': {
    'Point an exporter at it | export OTEL': {
      file: 'tests/otlp.test.ts',
      parts: ['OTEL_EXPORTER_OTLP_ENDPOINT', 'Authorization=Bearer%20', 'X-Axiom-Dataset='],
    },
    'Point an exporter at it | curl': { file: 'packages/ingest/src/otlp/routes.test.ts', parts: ['otel:traces:v1'] },
    'Point an exporter at it | exporters:': collectorByHand,
    'gRPC | exporters:': collectorByHand,
    'gRPC | export OTEL': { file: 'tests/otlp.test.ts', parts: ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc'] },
    'Queries | otel |': { file: 'tests/otlp.test.ts', parts: ["where kind == 'server'", 'where trace_id =='] },
  },
  'docs/sources.md': {
    'Sources | curl': {
      file: 'tests/conformance/kafka.clients.ts',
      parts: ['/v2/sources', 'kafka', 'brokers', 'topics'],
    },
  },
};
