import type { Agent } from './agent.ts';
import { collectorElasticsearch, collectorLoki, collectorSplunk } from './collector.ts';
import { filebeat } from './filebeat.ts';
import { rsyslog, rsyslogElasticsearch } from './rsyslog.ts';
import { syslogNg, syslogNgHttp } from './syslog-ng.ts';

/** Programs that follow files. Adding one is a file and a line. */
export const agents: Readonly<Record<string, Agent>> = {
  Filebeat: filebeat,
  "the Collector's exporter for Elasticsearch": collectorElasticsearch,
  "the Collector's exporter for Loki": collectorLoki,
  "the Collector's exporter for Splunk HEC": collectorSplunk,
  rsyslog,
  "rsyslog's output for Elasticsearch": rsyslogElasticsearch,
  'syslog-ng': syslogNg,
  "syslog-ng's output for HTTP": syslogNgHttp,
};
