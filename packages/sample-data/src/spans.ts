import { hexDigits, randomNumbers } from './random.js';
import type { SampleEvent } from './sample-traffic.js';

/** A span with the fields of OpenTelemetry spans: docs/opentelemetry.md. */
export interface SampleSpan {
  readonly _time: string;
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id?: string;
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  /** Nanoseconds. */
  readonly duration: number;
  readonly error: boolean;
  readonly 'status.code': 'OK' | 'ERROR' | 'UNSET';
  readonly 'status.message'?: string;
  readonly 'service.name': string;
  readonly 'service.version': string;
  readonly 'attributes.http.request.method'?: string;
  readonly 'attributes.http.route'?: string;
  readonly 'attributes.http.response.status_code'?: number;
  readonly 'attributes.db.system'?: string;
  readonly 'attributes.db.statement'?: string;
}

/** Calls of a service during a request: name, and maximum fraction of the request time. */
const steps: Readonly<Record<string, readonly Step[]>> = {
  gateway: [{ name: 'check session', share: 0.3 }],
  catalog: [
    { name: 'read cache', share: 0.1 },
    { name: 'SELECT items', share: 0.7, statement: 'SELECT * FROM items WHERE shop = $1 ORDER BY rank LIMIT 20' },
  ],
  checkout: [
    { name: 'SELECT cart', share: 0.2, statement: 'SELECT * FROM carts WHERE user_id = $1' },
    { name: 'POST payments:9000/charge', share: 0.7, route: '/pay' },
  ],
};

interface Step {
  readonly name: string;
  readonly share: number;
  readonly statement?: string;
  /** Only for this route. */
  readonly route?: string;
}

/** Adds nanoseconds to an RFC 3339 time. */
function later(time: string, nanoseconds: number): string {
  const total =
    BigInt(Date.parse(`${time.slice(0, 19)}Z`)) * 1_000_000n + BigInt(time.slice(20, 29)) + BigInt(nanoseconds);
  const second = new Date(Number(total / 1_000_000n)).toISOString().slice(0, 19);
  return `${second}.${String(total % 1_000_000_000n).padStart(9, '0')}Z`;
}

/** Trace of a request: spans of the gateway, of the responding service and of its steps. */
export function spansOf(event: SampleEvent): readonly SampleSpan[] {
  const random = randomNumbers(Number.parseInt(event.trace_id.slice(0, 8), 16));
  const failed = event.status >= 500;
  const outcome = (error: boolean) =>
    ({
      error,
      'status.code': error ? 'ERROR' : 'UNSET',
      ...(error && { 'status.message': event.error?.message ?? event.msg }),
    }) as const;
  const http = {
    'attributes.http.request.method': event.method,
    'attributes.http.route': event.route,
    'attributes.http.response.status_code': event.status,
  };
  const span = (service: string, more: Pick<SampleSpan, '_time' | 'name' | 'kind' | 'duration'>) => ({
    trace_id: event.trace_id,
    span_id: hexDigits(random, 16),
    ...more,
    'service.name': service,
    'service.version': service === event.service ? event.version : '1.4.2',
  });
  const duration = Math.round(event.duration_ms * 1e6);
  const name = `${event.method} ${event.route}`;
  const answering = {
    ...span(event.service, { _time: event._time, name, kind: 'server', duration }),
    ...http,
    ...outcome(failed),
  };
  const around = Math.round(400_000 + random() * 2_000_000);
  const root =
    event.service === 'gateway'
      ? undefined
      : {
          ...span('gateway', {
            _time: later(event._time, -around),
            name,
            kind: 'server',
            duration: duration + 2 * around,
          }),
          ...http,
          ...outcome(failed),
        };
  let offset = 0.02;
  const children = (steps[event.service] ?? [])
    .filter(({ route }) => route === undefined || route === event.route)
    .map((step): SampleSpan => {
      // The failed step is a timeout: it takes nearly all of the time.
      const culprit = event.error !== undefined && step.route === event.route;
      const share = culprit ? 0.97 - offset : step.share * (0.4 + 0.6 * random());
      const _time = later(event._time, Math.round(offset * duration));
      offset = Math.min(0.95, offset + share);
      const kind = step.statement === undefined && step.route === undefined ? 'internal' : 'client';
      return {
        ...span(event.service, { _time, name: step.name, kind, duration: Math.round(share * duration) }),
        parent_span_id: answering.span_id,
        ...(step.statement !== undefined && {
          'attributes.db.system': 'postgresql',
          'attributes.db.statement': step.statement,
        }),
        ...outcome(culprit),
      };
    });
  return root === undefined
    ? [answering, ...children]
    : [root, { ...answering, parent_span_id: root.span_id }, ...children];
}
