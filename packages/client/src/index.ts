export { createClient } from './client.js';
export type { AnswerOf, Client, ClientOptions, RequestArguments as Given, Operation, RequestOf } from './client.js';
export { ApiError } from './api-error.js';
export { jsonText } from './json-text.js';
export type * from './operations.js';
