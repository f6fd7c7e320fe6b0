/** Typical first queries, over a dataset `logs`. */
export const firstQueries: readonly string[] = [
  "logs | where status >= 500 and path has 'cart' | sort by _time desc | take 100",
  'logs | where _time between (ago(1h) .. now()) | summarize count() by bin_auto(_time), service',
  'logs | summarize count(), avg(duration), percentile(duration, 99) by path | top 10 by count_',
  "logs | search 'timeout' | project _time, service, message",
  'logs | extend host = tostring(parse_url(url).Host) | summarize dcount(user) by host',
  "logs | parse message with 'user=' user ' took ' took:long 'ms' | where took > 200",
  'logs | where trace_id in ((logs | where status >= 500 | distinct trace_id))',
  "['http-logs'] | where isnotnull(['geo.city']) | summarize count() by ['geo.city']",
  'logs | summarize failed = countif(status >= 500) * 100.0 / count() by service',
];
