import { ApiError } from '@millrace/client';
import { expect, it } from 'vitest';
import { AnswerError } from '../connection/client.js';
import { messageOf } from '../system-errors.js';
import { memoryIo } from '../testing/memory-io.js';
import { showPlace } from './text.js';

it.each(['\n', '\r\n', '\r'])('a position in a query whose lines end in %j', (mark) => {
  const detail = { line: 2, column: 3, message: 'no' };
  const error = new AnswerError(
    new ApiError('no', {
      status: 400,
      code: 400,
      reason: undefined,
      traceId: undefined,
      retryAfter: undefined,
      detail,
    }),
  );
  const shown = showPlace(error, ['logs', '| wher', '| count'].join(mark), memoryIo({}));
  expect(messageOf(shown)).toBe('line 2, column 3: no\n  | wher\n    ^');
});

it('shows each error once, the first with its position', () => {
  const detail = { line: 1, column: 8, message: 'there is no a; b' };
  const said = 'line 1, column 8: there is no a; b; line 1, column 34: c; d; line 2, column 1: \u001B[2Je';
  const error = new AnswerError(
    new ApiError(said, {
      status: 400,
      code: 400,
      reason: undefined,
      traceId: undefined,
      retryAfter: undefined,
      detail,
    }),
  );
  expect(messageOf(showPlace(error, 'logs | a', memoryIo()))).toBe(
    'line 1, column 8: there is no a; b\n  logs | a\n         ^\nline 1, column 34: c; d\nline 2, column 1: \\u001b[2Je',
  );
});
