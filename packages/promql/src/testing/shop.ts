import type { PointSeries } from '../run/values.js';
import { end, seriesOf } from './memory.js';

/** Series of a small shop: a point per minute from 0 on; `_` is none, `x` ends a series. */

const minute = 60_000;

const texts = `
requests_total{job=web,instance=a,code=200} 0 60 120 180 240 300 360 420 480 540 600
requests_total{job=web,instance=a,code=500} 0 1 2 3 4 5 6 7 8 9 10
requests_total{job=web,instance=b,code=200} 300 330 360 390 30 60 90 120 150 180 210
requests_total{job=api,instance=c,code=200} _ _ _ _ _ 10 20 30 _ _ _
memory{instance=a} 10 20 30 40 50 40 30 20 10 0 -10
memory{instance=b} 5 5 5 5 5 5 x _ _ _ _
memory{instance=c} 1 _ _ _ _ _ _ _ _ _ _
limit{instance=a,zone=east} 100 100 100 100 100 100 100 100 100 100 100
limit{instance=b,zone=west} 10 10 10 10 10 10 10 10 10 10 10
info{instance=a,version=1.2} 1 1 1 1 1 1 1 1 1 1 1
info{instance=b,version=1.3} 1 1 1 1 1 1 1 1 1 1 1
latency_bucket{route=/cart,le=0.1} 0 5 10 15 20 25 30 35 40 45 50
latency_bucket{route=/cart,le=0.5} 0 9 18 27 36 45 54 63 72 81 90
latency_bucket{route=/cart,le=+Inf} 0 10 20 30 40 50 60 70 80 90 100
`;

export const shop: readonly PointSeries[] = texts
  .trim()
  .split('\n')
  .map((line) => {
    const [, name = '', labels = '', values = ''] = /^(\w+)\{(.*)\} (.*)$/.exec(line) ?? [];
    const pairs = labels.split(',').map((pair) => pair.split('='));
    const points = values
      .split(' ')
      .flatMap((value, i): [number, number | typeof end][] =>
        value === '_' ? [] : [[i * minute, value === 'x' ? end : Number(value)]],
      );
    return seriesOf({ __name__: name, ...Object.fromEntries(pairs) }, points);
  });
