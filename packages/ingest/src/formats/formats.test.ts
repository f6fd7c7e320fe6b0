import { describe, expect, it } from 'vitest';
import { HttpError } from '@millrace/api/errors';
import { detectFormat, nativeFormats } from './body-formats.js';

const formatOf = (contentType: string) => detectFormat(nativeFormats, contentType);

describe('the format of a native body', () => {
  it.each([
    ['', 'json'],
    ['application/json', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['Application/JSON ;charset=utf-8', 'json'],
    ['application/x-ndjson', 'json'],
    ['application/nd-json', 'json'],
    ['application/cloudevents+json', 'json'],
    ['text/plain;charset=UTF-8', 'json'],
    ['application/x-www-form-urlencoded', 'json'],
    ['application/octet-stream', 'json'],
    ['text/csv', 'csv'],
    ['TEXT/CSV; header=present', 'csv'],
  ] as const)('%j is %s', (contentType, format) => expect(formatOf(contentType)).toBe(format));

  it.each(['application/xml', 'text/csvx', 'multipart/form-data; boundary=x', '__proto__', 'json', '+json'])(
    '%j is rejected with its accepted values',
    (contentType) => {
      const getFormat = (): unknown => formatOf(contentType);
      expect(getFormat).toThrow(HttpError);
      expect(getFormat).toThrow(/^unsupported content type '.*'; supported: application\/json, .*text\/csv$/);
    },
  );
});
