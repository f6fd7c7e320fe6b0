import type { ErrorFormat } from '@millrace/http/errors/error-format';

/** What MCP clients expect of a request without a valid token: 401, and the scheme to use. */
export const mcpErrors: ErrorFormat = {
  doc: 'A missing or invalid token is answered with 401.',
  mediaType: 'application/json',
  say: ({ code, status, message, body }) => {
    const content = JSON.stringify({ code, message, ...body });
    if (code !== 'unauthenticated') return { status, mediaType: 'application/json; charset=utf-8', content };
    const headers = { 'www-authenticate': 'Bearer realm="millrace"' };
    return { status: 401, mediaType: 'application/json; charset=utf-8', content, headers };
  },
};
