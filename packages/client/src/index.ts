export { createClient } from './client.js';
export type { AnswerOf, Client, ClientOptions, Given, Operation, RequestOf } from './client.js';
export { ApiError } from './api-error.js';
export { jsonText } from './json-text.js';
export type * from './operations.js';
