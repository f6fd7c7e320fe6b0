import { hexDigits, randomNumbers } from './random.js';

/**
 * Sample events: an hour of requests to a small shop, with a fault in the middle. Deterministic per
 * seed, so that tests can rely on them.
 */

export interface SampleEvent {
  readonly _time: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly service: string;
  readonly host: string;
  readonly version: string;
  readonly msg: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly bytes: number;
  readonly trace_id: string;
  readonly user_id?: string;
  readonly error?: { readonly type: string; readonly message: string };
}

interface SampleOptions {
  readonly count: number;
  /** Time of the last event in milliseconds since the epoch. */
  readonly end: number;
  readonly milliseconds: number;
  readonly seed: number;
  /** Part of the hour to generate, as fractions; all of it by default. The fault has ended at 1. */
  readonly part?: { readonly from: number; readonly to: number };
}

const services = [
  { name: 'gateway', routes: ['/', '/login', '/search'], slow: 12 },
  { name: 'catalogue', routes: ['/items', '/items/{id}', '/search'], slow: 35 },
  { name: 'checkout', routes: ['/cart', '/pay', '/orders'], slow: 90 },
] as const;

/** In this part of the hour, as fractions, the new version of one service fails often. */
export const fault = { service: 'checkout', version: '1.5.0', from: 0.55, to: 0.72 } as const;

export function sampleTraffic({
  count,
  end,
  milliseconds,
  seed,
  part = { from: 0, to: 1 },
}: SampleOptions): readonly SampleEvent[] {
  const random = randomNumbers(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  return Array.from({ length: count }, (_, index) => {
    const share = index / Math.max(1, count - 1);
    const time = part.from + (part.to - part.from) * share;
    const service = pick(services);
    const isNew = service.name === fault.service && time >= fault.from && random() < 0.5;
    const failing = isNew && time < fault.to && random() < 0.6;
    const route = failing ? '/pay' : pick(service.routes);
    const status = failing ? 500 : random() < 0.02 ? pick([400, 404, 429]) : random() < 0.004 ? 503 : 200;
    const duration = service.slow * (0.3 - Math.log(1 - random())) * (failing ? 8 : 1);
    const level = status >= 500 ? 'error' : status >= 400 ? 'warn' : random() < 0.1 ? 'debug' : 'info';
    const method = route === '/pay' || route === '/login' ? 'POST' : 'GET';
    // Nanosecond precision, like server clocks.
    const at = new Date(Math.round(end - (1 - share) * milliseconds));
    const nanoseconds = String(Math.floor(random() * 1e6)).padStart(6, '0');
    return {
      _time: at.toISOString().replace('Z', `${nanoseconds}Z`),
      level,
      service: service.name,
      host: `${service.name}-${1 + Math.floor(random() * 3)}`,
      version: isNew ? fault.version : '1.4.2',
      msg: failing ? 'payment failed: upstream timed out' : `${method} ${route} ${status}`,
      method,
      route,
      status,
      duration_ms: Math.round(duration * 1000) / 1000,
      bytes: Math.floor(200 + random() * 20_000),
      trace_id: hexDigits(random, 32),
      ...(random() < 0.6 && { user_id: `u${Math.floor(random() * 400)}` }),
      ...(failing && { error: { type: 'TimeoutError', message: 'no answer from payments:9000 after 3000 ms' } }),
    };
  });
}
