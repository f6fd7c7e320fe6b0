export { CsvReader } from './reader.js';
export { CsvHeaderError, parseHeaderFields, readHeader } from './header.js';
export { CsvDelimiterError, comma, csvDelimiter } from './delimiter.js';
export type { CsvDelimiter } from './delimiter.js';
