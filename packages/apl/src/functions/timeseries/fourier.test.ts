import { printQuery } from '@millrace/sql';
import { expect, it } from 'vitest';
import { compileOrThrow } from '../../testing/compile-text.js';
import { parseJson, testEngine } from '../../testing/engine.js';

const engine = testEngine();

type Spectrum = readonly [readonly number[], readonly number[]];

/** The transform by its definition. */
function definition(numbers: readonly number[]): Spectrum {
  const size = numbers.length;
  const sum = (k: number, wave: (angle: number) => number): number =>
    numbers.reduce((total, x, i) => total + x * wave((-2 * Math.PI * i * k) / size), 0);
  const all = numbers.map((_, k) => k);
  return [all.map((k) => sum(k, Math.cos)), all.map((k) => sum(k, Math.sin))];
}

const series = Array.from({ length: 40 }, (_, size) =>
  Array.from({ length: size }, (_, i) => ((i * 7919 + size * 31) % 23) - 11),
);

const values = (apl: string): readonly unknown[] =>
  engine
    .rows(
      compileOrThrow(`datatable(s:dynamic)[${series.map((s) => `dynamic(${JSON.stringify(s)})`).join(', ')}] | ${apl}`)
        .query,
    )
    .map(([json]) => parseJson(String(json)));

const close = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((x, i) => Math.abs(x - b[i]!) < 1e-9);

it('transforms series of every size as the definition does', () => {
  const wrong = values('project series_fft(s)').flatMap((got, i) => {
    const [real, imaginary] = got as Spectrum;
    const [wantedReal, wantedImaginary] = definition(series[i]!);
    return close(real, wantedReal) && close(imaginary, wantedImaginary) ? [] : [series[i]!.length];
  });
  expect(wrong).toEqual([]);
});

it('gets every series back', () => {
  const wrong = values('extend f = series_fft(s) | project series_ifft(f[0], f[1])').flatMap((got, i) => {
    const [real, imaginary] = got as Spectrum;
    return close(real, series[i]!) && imaginary.every((x) => Math.abs(x) < 1e-9) ? [] : [series[i]!.length];
  });
  expect(wrong).toEqual([]);
});

it('keeps to the memory of some copies of a long series', () => {
  const text = printQuery(compileOrThrow('print n = array_length(series_fft(range(1, 65536))[0])').query);
  expect(engine.text(`${text} SETTINGS max_memory_usage = 100000000`).trim()).toBe('65536');
});
