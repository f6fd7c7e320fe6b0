import { expect, test } from 'vitest';
import { consoleBase, pathPrefix } from './console-address.js';

test.each([
  ['https://a.example', 'https://a.example/console'],
  ['https://a.example/', 'https://a.example/console'],
  ['https://a.example:8443//', 'https://a.example:8443/console'],
  ['https://a.example/console/', 'https://a.example/console'],
  ['https://a.example/logs', 'https://a.example/logs/console'],
  ['https://a.example/logs/console', 'https://a.example/logs/console'],
  ['https://console', 'https://console/console'],
])('the console of %s is at %s', (url, base) => expect(consoleBase(url)).toBe(base));

test.each([
  ['a.example', 'https://a.example/logs', '/logs'],
  ['A.example', 'https://a.example/logs/console/', '/logs'],
  ['a.example:8443', 'https://a.example:8443/x/y', '/x/y'],
  ['a.example', 'https://a.example:443/logs', '/logs'],
  ['a.example', 'https://a.example/console', ''],
  ['127.0.0.1:8080', 'https://a.example/logs', ''],
  ['a.example', undefined, ''],
])('a request to %s has the prefix of %s: "%s"', (host, url, prefix) => expect(pathPrefix(host, url)).toBe(prefix));
