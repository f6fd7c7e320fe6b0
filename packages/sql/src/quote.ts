import type { LiteralValue } from './nodes.js';

/**
 * The one place where text becomes part of SQL: identifiers, strings, numbers, names of functions
 * and settings.
 */

const stringEscapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\0': '\\0',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};
const identifierEscapes: Readonly<Record<string, string>> = { ...stringEscapes, '`': '\\`', "'": "'" };
const functionName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `` `name` `` with backslash escapes. */
export function quoteIdentifier(name: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters must be escaped
  return `\`${name.replace(/[\\`\u0000\n\r\t\b\f]/g, (c) => identifierEscapes[c]!)}\``;
}

/** `'text'` with backslash escapes. */
export function quoteString(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters must be escaped
  return `'${text.replace(/[\\'\u0000\n\r\t\b\f]/g, (c) => stringEscapes[c]!)}'`;
}

/**
 * A literal in ClickHouse syntax. Non-finite floats are `nan`, `inf`, `-inf`; finite ones always
 * read back as Float64.
 */
export function quoteLiteral(value: LiteralValue): string {
  if (value === null) return 'NULL';
  switch (typeof value) {
    case 'string':
      return quoteString(value);
    case 'bigint':
      return value.toString();
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number': {
      if (Number.isNaN(value)) return 'nan';
      if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
      const text = Object.is(value, -0) ? '-0' : String(value);
      return /[.e]/.test(text) ? text : `${text}.0`;
    }
  }
}

/**
 * The name of a function or setting, unquoted. Throws on anything but a plain name, which is a bug
 * in the caller.
 */
export function checkedName(name: string): string {
  if (!functionName.test(name)) throw new RangeError(`not a function name: ${JSON.stringify(name)}`);
  return name;
}
