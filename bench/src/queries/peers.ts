import { anotherTrace } from '../data/http-logs.js';

/** Typical queries of a log store, in APL and in LogsQL of VictoriaLogs. */

export interface PeerQuestion {
  readonly name: string;
  readonly apl: string;
  readonly logsQl: string;
  /** The columns of both results, in this order. */
  readonly columns: readonly string[];
  /** Value of `$value` in a run, numbered from 0; different in each run. */
  readonly value?: (run: number) => string;
  /** Columns that are estimates: their number, from 0, and the share by which they may differ. */
  readonly estimates?: Readonly<Record<number, number>>;
  readonly ordered?: boolean;
  /** How much of the peer's CPU time ours may take. */
  readonly atMost?: number;
}

const count = { columns: ['n'] } as const;

/** Users late in the alphabet of ids are rare. */
const anotherUser = (run: number): string => `u-${77_777 - 13 * run}`;

/** Words that occur in no event. */
const nobody = (run: number): string => `zq${run}wkx`;

const range = '_time:[2026-11-01T00:10:00Z, 2026-11-01T00:20:00Z)';
const rangeApl = '_time >= datetime(2026-11-01T00:10:00Z) and _time < datetime(2026-11-01T00:20:00Z)';

export const peerQuestions: readonly PeerQuestion[] = [
  {
    name: 'a word in any field',
    value: anotherUser,
    apl: "logs | search '$value' | summarize n = count()",
    logsQl: '*:"$value" | stats count() n',
    ...count,
    atMost: 1,
  },
  {
    name: 'a word that is nowhere',
    value: nobody,
    apl: "logs | search '$value' | summarize n = count()",
    logsQl: '*:"$value" | stats count() n',
    ...count,
    atMost: 1,
  },
  {
    name: 'a word in the message',
    value: anotherUser,
    apl: "logs | where message has '$value' | summarize n = count()",
    logsQl: '_msg:"$value" | stats count() n',
    ...count,
    atMost: 1,
  },
  {
    name: 'one user',
    value: anotherUser,
    apl: "logs | where user == '$value' | summarize n = count()",
    logsQl: 'user:="$value" | stats count() n',
    ...count,
    atMost: 1,
  },
  {
    name: 'one trace',
    value: anotherTrace,
    apl: "logs | where trace_id == '$value' | sort by _time asc | project _time, service, status",
    logsQl: 'trace_id:="$value" | fields _time, service, status | sort by (_time)',
    columns: ['_time', 'service', 'status'],
    ordered: true,
    atMost: 1,
  },
  {
    name: 'three fields',
    apl: "logs | where service == 'cart' and method == 'POST' and status == 404 | summarize n = count()",
    logsQl: 'service:=cart method:=POST status:=404 | stats count() n',
    ...count,
  },
  {
    name: 'status of 500 and more',
    apl: 'logs | where status >= 500 | summarize n = count()',
    logsQl: 'status:>=500 | stats count() n',
    ...count,
  },
  {
    name: 'count in a range',
    apl: `logs | where ${rangeApl} | summarize n = count()`,
    logsQl: `${range} | stats count() n`,
    ...count,
  },
  {
    name: 'ten minutes, mean by service',
    apl: `logs | where ${rangeApl} | summarize n = count(), a = avg(duration_ms) by service`,
    logsQl: `${range} | stats by (service) count() n, avg(duration_ms) a`,
    columns: ['service', 'n', 'a'],
    estimates: { 2: 1e-9 },
  },
  {
    name: 'ten paths',
    apl: 'logs | summarize n = count() by path | sort by n desc, path asc | take 10',
    logsQl: '* | stats by (path) count() n | sort by (n desc, path) limit 10',
    columns: ['path', 'n'],
  },
  {
    name: '95th percentile by service',
    apl: 'logs | summarize p = percentile(duration_ms, 95) by service',
    logsQl: '* | stats by (service) quantile(0.95, duration_ms) p',
    columns: ['service', 'p'],
    estimates: { 1: 0.3 },
  },
  {
    name: 'part of the message',
    apl: "logs | where message contains_cs 'not found after 12' | summarize n = count()",
    logsQl: '_msg:~"not found after 12" | stats count() n',
    ...count,
  },
  {
    name: 'regular expression',
    apl: "logs | where path matches regex '^/cart/items/[0-9]+7$' | summarize n = count()",
    logsQl: 'path:~"^/cart/items/[0-9]+7$" | stats count() n',
    ...count,
  },
  {
    name: 'newest 100 errors',
    apl: "logs | where level == 'error' | sort by _time desc | take 100 | project _time, service, message",
    logsQl: 'level:=error | sort by (_time desc) limit 100 | fields _time, service, _msg | rename _msg as message',
    columns: ['_time', 'service', 'message'],
    ordered: true,
  },
  {
    name: 'newest 100',
    apl: 'logs | sort by _time desc | take 100 | project _time, user, span_id',
    logsQl: '* | sort by (_time desc) limit 100 | fields _time, user, span_id',
    columns: ['_time', 'user', 'span_id'],
    ordered: true,
  },
];
