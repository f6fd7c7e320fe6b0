import { alertmanager } from './alertmanager/protocol.js';
import { cloudevents } from './cloudevents/protocol.js';
import { datadog } from './datadog/protocol.js';
import { elastic } from './elastic/protocol.js';
import { firehose } from './firehose/protocol.js';
import { fluentd } from './fluentd/protocol.js';
import { gelf } from './gelf/protocol.js';
import { heroku } from './heroku/protocol.js';
import { honeycomb } from './honeycomb/protocol.js';
import { journald } from './journald/protocol.js';
import { loki } from './loki/protocol.js';
import { prometheus } from './prometheus/protocol.js';
import type { Protocol } from './protocol.js';
import { sentry } from './sentry/protocol.js';
import { splunk } from './splunk/protocol.js';
import { syslog } from './syslog/protocol.js';
import { vercel } from './vercel/protocol.js';
import { webhook } from './webhook/protocol.js';

/** The protocols of other products, each in a folder of its name. */
export const protocols = {
  vercel,
  splunk,
  elastic,
  loki,
  firehose,
  heroku,
  datadog,
  honeycomb,
  syslog,
  fluentd,
  journald,
  webhook,
  prometheus,
  gelf,
  alertmanager,
  sentry,
  cloudevents,
} as const satisfies Record<string, Protocol>;

export type ProtocolName = keyof typeof protocols;
