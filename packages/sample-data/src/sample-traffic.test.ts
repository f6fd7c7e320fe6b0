import { expect, it } from 'vitest';
import { sampleTraffic } from './sample-traffic.js';

const options = { count: 4000, end: Date.UTC(2026, 0, 1), milliseconds: 3_600_000, seed: 3 };

it('equal seeds give equal events', () => expect(sampleTraffic(options)).toEqual(sampleTraffic(options)));

it('has a fault caused by one version of one service', () => {
  const failed = sampleTraffic(options).filter(({ error }) => error !== undefined);
  expect(failed.length).toBeGreaterThan(50);
  expect(new Set(failed.map(({ version, service }) => `${service} ${version}`))).toEqual(new Set(['checkout 1.5.0']));
});
