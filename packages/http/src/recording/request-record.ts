import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../access/client-network.js';
import { RateLimit } from '../access/rate-limit.js';
import { actorOf, type AuditEvent, type AuditSink } from './audit.js';
import { statusOf } from '@millrace/api/errors';
import { sumTimings } from './timings.js';
import { redactPath, redactTokens } from './redact.js';
import { type Clock, timestamp } from '@millrace/metadata/clock';
import type { Metrics } from '../metrics.js';
import type { Route } from '../route.js';
import type { Notes, Failure } from '../serve.js';
import type { RefusedIngest } from './rejected-ingest.js';

interface RecorderOptions {
  readonly metrics: Metrics;
  readonly audit: AuditSink | undefined;
  readonly clock: Clock;
  readonly refused: RefusedIngest | undefined;
  /** All registered routes; they show where a path may contain a token. */
  readonly routes: readonly Route[];
}

/**
 * Records a request when it is over: in the metrics, as a line of the log, and in the audit log if
 * it belongs there. With `audit`, only in the audit log.
 */
export function requestRecorder({ metrics, audit, clock, refused, routes }: RecorderOptions) {
  const floods = new RateLimit(1, clock);

  return (request: FastifyRequest, reply: FastifyReply, notes: Notes, what?: 'audit'): void => {
    const { route, principal, cut } = notes;
    const failure = notes.failure === undefined ? undefined : redactFailure(notes.failure);
    const partFailures = notes.partFailures.map(redactFailure);
    const about = notes.identified ?? notes.subject;
    const subject = about === undefined ? undefined : redactTokens(about);
    const operation = route?.operation ?? 'none';
    const method = request.method;
    const path = route?.secretPath === true ? route.path : pathOf(request, routes);
    const status = reply.statusCode;
    // Rounded to microseconds: further digits of the clock are noise.
    const seconds = Math.round(reply.elapsedTime * 1000) / 1e6;
    const actor = actorOf(principal);
    if (what !== 'audit') {
      metrics.count('http_requests_total', 1, { route: operation, status: String(status) });
      metrics.observe('http_request_seconds', seconds, { route: operation });
      // If the response was aborted, its status was sent, or would have been if the client had
      // stayed.
      request.log.info(
        {
          method,
          path,
          operation,
          status,
          seconds,
          ...(notes.timings.length > 0 && { milliseconds: sumTimings(notes) }),
          actor,
          ...(cut === true && { cut }),
          ...failure,
        },
        'request',
      );
      if (route?.limitFamily === 'Ingest' || isLostSend(method, failure?.code)) {
        const sender = {
          path,
          address: request.ip,
          ...(actor.tokenId !== undefined && { tokenId: actor.tokenId }),
          ...(actor.tokenName !== undefined && { tokenName: actor.tokenName }),
        };
        for (const each of failure === undefined ? partFailures : [failure, ...partFailures])
          refused?.note({ ...each, ...sender });
      }
    }
    if (route === undefined || audit === undefined) return;

    // One event per minute, actor, operation and error code is enough. Otherwise clients could
    // flood the audit log with rejected requests.
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
    // The response of a page does not show that a part was refused.
    const outcome =
      route.audited === true && partFailures.length > 0 ? undefined : outcomeOf(route, method, status, failure?.code);
    if (outcome !== undefined && (outcome !== 'refused' || isNews(failure?.code))) tell(outcome, status, failure);
    const refusedParts = partFailures.filter(({ code }) => isRefusal(statusOf(code, 403), code));
    const news = new Set([...new Set(refusedParts.map(({ code }) => code))].filter(isNews));
    // A dataset that was rejected in a hundred queries of a batch counts once.
    for (const part of new Map(refusedParts.map((failure) => [failure.message, failure])).values()) {
      if (news.has(part.code)) tell('refused', statusOf(part.code, 403), part);
    }
  };
}

/**
 * Outcome in the audit log; undefined if the request is not audited. Reads, queries and ingest
 * requests are audited only if rejected.
 */
function outcomeOf(
  route: Route,
  method: string,
  status: number,
  code: Failure['code'] | undefined,
): AuditEvent['outcome'] | undefined {
  if (isRefusal(status, code)) return 'refused';
  if (route.limitFamily !== undefined || route.changesNothing === true) return undefined;
  if ((method === 'GET' || method === 'HEAD') && (route.audited !== true || status >= 400)) return undefined;
  return status < 400 ? 'changed' : 'failed';
}

/**
 * Whether a request was denied a right. Backpressure is not: an audit event for it would add to the
 * backlog.
 */
const isRefusal = (status: number, code: Failure['code'] | undefined): boolean =>
  code !== 'ingest-behind' && (status === 401 || status === 403 || status === 429);

const redactFailure = ({ code, message }: Failure): Failure => ({ code, message: redactTokens(message) });

/** The path without tokens and without the query string, which may contain secrets. */
export const pathOf = (request: FastifyRequest, routes: readonly Route[]): string =>
  redactPath(routes, sentPath(request));

/** The path as sent, without the query string. */
export function sentPath(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

/**
 * Whether a program may have sent events to a path that this server does not have: it would drop
 * them without a message to anyone.
 */
const isLostSend = (method: string, code: Failure['code'] | undefined): boolean =>
  (method === 'POST' || method === 'PUT') && (code === 'route-not-served' || code === 'route-behind-prefix');
