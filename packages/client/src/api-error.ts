/** An error response, or a response that is not of this API. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** `code` of the body, or the status. */
  readonly code: number;
  /** Name of the error, from docs/http/errors.md; only Millrace servers send it. */
  readonly reason: string | undefined;
  /** Identifies the request in the server's log. */
  readonly traceId: string | undefined;
  /** Milliseconds to wait before a retry, as requested by the server. */
  readonly retryAfter: number | undefined;
  /** Position of the error, for queries that do not compile. */
  readonly detail: unknown;

  constructor(message: string, more: Omit<ApiError, keyof Error>, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = more.status;
    this.code = more.code;
    this.reason = more.reason;
    this.traceId = more.traceId;
    this.retryAfter = more.retryAfter;
    this.detail = more.detail;
  }
}

/** Creates the error from an error response; reads its body. */
export async function errorOf(answer: Response): Promise<ApiError> {
  const { code, message, error, detail } = membersOf(await answer.text().catch(() => ''));
  const messageText =
    [message, error].find((text) => typeof text === 'string') ??
    `the server answered ${answer.status} ${answer.statusText}`.trim();
  return new ApiError(messageText, {
    ...whereOf(answer),
    code: typeof code === 'number' ? code : answer.status,
    detail,
  });
}

/** Error for a response that should be JSON, such as a proxy's HTML page. */
export function notJson(answer: Response, cause: unknown): ApiError {
  const where = whereOf(answer);
  return new ApiError('the server answered something that is not JSON', { ...where, code: where.status }, cause);
}

const whereOf = (answer: Response) => ({
  status: answer.status,
  reason: answer.headers.get('x-millrace-error') ?? undefined,
  traceId: answer.headers.get('x-axiom-trace-id') ?? undefined,
  retryAfter: waitOf(answer.headers.get('retry-after')),
  detail: undefined,
});

/** `Retry-After` is seconds or a date. */
function waitOf(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const milliseconds = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
