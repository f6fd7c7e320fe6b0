import { expect, it } from 'vitest';
import { parseInstant } from '../../../data/time/instants.js';
import { landingOf } from './landing-query.js';

const now = parseInstant('2026-11-29T12:00:00Z')!;

it.each([
  [[], 'welcome'],
  [[{ name: 'empty' }], 'welcome'],
  [[{ name: 'a', maxTime: '2026-11-29T11:59:00Z' }], { dataset: 'a', from: undefined }],
  [[{ name: 'a', maxTime: '2026-11-29T10:00:00Z' }], { dataset: 'a', from: 'now-6h' }],
  [[{ name: 'a', maxTime: '2026-11-20T10:00:00Z' }], { dataset: 'a', from: 'now-30d' }],
  [[{ name: 'a', maxTime: '2001-01-01T10:00:00Z' }], { dataset: 'a', from: '1970-01-01T00:00:00Z' }],
  [
    [
      { name: 'a', maxTime: '2026-11-28T10:00:00Z' },
      { name: 'b', maxTime: '2026-11-29T11:30:00Z' },
      { name: 'c' },
      { name: 'd', maxTime: '2026-11-29T11:00:00Z' },
    ],
    { dataset: 'b', from: undefined },
  ],
  [
    [
      { name: 'logs', maxTime: '2026-11-29T11:59:58Z' },
      { name: 'traces', maxTime: '2026-11-29T11:59:59Z' },
    ],
    { dataset: 'logs', from: undefined },
  ],
])('%j', (infos, landing) => expect(landingOf(infos, now)).toEqual(landing));
