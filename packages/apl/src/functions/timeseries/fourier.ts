import { call, cast, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { nullOf } from '../../lower/values.js';
import type { Example, FunctionRecord } from '../define.js';
import { holdsArray } from '../json-text.js';
import { numbersOf } from '../array/elements.js';
import { numbersOnly, seriesJson, seriesParam, withZeros } from './series.js';
import { bindValue } from '../bound-argument.js';
import { defineOverload } from '../define.js';

/** Complex numbers are tuples (real, imaginary) of Float64. */
const complex = (re: Expr, im: Expr): Expr => call('tuple', re, im);
const re = (z: Expr): Expr => call('tupleElement', z, integer(1));
const im = (z: Expr): Expr => call('tupleElement', z, integer(2));
const plus = (a: Expr, b: Expr): Expr => call('plus', a, b);
const minus = (a: Expr, b: Expr): Expr => call('minus', a, b);
const times = (a: Expr, b: Expr): Expr => call('multiply', a, b);
const half = (size: Expr): Expr => call('intDiv', size, integer(2));
const range = (size: Expr): Expr => call('range', size);
const size = (array: Expr): Expr => call('length', array);
const map = (params: readonly string[], body: Expr, ...arrays: readonly Expr[]): Expr =>
  call('arrayMap', lambda(params, body), ...arrays);
const [a, b, i, z] = [column('a'), column('b'), column('i'), column('z')];

const product = (x: Expr, y: Expr): Expr =>
  complex(minus(times(re(x), re(y)), times(im(x), im(y))), plus(times(re(x), im(y)), times(im(x), re(y))));
const onCircle = (angle: Expr): Expr => complex(call('cos', angle), call('sin', angle));
const conjugates = (numbers: Expr): Expr => map(['z'], complex(re(z), call('negate', im(z))), numbers);

/**
 * Fourier transforms of arrays of complex numbers whose sizes are powers of two, by Stockham's
 * algorithm, which needs no access by index. In each step over N numbers in blocks of s, number i
 * and number i + N/2 become a sum and a rotated difference; sorting makes blocks of sums and of
 * differences alternate. After the steps s = 1, 2, 4 … N/2 this is the transform. O(N log² N).
 */
function transformArrays(arrays: Expr): Expr {
  const [numbers, state, block] = [column('numbers'), column('state'), column('block')];
  const middle = half(size(state));
  const low = call('arraySlice', state, integer(1), middle);
  const high = call('arraySlice', state, plus(middle, integer(1)), middle);
  const start = times(call('intDiv', i, block), block);
  const angle = call('divide', times(literal(-2 * Math.PI), start), size(state));
  const difference = complex(minus(re(a), re(b)), minus(im(a), im(b)));
  const sums = map(['a', 'b'], complex(plus(re(a), re(b)), plus(im(a), im(b))), low, high);
  const turns = map(['i'], onCircle(angle), range(middle));
  const differences = map(['a', 'b', 'turn'], product(difference, column('turn')), low, high, turns);
  const place = map(['i'], plus(i, start), range(middle));
  const places = call('arrayConcat', place, map(['i'], plus(i, block), place));
  const step = call(
    'arraySort',
    lambda(['z', 'place'], column('place')),
    call('arrayConcat', sums, differences),
    places,
  );
  const stages = call('toUInt64', call('round', call('log2', call('greatest', size(numbers), integer(1)))));
  const blocks = map(['i'], call('toUInt64', call('exp2', i)), range(stages));
  return map(['numbers'], call('arrayFold', lambda(['state', 'block'], step), blocks, numbers), arrays);
}

const isPowerOfTwo = (count: Expr): Expr => call('equals', call('bitCount', count), integer(1));

/**
 * Fourier transform of any number of complex numbers: for sizes other than powers of two by
 * Bluestein's algorithm, as a convolution with a chirp, which is a product of transforms whose size
 * is a power of two. Both cases share one transform in the query.
 */
function transform(numbers: Expr): Expr {
  const [n, padded, given] = [column('count'), column('padded'), column('given')];
  const direct = isPowerOfTwo(n);
  // The square is taken modulo 2n, since sine and cosine lose digits for large angles.
  const angle = (k: Expr): Expr =>
    call('divide', times(literal(Math.PI), call('modulo', times(k, k), times(integer(2), n))), call('toFloat64', n));
  const turned = map(['z', 'i'], product(z, onCircle(call('negate', angle(i)))), given, range(n));
  const zero = complex(literal(0), literal(0));
  const fromEnd = minus(padded, i);
  const chirp = call(
    'multiIf',
    call('less', i, n),
    onCircle(angle(i)),
    call('less', fromEnd, n),
    onCircle(angle(fromEnd)),
    zero,
  );
  const inputs = call(
    'if',
    direct,
    call('array', given),
    call('array', call('arrayResize', turned, padded, zero), map(['i'], chirp, range(padded))),
  );
  const spectrum = (at: number): Expr => call('arrayElement', column('spectra'), integer(at));
  const [first, second] = [spectrum(1), spectrum(2)];
  // For a power of two there is no second one, but the engine may evaluate unneeded expressions.
  const sized = call('arrayResize', second, size(first), zero);
  const factors = conjugates(map(['a', 'b'], product(a, b), first, sized));
  const convolved = call('arrayElement', transformArrays(call('array', factors)), integer(1));
  const scale = call('divide', literal(1), call('toFloat64', padded));
  const unturned = map(
    ['z', 'i'],
    product(complex(times(re(z), scale), times(call('negate', im(z)), scale)), onCircle(call('negate', angle(i)))),
    call('arraySlice', convolved, integer(1), n),
    range(n),
  );
  const room = minus(times(call('greatest', n, integer(1)), integer(2)), integer(1));
  return bindValue('given', numbers, () =>
    bindValue('count', size(given), () =>
      bindValue('padded', call('toUInt64', call('exp2', call('ceil', call('log2', room)))), () =>
        bindValue('spectra', transformArrays(inputs), () => call('if', direct, first, unturned)),
      ),
    ),
  );
}

function inverse(numbers: Expr): Expr {
  const scalePart = (part: Expr): Expr => call('divide', part, call('toFloat64', column('count')));
  return bindValue('spectrum', numbers, (spectrum) =>
    map(
      ['z', 'count'],
      complex(scalePart(re(z)), scalePart(im(z))),
      conjugates(transform(conjugates(spectrum))),
      call('arrayWithConstant', size(spectrum), size(spectrum)),
    ),
  );
}

/** Real and imaginary parts as complex numbers; the shorter array is filled up with zeros. */
function complexNumbers(real: Expr, imaginary: Expr | undefined): Expr {
  const parts = withZeros(numbersOf(real));
  if (imaginary === undefined) return map(['z'], complex(z, literal(0)), parts);
  const others = withZeros(numbersOf(imaginary));
  const longer = call('greatest', size(parts), size(others));
  const arraySize = (array: Expr): Expr => call('arrayResize', array, longer, literal(0));
  return map(['a', 'b'], complex(a, b), arraySize(parts), arraySize(others));
}

const record = (
  name: string,
  summary: string,
  body: (numbers: Expr) => Expr,
  examples: readonly Example[],
): FunctionRecord => ({
  name,
  summary: `${summary}: an array of the real and the imaginary parts. Null counts as 0.`,
  overloads: [
    defineOverload({
      params: [seriesParam('real')],
      returns: 'array',
      onceEach: true,
      lower: ([real]) => lower(body, real.sql),
    }),
    defineOverload({
      params: [seriesParam('real'), seriesParam('imaginary')],
      returns: 'array',
      onceEach: true,
      lower: ([real, imaginary]) => lower(body, real.sql, imaginary.sql),
    }),
  ],
  examples,
  differs: { axiom: numbersOnly, kusto: 'One array of two, not two columns.' },
});

function lower(body: (numbers: Expr) => Expr, real: Expr, imaginary?: Expr): Expr {
  const numbers = cast(complexNumbers(real, imaginary), 'Array(Tuple(Float64, Float64))');
  const parts = bindValue('result', body(numbers), (result) =>
    call(
      'concat',
      literal('['),
      seriesJson(map(['z'], re(z), result)),
      literal(','),
      seriesJson(map(['z'], im(z), result)),
      literal(']'),
    ),
  );
  const arrays = imaginary === undefined ? holdsArray(real) : call('and', holdsArray(real), holdsArray(imaginary));
  return call('if', arrays, parts, nullOf('array'));
}

/** Fourier transforms. */
export const functions: readonly FunctionRecord[] = [
  record('series_fft', 'The discrete Fourier transform of a series', transform, [
    {
      apl: 'series_fft(dynamic([1, 2, 3, 4]))',
      gives: [
        [10, -2, -2, -2],
        [0, 2, 0, -2],
      ],
      tolerance: 1e-12,
    },
    {
      apl: 'series_fft(dynamic([1, 2, 3]))',
      gives: [
        [6, -1.5, -1.5],
        [0, Math.sqrt(3) / 2, -Math.sqrt(3) / 2],
      ],
      tolerance: 1e-12,
    },
    {
      apl: 'series_fft(dynamic([1, 0]), dynamic([0, 1]))',
      gives: [
        [1, 1],
        [1, -1],
      ],
      tolerance: 1e-12,
    },
    { apl: 'series_fft(dynamic([]))', gives: [[], []] },
  ]),
  record('series_ifft', 'The inverse of series_fft', inverse, [
    {
      apl: 'series_ifft(dynamic([10, -2, -2, -2]), dynamic([0, 2, 0, -2]))',
      gives: [
        [1, 2, 3, 4],
        [0, 0, 0, 0],
      ],
      tolerance: 1e-12,
    },
    { apl: 'series_ifft(dynamic([7]))', gives: [[7], [0]] },
    {
      apl: 'series_ifft(series_fft(dynamic([5, -1, 2, 0, 3]))[0], series_fft(dynamic([5, -1, 2, 0, 3]))[1])[0]',
      gives: [5, -1, 2, 0, 3],
      tolerance: 1e-9,
    },
  ]),
];
