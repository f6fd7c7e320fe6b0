/** The server answered, and not with what was asked for. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** `code` of the body; the status where the body has none. */
  readonly code: number;
  /** Finds the request in the server's log. */
  readonly traceId: string | undefined;
  /** Only of queries that do not compile: where the mistake is. */
  readonly detail: unknown;

  constructor(message: string, more: Pick<ApiError, 'status' | 'code' | 'traceId' | 'detail'>, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = more.status;
    this.code = more.code;
    this.traceId = more.traceId;
    this.detail = more.detail;
  }
}

/** The error for an answer that is one; reads its body. */
export async function errorOf(answer: Response): Promise<ApiError> {
  const { code, message, detail } = membersOf(await answer.text().catch(() => ''));
  const said =
    typeof message === 'string' ? message : `the server answered ${answer.status} ${answer.statusText}`.trim();
  return new ApiError(said, { ...whereOf(answer), code: typeof code === 'number' ? code : answer.status, detail });
}

/** The error for an answer that should be JSON and is something else: a proxy's page, or another kind of server. */
export function notJson(answer: Response, cause: unknown): ApiError {
  const where = whereOf(answer);
  return new ApiError('the server answered something that is not JSON', { ...where, code: where.status }, cause);
}

const whereOf = (answer: Response) => ({
  status: answer.status,
  traceId: answer.headers.get('x-axiom-trace-id') ?? undefined,
  detail: undefined,
});

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
