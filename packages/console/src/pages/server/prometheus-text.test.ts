import { describe, expect, it } from 'vitest';
import { quantile, rate, readPrometheusText, total } from './prometheus-text.js';

const scrape = (at: number, events: number, fast: number, all: number) =>
  readPrometheusText(
    [
      '# HELP events_total Events.',
      '# TYPE events_total counter',
      `events_total ${events}`,
      `refusals_total{code="bad \\"x\\"",by="a,b"} 2`,
      `refusals_total{code="other"} 3`,
      `seconds_bucket{le="0.1"} ${fast}`,
      `seconds_bucket{le="1"} ${all}`,
      `seconds_bucket{le="+Inf"} ${all}`,
      'this is no line of it',
    ].join('\n'),
    at,
  );

describe('metrics of a server', () => {
  it('are parsed with their labels, and summed', () => {
    const read = scrape(0, 10, 0, 0);
    expect(read.series[1]).toEqual({ name: 'refusals_total', labels: { code: 'bad "x"', by: 'a,b' }, value: 2 });
    expect(total(read, 'refusals_total')).toBe(5);
    expect(total(read, 'none')).toBeUndefined();
  });

  it('that count become rates, and a restart does not make them negative', () => {
    expect(rate(scrape(0, 10, 0, 0), scrape(5000, 60, 0, 0), 'events_total')).toBe(10);
    expect(rate(scrape(0, 1000, 0, 0), scrape(5000, 50, 0, 0), 'events_total')).toBe(10);
    expect(rate(scrape(0, 1, 0, 0), scrape(0, 2, 0, 0), 'events_total')).toBeUndefined();
  });

  it('that are histograms give quantiles between two scrapes', () => {
    const before = scrape(0, 0, 100, 100);
    expect(quantile(before, scrape(1, 0, 190, 200), 'seconds', 0.5)).toBe(0.1);
    expect(quantile(before, scrape(1, 0, 190, 200), 'seconds', 0.95)).toBe(1);
    expect(quantile(before, before, 'seconds', 0.95)).toBeUndefined();
  });
});
