import { anotherTrace, someTrace } from '../data/http-logs.js';
import type { Question } from './question.js';

/**
 * Twenty typical queries of logs, one of them with another trace in each run, and two queries that
 * a dashboard repeats.
 */

/**
 * SQL for the hand-made table and for the JSON one, from one text: `{field}` becomes the column in
 * one and the typed path in the other.
 */
interface TextQuestion extends Omit<Question, 'sql' | 'json'> {
  readonly text: string;
}

const types: Readonly<Record<string, string>> = {
  _time: 'DateTime64(9)',
  status: 'Int64',
  bytes: 'Int64',
  duration_ms: 'Float64',
};

const ask = ({ text, ...rest }: TextQuestion): Question => ({
  ...rest,
  sql: text.replace(/\{(\w+)\}/g, '$1'),
  json: text
    .replace(/\{(\w+)\}/g, (_, field: string) => `data.${field}.:\`${types[field] ?? 'String'}\``)
    .replaceAll('FROM logs', 'FROM logs_json')
    .replaceAll('JOIN owners', 'JOIN owners_json'),
});

/** Hours as numbers, because the results of three systems are compared. */
const from = "'2026-11-01 00:10:00'";
const to = "'2026-11-01 00:20:00'";
const within = `{_time} >= ${from} AND {_time} < ${to}`;
const withinApl = '_time >= datetime(2026-11-01T00:10:00Z) and _time < datetime(2026-11-01T00:20:00Z)';

const searchedFields = [
  'level',
  'service',
  'host',
  'method',
  'path',
  'ip',
  'user',
  'trace_id',
  'span_id',
  'agent',
  'message',
];

const numbers = ['status', 'bytes', 'duration_ms'];
const everyField = `{_time} AS t, ${[...searchedFields, ...numbers].map((name) => `{${name}}`).join(', ')}`;
const wholeEvents = { ordered: true, columns: ['_time', ...searchedFields, ...numbers] };

export const logQuestions: readonly Question[] = [
  ask({
    name: 'count of all',
    apl: 'logs | count',
    text: 'SELECT count() FROM logs',
    duck: 'SELECT count(*) FROM logs',
  }),
  ask({
    name: 'filter on a number',
    apl: 'logs | where status >= 500 | count',
    text: 'SELECT count() FROM logs WHERE {status} >= 500',
  }),
  ask({
    name: 'filter on three fields',
    apl: "logs | where service == 'cart' and method == 'POST' and status == 404 | count",
    text: "SELECT count() FROM logs WHERE {service} = 'cart' AND {method} = 'POST' AND {status} = 404",
  }),
  ask({
    name: 'filter on ten minutes',
    apl: `logs | where ${withinApl} | summarize count(), avg(duration_ms) by service`,
    text: `SELECT {service} AS s, count() AS c, avg({duration_ms}) FROM logs WHERE ${within} GROUP BY s`,
    estimates: { 2: 1e-9 },
  }),
  ask({
    name: 'top-k of few values',
    apl: 'logs | summarize c = count() by service | top 5 by c',
    text: 'SELECT {service} AS s, count() AS c FROM logs GROUP BY s ORDER BY c DESC LIMIT 5',
  }),
  ask({
    name: 'top-k of many values',
    apl: 'logs | summarize c = count(), b = sum(bytes) by user | top 10 by b',
    text: 'SELECT {user} AS u, count() AS c, sum({bytes}) AS b FROM logs GROUP BY u ORDER BY b DESC LIMIT 10',
  }),
  ask({
    name: 'percentiles',
    apl: 'logs | summarize percentile(duration_ms, 50), percentile(duration_ms, 95), percentile(duration_ms, 99)',
    text: 'SELECT quantile(0.5)({duration_ms}), quantile(0.95)({duration_ms}), quantile(0.99)({duration_ms}) FROM logs',
    duck: 'SELECT approx_quantile(duration_ms, 0.5), approx_quantile(duration_ms, 0.95), approx_quantile(duration_ms, 0.99) FROM logs',
    // The hand-written SQL samples 8192 values: over ten million events its 95th percentile was
    // once 715, where 630 is exact.
    estimates: { 0: 0.1, 1: 0.25, 2: 0.35 },
  }),
  ask({
    name: 'percentile by service',
    apl: 'logs | summarize percentile(duration_ms, 95) by service',
    text: 'SELECT {service} AS s, quantile(0.95)({duration_ms}) FROM logs GROUP BY s',
    duck: 'SELECT service, approx_quantile(duration_ms, 0.95) FROM logs GROUP BY service',
    estimates: { 1: 0.3 },
  }),
  ask({
    name: 'histogram of time',
    apl: 'logs | summarize c = count() by bin(_time, 1m)',
    text: 'SELECT toStartOfMinute({_time}) AS t, count() FROM logs GROUP BY t',
    duck: "SELECT time_bucket(INTERVAL '1 minute', _time) AS t, count(*) FROM logs GROUP BY t",
  }),
  ask({
    name: 'histogram of time by level',
    apl: 'logs | where status >= 400 | summarize c = count() by bin(_time, 5m), level',
    text: 'SELECT toStartOfFiveMinutes({_time}) AS t, {level} AS l, count() FROM logs WHERE {status} >= 400 GROUP BY t, l',
    duck: "SELECT time_bucket(INTERVAL '5 minutes', _time) AS t, level, count(*) FROM logs WHERE status >= 400 GROUP BY t, level",
  }),
  ask({
    name: 'distinct count',
    apl: 'logs | summarize dcount(user)',
    text: 'SELECT uniq({user}) FROM logs',
    // DuckDB's own estimate is often a third off, so there the values are counted exactly.
    duck: 'SELECT count(DISTINCT "user") FROM logs',
    estimates: { 0: 0.05 },
  }),
  ask({
    name: 'distinct count by host',
    apl: 'logs | summarize dcount(ip) by host',
    text: 'SELECT {host} AS h, uniq({ip}) FROM logs GROUP BY h',
    duck: 'SELECT host, count(DISTINCT ip) FROM logs GROUP BY host',
    estimates: { 1: 0.1 },
  }),
  ask({
    name: 'regular expression',
    apl: "logs | where path matches regex '^/cart/items/[0-9]+7$' | count",
    text: "SELECT count() FROM logs WHERE match({path}, '^/cart/items/[0-9]+7$')",
    duck: "SELECT count(*) FROM logs WHERE regexp_matches(path, '^/cart/items/[0-9]+7$')",
  }),
  ask({
    name: 'part of a field, case ignored',
    apl: "logs | where message contains 'TIMED out after 9'",
    text: `SELECT ${everyField} FROM logs WHERE {message} ILIKE '%timed out after 9%' ORDER BY t DESC LIMIT 1000`,
    ...wholeEvents,
  }),
  ask({
    name: 'part of a field',
    apl: "logs | where message contains_cs 'not found after 12' | count",
    text: "SELECT count() FROM logs WHERE {message} LIKE '%not found after 12%'",
  }),
  ask({
    name: 'search in all fields',
    apl: "logs | search 'okhttp' | count",
    text: `SELECT count() FROM logs WHERE ${searchedFields.map((name) => `{${name}} ILIKE '%okhttp%'`).join(' OR ')}`,
  }),
  ask({
    name: 'newest 100 errors',
    apl: "logs | where level == 'error' | sort by _time desc | take 100 | project _time, service, message",
    text: "SELECT {_time} AS t, {service}, {message} FROM logs WHERE {level} = 'error' ORDER BY t DESC LIMIT 100",
    ordered: true,
  }),
  ask({
    name: 'newest 100, all fields',
    apl: 'logs | sort by _time desc | take 100',
    text: `SELECT ${everyField} FROM logs ORDER BY t DESC LIMIT 100`,
    ...wholeEvents,
  }),
  ask({
    name: 'one trace by its id',
    apl: `logs | where trace_id == '${someTrace}' | sort by _time asc | project _time, service, status`,
    text: `SELECT {_time} AS t, {service}, {status} FROM logs WHERE {trace_id} = '${someTrace}' ORDER BY t`,
    ordered: true,
  }),
  ask({
    name: 'another trace each time',
    value: anotherTrace,
    apl: "logs | where trace_id == '$value' | sort by _time asc | project _time, service, status",
    text: "SELECT {_time} AS t, {service}, {status} FROM logs WHERE {trace_id} = '$value' ORDER BY t",
    ordered: true,
  }),
  ask({
    name: 'join with a small table',
    apl: 'logs | where status >= 500 | join kind=inner (owners) on service | summarize c = count() by team',
    text: 'SELECT o.{team} AS t, count() AS c FROM logs AS l INNER JOIN owners AS o ON l.{service} = o.{service} WHERE l.{status} >= 500 GROUP BY t',
  }),
  ask({
    name: 'until now: errors by service',
    since: '2026-11-01T00:00:10Z',
    apl: "logs | where level == 'error' | summarize c = count() by service",
    text: "SELECT {service} AS s, count() AS c FROM logs WHERE {_time} >= $from AND {_time} < $to AND {level} = 'error' GROUP BY s",
  }),
  ask({
    name: 'until now: newest 100',
    since: '2026-11-01T00:00:10Z',
    apl: 'logs | sort by _time desc | take 100',
    text: `SELECT ${everyField} FROM logs WHERE {_time} >= $from AND {_time} < $to ORDER BY t DESC LIMIT 100`,
    ...wholeEvents,
  }),
];
