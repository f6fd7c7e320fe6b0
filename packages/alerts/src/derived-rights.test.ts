import { expect, it } from 'vitest';
import { needsOfMonitor } from './derived-rights.js';

const knownNames = new Set(['logs', 'traces', 'failures', 'millrace-audit', 'unrelated']);
const limitedReads = { all: false, audit: false, datasets: ['logs', 'traces'], views: ['failures'] };
const owners = { all: true, audit: true, datasets: [], views: [] };

const listNeeds = (aplQuery: string, reads = limitedReads, language: 'apl' | 'mpl' = 'apl') =>
  needsOfMonitor({ aplQuery, reads, language }, (name) => knownNames.has(name))
    .map((need) => ('name' in need ? `${need.scope} ${String(need.name)}` : need.scope))
    .toSorted();
const everyReadable = ['query failures', 'query logs', 'query traces'];

it.each([
  ['a table', "['logs'] | count", ['query logs']],
  ['a view', 'failures | count', ['query failures']],
  ['a dataset that is gone', "['deleted'] | count", ['query deleted']],
  ['a union', 'union logs, traces | count', ['query logs', 'query traces']],
  ['a join', 'logs | join (traces) on id', ['query logs', 'query traces']],
  ['a lookup', 'logs | lookup traces on id', ['query logs', 'query traces']],
  ['a subquery', 'logs | where id in ((traces | project id))', ['query logs', 'query traces']],
  ['a scalar of another table', 'logs | where n > toscalar(traces | count)', ['query logs', 'query traces']],
  ['a table of a let statement', "let t = ['traces'] | take 1; t | count", ['query traces']],
  ['an alias in a let statement', 'let t = traces; t | count', ['query traces']],
  ['a table by a string', "table('traces') | count", ['query traces']],
  ['a string of a let statement', "let n = 'traces'; table(n) | count", everyReadable],
  ['a computed name', "table(strcat('tra', 'ces')) | count", everyReadable],
  ['a wildcard', 'union lo* | count', everyReadable],
  ['a search of everything', 'search "x"', everyReadable],
  ['a query that cannot be parsed', 'logs | where (', everyReadable],
  ['an alias of the audit log', "['axiom-audit'] | count", ['query millrace-audit']],
])('%s', (_, query, needs) => expect(listNeeds(query)).toEqual(needs));

it('needs all that its writer could read, where only a run can tell', () =>
  expect(listNeeds('union *', owners)).toEqual(['query *', 'query millrace-audit']));

it('needs all that its writer could read, for a query in MPL', () =>
  expect(listNeeds('`logs`:`x`', limitedReads, 'mpl')).toEqual(everyReadable));
