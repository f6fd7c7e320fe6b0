import type { Plain } from '../functions.js';
import { isBag, isList, textOf } from '../values.js';
import type { Bag, Type, Value } from '../values.js';

const ofText = (returns: Type, of: (text: string) => Value): readonly Plain[] => [{ params: ['string'], returns, of }];

function cut(text: string, separator: string): Bag {
  const at = separator === '' ? -1 : text.indexOf(separator);
  return at < 0
    ? { key: '', value: text, separator }
    : { key: text.slice(0, at), value: text.slice(at + separator.length), separator };
}

const fits = (text: Value, pattern: string): boolean =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&'))
      .join('.*')}$`,
    'su',
  ).test(String(text));

/** The fields of the first record. */
function fieldsOf(text: string): readonly Value[] {
  const record = /^(?:"(?:[^"]|"")*"|[^"\r\n]|")*/.exec(text)![0];
  return [...`${record},`.matchAll(/("(?:[^"]|"")*"[^,]*|[^,]*),/g)].map(([, field = '']) => {
    const quoted = /^"((?:[^"]|"")*)"/.exec(field);
    return quoted === null ? field : quoted[1]!.replaceAll('""', '"');
  });
}

const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
const decode = (text: string): string => decodeURIComponent(text.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'));

function parametersOf(query: string): Bag {
  const pairs = query
    .replace(/^\?+/, '')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => cut(pair.includes('=') ? pair : `${pair}=`, '='))
    .map(({ key, value }) => [decode(String(key).replaceAll('+', ' ')), decode(String(value).replaceAll('+', ' '))]);
  return Object.fromEntries(pairs.filter(([key], i) => pairs.findIndex(([other]) => other === key) === i));
}

function partsOf(url: string): Bag {
  const [, scheme = '', login = '', host = '', port = '', path = '', query = '', fragment = ''] =
    /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/(?:([^/?#]*)@)?(\[[^\]]*\]|[^/?#:]*)(?::(\d*))?)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(
      url,
    ) ?? [];
  const [username = '', ...rest] = login.split(':').map(decode);
  const password = rest.join(':');
  return { scheme, host, port, path, username, password, query, fragment };
}

function urlOf(parts: Bag): string {
  const text = (key: string): string => textOf(parts[key] ?? null, 'dynamic') ?? '';
  const [host, path, password] = [text('host'), text('path'), text('password')];
  const user = text('user') === '' ? text('username') : text('user');
  const query = isBag(parts['query'] ?? null)
    ? Object.entries(parts['query'] as Bag)
        .map(([key, value]) => `${encode(key)}=${encode(textOf(value, 'dynamic') ?? '')}`)
        .join('&')
    : text('query').replace(/^\?+/, '');
  const login = user === '' ? '' : `${encode(user)}${password === '' ? '' : `:${encode(password)}`}@`;
  const port = text('port') === '' ? '' : `:${text('port')}`;
  return [
    text('scheme') === '' ? '' : `${text('scheme')}:`,
    host === '' ? '' : `//${login}${host}${port}`,
    path !== '' && host !== '' && !path.startsWith('/') ? '/' : '',
    path,
    query === '' ? '' : `?${query}`,
    text('fragment') === '' ? '' : `#${text('fragment')}`,
  ].join('');
}

/** The name of a file and the parts before and after it; both `/` and `\` separate. */
function pathOf(text: string): Bag {
  const [, Scheme = '', before = '', Filename = '', stream = ''] =
    /^(?:([a-z][a-z0-9+.-]+):\/\/)?(.*[/\\])?([^/\\:]*)(?::([^/\\]*))?$/is.exec(text) ?? [];
  const DirectoryPath = /^[/\\]+$/.test(before) ? before : before.replace(/[/\\]+$/, '');
  return {
    Scheme,
    RootPath: /^\/?([a-z]:)/i.exec(before)?.[1] ?? '',
    DirectoryPath,
    DirectoryName: /[^/\\]*$/.exec(DirectoryPath)![0],
    Filename,
    Extension: /.\.([^.]*)$/s.exec(Filename)?.[1] ?? '',
    AlternateDataStreamName: stream,
  };
}

const defineTrim = (before: boolean, after: boolean): readonly Plain[] => [
  {
    params: ['string', 'string'],
    returns: 'string',
    of: (regex: string, text: string) => {
      const start = before ? text.replace(new RegExp(`^(?:${regex})+`, 'u'), '') : text;
      return after ? start.replace(new RegExp(`(?:${regex})+$`, 'u'), '') : start;
    },
  },
];

/** An escape sequence such as that for a color. */
const color = new RegExp(`${String.fromCharCode(27)}\\[[0-?]*[ -/]*[@-~]`, 'g');

/** Functions that take texts apart or put them together. */
export const textPartFunctions: Readonly<Record<string, readonly Plain[]>> = {
  pair: [
    {
      params: ['string', 'string', 'string'],
      optional: 2,
      returns: 'dynamic',
      of: (key: string, value: string, separator = ':') => ({ key, value, separator }),
    },
  ],
  parse_pair: [
    {
      params: ['string', 'string'],
      optional: 1,
      returns: 'dynamic',
      of: (text: string, separator = ':') => cut(text, separator),
    },
  ],
  find_pair: [
    {
      params: ['dynamic', 'string', 'string', 'string'],
      optional: 3,
      returns: 'dynamic',
      of: (list: Value, key: string, value: string, separator = ':') => {
        if (!isList(list)) return null;
        const texts = list.filter((text) => typeof text === 'string' && separator !== '' && text.includes(separator));
        const pairs = texts.map((text) => cut(String(text), separator));
        return pairs.find((pair) => fits(pair['key']!, key) && fits(pair['value']!, value)) ?? null;
      },
    },
  ],
  parse_csv: ofText('dynamic', fieldsOf),
  parse_url: ofText('dynamic', partsOf),
  parse_urlquery: ofText('dynamic', parametersOf),
  parse_path: ofText('dynamic', pathOf),
  format_url: [{ params: ['dynamic'], returns: 'string', of: (parts: Value) => (isBag(parts) ? urlOf(parts) : null) }],
  regex_quote: ofText('string', (text) => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&')),
  trim_regex: defineTrim(true, true),
  trim_start_regex: defineTrim(true, false),
  trim_end_regex: defineTrim(false, true),
  strip_ansi_escapes: ofText('string', (text) => text.replaceAll(color, '')),
};
