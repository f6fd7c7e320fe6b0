export { CsvHeaderError, parseHeaderFields } from './header.js';
export { CsvDelimiterError, comma, csvDelimiter } from './delimiter.js';
export type { CsvDelimiter } from './delimiter.js';
