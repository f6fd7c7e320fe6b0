import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimit } from '../access/rate-limit.js';
import { actorOf, type AuditEvent, type AuditSink } from '../audit.js';
import { statusOf } from '../errors.js';
import type { Clock } from '../metadata/clock.js';
import type { Metrics } from '../metrics.js';
import type { Route } from './route.js';
import type { Notes, Failure } from './serve.js';

export interface Recorded {
  readonly metrics: Metrics;
  readonly audit: AuditSink | undefined;
  readonly clock: Clock;
}

/** What is written down of a request when it is over: its figures, a line of the log, and what the audit log has to know. */
export function requestRecorder({ metrics, audit, clock }: Recorded) {
  const floods = new RateLimit(1, clock);

  return (request: FastifyRequest, reply: FastifyReply, notes: Notes): void => {
    const { route, principal, failure, partFailures, subject } = notes;
    const operation = route?.operation ?? 'none';
    const method = request.method;
    const path = pathOf(request);
    const status = reply.statusCode;
    // To the microsecond: the clock has digits beyond, which say nothing.
    const seconds = Math.round(reply.elapsedTime * 1000) / 1e6;
    const actor = actorOf(principal);
    metrics.count('http_requests_total', 1, { route: operation, status: String(status) });
    metrics.observe('http_request_seconds', seconds, { route: operation });
    request.log.info({ method, path, operation, status, seconds, actor, ...failure }, 'request');
    if (route === undefined || audit === undefined) return;

    // One event a minute of a kind says as much, and nobody can fill the audit log by being refused.
    const isNews = (code: Failure['code'] | undefined): boolean =>
      floods.take(`${actor.tokenId ?? request.ip} ${operation} ${code}`).allowed;
    const tell = (outcome: AuditEvent['outcome'], status: number, failure?: Failure): void => {
      audit({
        _time: new Date(clock()).toISOString(),
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
    // A hundred queries of a batch that were refused the same dataset are one refusal.
    for (const part of new Map(refusedParts.map((failure) => [failure.message, failure])).values()) {
      if (news.has(part.code)) tell('refused', statusOf(part.code, 403), part);
    }
  };
}

/** Events and queries are not audited one by one: only who was refused. */
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

/** Who comes while storing is behind was not refused anything; an event about it would be one more to store. */
const isRefusal = (status: number, code: Failure['code'] | undefined): boolean =>
  code !== 'ingest-behind' && (status === 401 || status === 403 || status === 429);

/** The path as sent, without the query string, which may hold what is nobody's business. */
export function pathOf(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}
