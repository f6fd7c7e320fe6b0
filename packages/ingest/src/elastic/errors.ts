import type { ErrorFormat } from '@millrace/http/errors/error-format';

/** Official clients and Logstash reject servers without this header. */
export const productHeader = { 'x-elastic-product': 'Elasticsearch' } as const;

/** Types of errors by status, as their readers know them. */
const types: Readonly<Record<number, string>> = {
  401: 'security_exception',
  403: 'security_exception',
  404: 'index_not_found_exception',
  405: 'illegal_argument_exception',
  413: 'content_too_long_exception',
  429: 'es_rejected_execution_exception',
  500: 'exception',
  503: 'unavailable_shards_exception',
};

export const typeOf = (status: number): string => types[status] ?? 'illegal_argument_exception';

export const elasticErrors: ErrorFormat = {
  doc: 'Errors are `{"error": {"type", "reason"}, "status"}`.',
  mediaType: 'application/json',
  say({ status, message }) {
    const error = { type: typeOf(status), reason: message };
    return {
      status,
      mediaType: 'application/json',
      content: JSON.stringify({ error: { root_cause: [error], ...error }, status }),
      headers: { ...productHeader, ...(status === 401 && { 'www-authenticate': 'Basic realm="millrace"' }) },
    };
  },
};
