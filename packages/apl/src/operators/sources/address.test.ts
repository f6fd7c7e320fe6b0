import { describe, expect, it } from 'vitest';
import { allowedAddress } from './address.js';

describe('allowedAddress', () => {
  const hosts = ['data.example.com', '127.0.0.1:8080', '[::1]', 'files.example.com:443'];

  it.each([
    ['https://data.example.com/a.csv', 'https://data.example.com/a.csv'],
    ['http://data.example.com:8123/a.csv?x=1,2#part', 'http://data.example.com:8123/a.csv?x=1,2'],
    ['HTTPS://Data.Example.COM', 'https://data.example.com/'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/'],
    // Another way to write the same host.
    ['http://2130706433:8080/', 'http://127.0.0.1:8080/'],
    ['http://0x7f.1:8080/', 'http://127.0.0.1:8080/'],
    ['http://[0:0:0:0:0:0:0:1]:9/a', 'http://[::1]:9/a'],
    ['https://files.example.com/', 'https://files.example.com/'],
    ['https://files.example.com:443/', 'https://files.example.com/'],
    ['https://data.example.com/a/../b.csv', 'https://data.example.com/b.csv'],
    ['https://data.example.com/|https://evil.org/', 'https://data.example.com/|https://evil.org/'],
  ])('reads %s', (text, href) => expect(allowedAddress(text, hosts)).toEqual({ kind: 'allowed', href }));

  it.each([
    'https://example.com/a.csv',
    'https://data.example.com.evil.org/a.csv',
    'https://evil.org/data.example.com',
    'https://data.example.com./',
    'https://data.example.com@evil.org/',
    'https://user@data.example.com/',
    'https://:secret@data.example.com/',
    'https://evil.org\\@data.example.com/',
    'https://data.example.com\\.evil.org/',
    'https://data.example.com\n.evil.org/',
    'https://data.example.com /',
    ' https://data.example.com/',
    'https://data.example.com/\u0000',
    'https:data.example.com/',
    'http://127.0.0.1/',
    'http://127.0.0.1:80/',
    'http://127.0.0.1:80800/',
    'http://127.0.0.2:8080/',
    'http://files.example.com/',
    'http://[::2]/',
    'http://{data.example.com,evil.org}/',
    'http://data.example.com|evil.org/',
    'file:///etc/passwd',
    'ftp://data.example.com/',
    'data.example.com/a.csv',
    'https://',
    '',
  ])('refuses %j', (text) => expect(allowedAddress(text, hosts).kind).toBe('refused'));
});
