import { describe, expect, it } from 'vitest';
import { readPrometheusText } from './prometheus-text.js';
import { tiles, valuesOf } from './tile-table.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const tile = (id: string) => tiles.find((each) => each.id === id)!;

describe('tiles', () => {
  it('show metrics that the server has', () => {
    const documented = readFileSync(join(import.meta.dirname, '../../../../../docs/server-metrics.md'), 'utf8');
    const source = readFileSync(join(import.meta.dirname, 'tile-table.ts'), 'utf8');
    for (const [name] of source.matchAll(/millrace_\w+/g)) expect(documented).toContain(`\`${name}\``);
  });

  it('have advice for every state that is not good', () => {
    for (const { verdict, advice } of tiles) expect(advice === undefined).toBe(verdict === undefined);
  });

  it('are bad about queues only if they grow for minutes', () => {
    const { verdict } = tile('pending');
    const growing = Array.from({ length: 30 }, (_, at) => at * 1000);
    expect(verdict!(growing)).toBe('bad');
    expect(verdict!([...growing, 10])).toBe('good');
    expect(verdict!(growing.map(() => 5))).toBe('good');
    expect(verdict!(growing.slice(0, 5))).toBe('good');
  });

  it('are gauges from the first scrape, and rates from the second', () => {
    const scrapes = [0, 5000].map((at) =>
      readPrometheusText(`millrace_log_bytes 7\nmillrace_ingest_events_total ${at}`, at),
    );
    expect(valuesOf(tile('log'), scrapes)).toEqual([7, 7]);
    expect(valuesOf(tile('events'), scrapes)).toEqual([undefined, 1000]);
  });
});
