import { expect, it } from 'vitest';
import { sampleTraffic } from './sample-traffic.js';

const options = { count: 4000, end: Date.UTC(2026, 0, 1), milliseconds: 3_600_000, seed: 3 };

it('the same seed gives the same events', () => expect(sampleTraffic(options)).toEqual(sampleTraffic(options)));

it('has a fault that one version of one service explains', () => {
  const failed = sampleTraffic(options).filter(({ error }) => error !== undefined);
  expect(failed.length).toBeGreaterThan(50);
  expect(new Set(failed.map(({ version, service }) => `${service} ${version}`))).toEqual(new Set(['checkout 1.5.0']));
});
