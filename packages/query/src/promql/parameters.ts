import { parseDuration } from '@millrace/promql';
import { invalidParameter } from './prometheus-error.js';

/** Parameters of a request, from its address and its form; times in milliseconds. */
export class PrometheusParameters {
  readonly #form: URLSearchParams;
  readonly #query: Readonly<Record<string, string | readonly string[] | undefined>>;

  /** @param query parameters of the address, which those of the form precede */
  constructor(query: Readonly<Record<string, string | readonly string[] | undefined>>, form = '') {
    this.#query = query;
    this.#form = new URLSearchParams(form);
  }

  /** Empty if missing. */
  text(name: string): string {
    const value = this.#form.get(name) ?? this.#query[name] ?? '';
    return typeof value === 'string' ? value : (value[0] ?? '');
  }

  /** `match[]`. */
  matches(): readonly string[] {
    const { match = [] } = this.#query;
    return [...this.#form.getAll('match[]'), ...(typeof match === 'string' ? [match] : match)];
  }

  /** @throws HttpError for an invalid time */
  time(name: string, otherwise?: number): number {
    const text = this.text(name);
    const time = text === '' ? otherwise : timeOf(text);
    if (time !== undefined) return time;
    throw invalidParameter(name, `cannot parse ${JSON.stringify(text)} to a valid timestamp`);
  }

  /** @throws HttpError for an invalid duration */
  duration(name: string, otherwise?: number): number {
    const text = this.text(name);
    const duration = text === '' ? otherwise : durationOf(text);
    if (duration !== undefined) return duration;
    throw invalidParameter(name, `cannot parse ${JSON.stringify(text)} to a valid duration`);
  }

  /** 0 or none means without a limit. */
  limit(name = 'limit'): number {
    const text = this.text(name);
    if (text === '') return Infinity;
    if (!/^\d+$/.test(text)) throw invalidParameter(name, 'limit must be a non-negative number');
    return Number(text) || Infinity;
  }
}

/** The largest time of a date. */
const largest = 8.64e15;

function timeOf(text: string): number | undefined {
  const seconds = Number(text);
  const time = Number.isNaN(seconds)
    ? /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text)
      ? Date.parse(text)
      : Number.NaN
    : Math.round(seconds * 1000);
  return Math.abs(time) <= largest ? time : undefined;
}

function durationOf(text: string): number | undefined {
  const seconds = Number(text);
  const duration = Number.isNaN(seconds) ? parseDuration(text) : Math.round(seconds * 1000);
  return duration !== undefined && Math.abs(duration) <= largest ? duration : undefined;
}
