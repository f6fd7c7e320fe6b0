/** The server answered with an error, or with something that is not an answer of the interface. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** `code` of the body; the status if the body has none. */
  readonly code: number;
  /**
   * Which error it is, by the name that docs/http.md gives it; only servers of this project tell.
   */
  readonly reason: string | undefined;
  /** Finds the request in the server's log. */
  readonly traceId: string | undefined;
  /** Milliseconds that the server asks to wait before another attempt. */
  readonly retryAfter: number | undefined;
  /** Only for queries that do not compile: where the mistake is. */
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

/** Makes the error from an answer with an error status; reads its body. */
export async function errorOf(answer: Response): Promise<ApiError> {
  const { code, message, error, detail } = membersOf(await answer.text().catch(() => ''));
  const said =
    [message, error].find((text) => typeof text === 'string') ??
    `the server answered ${answer.status} ${answer.statusText}`.trim();
  return new ApiError(said, { ...whereOf(answer), code: typeof code === 'number' ? code : answer.status, detail });
}

/**
 * The error for an answer that should be JSON but is something else, such as a proxy's page or the
 * answer of another kind of server.
 */
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
