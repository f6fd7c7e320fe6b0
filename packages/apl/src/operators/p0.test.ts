import { beforeAll, describe, expect, it } from 'vitest';
import { printQuery } from '@millrace/sql';
import type { Catalogue } from '../catalogue.js';
import { compiled, noDatasets } from '../testing/compile-text.js';
import { testEngine } from '../testing/engine.js';
import { catalogueOf, createDataset } from '../testing/events.js';

const engine = testEngine();
let catalogue: Catalogue = noDatasets;
beforeAll(() => {
  const logs = createDataset(engine, 'logs', [
    { _time: '2024-06-15T11:10:00Z', 'method#s': 'GET', 'status#i': 200, 'duration#f': 1.5, 'geo.city#s': 'Paris', 'attributes#m': '{"http.method":"GET","user":{"id":7}}', 'level#s': 'info' },
    { _time: '2024-06-15T11:20:00Z', 'method#s': 'POST', 'status#i': 500, 'duration#f': 20, 'geo.city#s': 'Lagos', 'level#i': 3 },
    { _time: '2024-06-15T11:30:00Z', 'method#s': 'GET', 'status#i': 404, 'duration#f': null, 'level#f': 2.5, 'tags#j': '["a","b"]' },
    { _time: '2024-06-15T11:40:00Z', 'method#s': 'GET', 'status#i': 200, 'duration#f': 3, 'geo.city#s': 'Paris', 'level#s': 'error upstream_timeout' },
    { _time: '2024-06-14T11:40:00Z', 'method#s': 'PUT', 'status#i': 200 },
  ]);
  catalogue = catalogueOf(logs);
});
describe('x', () => {
  it('runs', () => {
    for (const q of [
      "logs", "logs | where status == 200 | project _time, status", "logs | where _time > ago(2d) | count",
      "logs | summarize count() by method", "logs | summarize n = count(), avg(duration), round_ = 100.0 * countif(status >= 400) / count() by method | sort by method asc",
      "logs | summarize count() by bin(_time, 30m), method", "logs | summarize count() by bin_auto(_time), method | limit 1",
      "logs | where level == 'info' or level == 3", "logs | project level, t = tostring(level)", "logs | summarize count() by level",
      "logs | where geo.city == 'Paris' | project attributes.user.id, ['attributes']['http.method']",
      "logs | where nope == 1", "logs | where method != 'GET'", "logs | where ['geo.city'] != 'Paris' | project method",
      "search in (log*) 'timeout'", "logs | search level:'upstream*' or 404 | project _time", "logs | top 2 by duration | project duration",
      "logs | distinct method", "logs | where method in ('GET', 'PUT') | take 2", "logs | where tags has 'a'", "logs | where method in ((logs | where status == 500 | project method))",
      "union logs, (logs | where status == 500) | count", "logs | summarize arg_max(duration, method, status)", "logs | extend x = toscalar(logs | count) | project x", "logs | sort by _time asc | take 1", "logs | where * has 'paris' | count", "logs | where duration > 2 and duration < 30s | count","logs | summarize percentile(duration, 50), percentile(duration, 95), topk(method, 2), make_set(status), dcount(method)",
    ]) {
      try {
        const c = compiled(q, { catalogue });
        const rows = engine.rows(c.query);
        console.log(q + '\n   ' + printQuery(c.query).slice(0, 900) + '\n   ' + JSON.stringify(c.presentation, (_, v) => typeof v === 'bigint' ? String(v) : v) + c.diagnostics.map((d) => d.message).join(';') + '\n   ' + c.output.map((o) => o.name + ':' + o.typeName).join(' ') + '\n   ' + rows.map((r) => JSON.stringify(r)).join('\n   ')+ (c.totals ? '\n  T ' + printQuery(c.totals.query).slice(0,500) + '\n ' + JSON.stringify(engine.rows(c.totals.query)) : '') + (c.counts ? '\n #' + JSON.stringify(engine.rows(c.counts)) : ''));
      } catch (e) { console.log(q + '\n   !!! ' + String(e).slice(0, 900)); }
    }
    expect(1).toBe(1);
  });
});
