import { Type } from 'typebox';
import type { ErrorForm } from '../http/errors/error-form.js';
import { named, optional } from '../schemas/parts.js';

/** Errors of dashboards, whose code is a word: here, and nowhere else in the interface. */
export const dashboardErrors: ErrorForm = {
  doc: 'The `code` of an error is a word here, such as `invalid_dashboard`, and where versions differ it has `uid` and `currentVersion`.',
  mediaType: 'application/json',
  schema: named(
    'DashboardError',
    Type.Object({
      code: Type.String({ description: '`invalid_dashboard`, `version_conflict`, `already_exists`, `not_found`, …' }),
      message: Type.String({ description: 'What is wrong, where, and how to put it right.' }),
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
