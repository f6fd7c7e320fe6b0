import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../access/network-of.js';
import { RateLimit } from '../../access/rate-limit.js';
import { actorOf, type AuditEvent, type AuditSink } from './audit.js';
import { statusOf } from '../../errors.js';
import { type Clock, timestamp } from '../../metadata/clock.js';
import type { Metrics } from '../../metrics.js';
import type { Route } from '../route.js';
import type { Notes, Failure } from '../serve.js';
import type { RefusedIngest } from './refused-ingest.js';

interface Recorded {
  readonly metrics: Metrics;
  readonly audit: AuditSink | undefined;
  readonly clock: Clock;
  readonly refused: RefusedIngest | undefined;
}

/**
 * Records a request when it is over: in the metrics, as a line of the log, and in the audit log if
 * it belongs there.
 */
export function requestRecorder({ metrics, audit, clock, refused }: Recorded) {
  const floods = new RateLimit(1, clock);

  return (request: FastifyRequest, reply: FastifyReply, notes: Notes): void => {
    const { route, principal, failure, cut, partFailures, subject } = notes;
    const operation = route?.operation ?? 'none';
    const method = request.method;
    const path = route?.secretPath === true ? route.path : pathOf(request);
    const status = reply.statusCode;
    // To the microsecond: the further digits of the clock mean nothing.
    const seconds = Math.round(reply.elapsedTime * 1000) / 1e6;
    const actor = actorOf(principal);
    metrics.count('http_requests_total', 1, { route: operation, status: String(status) });
    metrics.observe('http_request_seconds', seconds, { route: operation });
    // If the answer was cut, its status had already been sent, or would have been if the client had
    // not left.
    request.log.info(
      { method, path, operation, status, seconds, actor, ...(cut === true && { cut }), ...failure },
      'request',
    );
    if (route?.limitFamily === 'Ingest') {
      const sender = {
        path,
        address: request.ip,
        ...(actor.tokenId !== undefined && { tokenId: actor.tokenId }),
        ...(actor.tokenName !== undefined && { tokenName: actor.tokenName }),
      };
      for (const each of failure === undefined ? partFailures : [failure, ...partFailures])
        refused?.note({ ...each, ...sender });
    }
    if (route === undefined || audit === undefined) return;

    // One event per minute and kind of refusal says as much as all of them, and so nobody can fill
    // the audit log by being refused.
    const isNews = (code: Failure['code'] | undefined): boolean =>
      floods.take(`${actor.tokenId ?? networkOf(request.ip)} ${operation} ${code}`).allowed;
    const tell = (outcome: AuditEvent['outcome'], status: number, failure?: Failure): void => {
      audit({
        _time: timestamp(clock),
        outcome,
        operation,
        method,
        path,
        status,
        ...(subject !== undefined && { subject }),
        ...failure,
        actor,
        address: request.ip,
        traceId: request.id,
      });
    };
    const outcome = outcomeOf(route, method, status, failure?.code);
    if (outcome !== undefined && (outcome !== 'refused' || isNews(failure?.code))) tell(outcome, status, failure);
    const refusedParts = partFailures.filter(({ code }) => isRefusal(statusOf(code, 403), code));
    const news = new Set([...new Set(refusedParts.map(({ code }) => code))].filter(isNews));
    // If a hundred queries of a batch were refused the same dataset, that is one refusal.
    for (const part of new Map(refusedParts.map((failure) => [failure.message, failure])).values()) {
      if (news.has(part.code)) tell('refused', statusOf(part.code, 403), part);
    }
  };
}

/**
 * What the audit log calls the outcome; undefined if the request is not audited. Of reads, queries
 * and requests with events only refusals are.
 */
function outcomeOf(
  route: Route,
  method: string,
  status: number,
  code: Failure['code'] | undefined,
): AuditEvent['outcome'] | undefined {
  if (isRefusal(status, code)) return 'refused';
  if (method === 'GET' || method === 'HEAD' || route.limitFamily !== undefined) return undefined;
  return status < 400 ? 'changed' : 'failed';
}

/**
 * A request turned away because storage is behind was not refused any right, and an audit event
 * about it would be one more to store.
 */
const isRefusal = (status: number, code: Failure['code'] | undefined): boolean =>
  code !== 'ingest-behind' && (status === 401 || status === 403 || status === 429);

/** The path as sent, without the query string, which may hold secrets. */
export function pathOf(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}
