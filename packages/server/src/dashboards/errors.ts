import { Type } from 'typebox';
import type { ErrorFormat } from '@millrace/http/errors/error-format';
import { withTitle, optional } from '@millrace/api/schemas/parts';

/** Errors of dashboards, whose code is a word: here, and nowhere else in the interface. */
export const dashboardErrors: ErrorFormat = {
  doc: 'The `code` of an error is a word here, such as `invalid_dashboard`, and where versions differ it has `uid` and `currentVersion`.',
  mediaType: 'application/json',
  schema: withTitle(
    'DashboardError',
    Type.Object({
      code: Type.String({ description: '`invalid_dashboard`, `version_conflict`, `already_exists`, `not_found`, …' }),
      message: Type.String({ description: 'The errors, their positions and how to fix them.' }),
      uid: optional(Type.String()),
      currentVersion: optional(Type.Integer()),
    }),
  ),
  say: ({ code, status, body }) => ({
    status,
    mediaType: 'application/json; charset=utf-8',
    content: JSON.stringify({ ...body, code: code.replaceAll('-', '_') }),
  }),
};
