import { expect, it } from 'vitest';
import { formatLogLine } from './readable-log.js';

const time = new Date(2026, 10, 20, 10, 5, 9).toISOString();
const renderLine = (line: object, color = false): string =>
  formatLogLine(JSON.stringify({ level: 'info', time, ...line }), color);

it.each([
  [
    { msg: 'request', method: 'POST', path: '/v1/ingest/logs', status: 200, seconds: 0.0042, operation: 'ingest' },
    '10:05:09 POST /v1/ingest/logs 200 4 ms\n',
  ],
  [
    { msg: 'request', method: 'GET', path: '/v2/x', status: 404, seconds: 0, code: 'not-found', message: 'no such' },
    '10:05:09 GET /v2/x 404 0 ms no such\n',
  ],
  [{ msg: 'removed events', events: 12 }, '10:05:09 removed events events=12\n'],
  [{ level: 'warn', msg: 'slow', err: { message: 'the disk' } }, '10:05:09 warning slow: the disk\n'],
  [{ level: 'error', msg: 'broken' }, '10:05:09 error broken\n'],
])('%j', (line, text) => expect(renderLine(line)).toBe(text));

it('has colors in a terminal that allows them', () =>
  expect(renderLine({ level: 'error', msg: 'broken' }, true)).toContain('\u001B[31merror\u001B[0m'));

it('escapes cursor control from clients', () => {
  const line = { msg: 'request', method: 'GET', path: '/\u001B[2J', status: 200, seconds: 0 };
  expect(renderLine(line)).not.toContain('\u001B');
});

it('passes through lines of other origin', () => expect(formatLogLine('half a {line\n', false)).toBe('half a {line\n'));
