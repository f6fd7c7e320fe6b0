import type { Grid } from '@millrace/promql';
import { parseDuration } from '@millrace/http/duration';
import { parseTimestampText } from '@millrace/timestamps';
import { metricsBounds } from '@millrace/mpl';
import { lokiError } from './loki-error.js';

/** Parameters of a request to Loki's API, from its address and its form; times in nanoseconds. */
export class LokiParameters {
  readonly #form: URLSearchParams;
  readonly #query: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly #now: bigint;

  /** @param query parameters of the address, which those of the form precede */
  constructor(query: Readonly<Record<string, string | readonly string[] | undefined>>, form: string, now: bigint) {
    this.#form = new URLSearchParams(form);
    this.#query = query;
    this.#now = now;
  }

  /** Empty if missing. */
  text(name: string): string {
    const value = this.#form.get(name) ?? this.#query[name] ?? '';
    return typeof value === 'string' ? value : (value[0] ?? '');
  }

  /** `match[]` or `match`. */
  matches(): readonly string[] {
    const { match = [] } = this.#query;
    const own = typeof match === 'string' ? [match] : match;
    return [...this.#form.getAll('match[]'), ...this.#form.getAll('match'), ...own];
  }

  /** The range of the request: the last hour by default, or as long as `since` says. */
  range(): { readonly start: bigint; readonly end: bigint } {
    const end = this.#time('end', this.#now);
    const since = this.text('since');
    const length = since === '' ? 3_600_000_000_000n : this.#nanoseconds('since', since);
    const start = this.#time('start', (end < this.#now ? end : this.#now) - length);
    if (end < start) throw lokiError('end timestamp must not be before or equal to start time');
    return { start, end };
  }

  /** The time of an instant query. */
  instant(): Grid {
    return { start: Number(this.#time('time', this.#now) / 1_000_000n), step: 1, length: 1 };
  }

  /** @throws HttpError for an invalid step, or too many points */
  grid(): Grid {
    const range = this.range();
    const [start, end] = [range.start, range.end].map((time) => Number(time / 1_000_000n)) as [number, number];
    const written = this.text('step');
    const step =
      written === ''
        ? Math.max(Math.floor((end - start) / 250_000), 1) * 1000
        : Number(this.#nanoseconds('step', written)) / 1e6;
    if (!(step >= 1))
      throw lokiError('zero or negative query resolution step widths are not accepted. Try a positive integer');
    const length = Math.floor((end - start) / step) + 1;
    if (length > metricsBounds.windows.max)
      throw lokiError(
        'exceeded maximum resolution of 11,000 points per time series. Try increasing the value of the step parameter',
      );
    return { start, step, length };
  }

  /** @throws HttpError for a number above `max` */
  limit(otherwise: number, max: number): number {
    const text = this.text('limit');
    const limit = text === '' ? otherwise : Number(text);
    if (!Number.isInteger(limit) || limit < 0)
      throw lokiError(`limit must be a positive value, not ${JSON.stringify(text)}`);
    if (limit > max)
      throw lokiError(`max entries limit per query exceeded, limit > max_entries_limit (${limit} > ${max})`);
    return limit === 0 ? otherwise : limit;
  }

  /** Whether the newest lines come first. */
  isBackward(): boolean {
    const direction = this.text('direction').toLowerCase();
    if (!['', 'forward', 'backward'].includes(direction)) throw lokiError(`invalid direction '${direction}'`);
    return direction !== 'forward';
  }

  #time(name: string, otherwise: bigint): bigint {
    const text = this.text(name);
    const time = text === '' ? otherwise : timeOf(text);
    if (time === undefined) throw lokiError(`could not parse '${text}' as a timestamp of the parameter ${name}`);
    return time;
  }

  #nanoseconds(name: string, text: string): bigint {
    const seconds = Number(text);
    const duration = Number.isFinite(seconds) ? BigInt(Math.round(seconds * 1e9)) : parseDuration(text);
    if (duration === undefined) throw lokiError(`could not parse '${text}' as a duration of the parameter ${name}`);
    return duration;
  }
}

/** Longer integers than these are nanoseconds, as in Loki. */
const secondDigits = 10;

function timeOf(text: string): bigint | undefined {
  if (/^\d+$/.test(text)) return text.length <= secondDigits ? BigInt(text) * 1_000_000_000n : BigInt(text);
  const decimal = /^(\d+)\.(\d+)$/.exec(text);
  if (decimal !== null) return BigInt(decimal[1]!) * 1_000_000_000n + BigInt(decimal[2]!.padEnd(9, '0').slice(0, 9));
  return /^\d{4}-/.test(text) ? parseTimestampText(text) : undefined;
}
