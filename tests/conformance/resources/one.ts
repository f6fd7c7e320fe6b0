import { request } from '../../support/server-process.ts';
import { oneServer } from '../one-server.ts';

/** The server that all of these ask. */
export const one = oneServer();

export const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  request(one.server, path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
export const statusOf = async (method: string, path: string, body?: unknown) => (await call(method, path, body)).status;
export const keys = (value: unknown): readonly string[] => Object.keys(value as object).toSorted();
