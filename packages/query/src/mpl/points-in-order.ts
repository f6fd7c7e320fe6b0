/** Points of a series; times or windows rise. */
export interface Points {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** Points in the order of their times, each time once: the last point of it counts. */
export function inOrder({ times, values }: Points): Points {
  let repeats = 0;
  for (let i = 1; i < times.length; i++) {
    if (times[i]! < times[i - 1]!) return inOrder(sortPoints({ times, values }));
    if (times[i] === times[i - 1]) repeats++;
  }
  return repeats === 0 ? { times, values } : withoutRepeats({ times, values }, repeats);
}

/** Stable, so that points with the same time stay in their order. */
function sortPoints({ times, values }: Points): Points {
  const order = Uint32Array.from(times, (_, i) => i).sort((a, b) => times[a]! - times[b]! || a - b);
  return pickPoints({ times, values }, order);
}

function withoutRepeats(points: Points, repeats: number): Points {
  const { times } = points;
  const order = new Uint32Array(times.length - repeats);
  let next = 0;
  for (let i = 0; i < times.length; i++) if (times[i] !== times[i + 1]) order[next++] = i;
  return pickPoints(points, order);
}

/** Copies bits, because the one that ends a series is not a number of JavaScript. */
function pickPoints({ times, values }: Points, order: Uint32Array): Points {
  const bits = new BigUint64Array(values.buffer, values.byteOffset, values.length);
  const pickedBits = BigUint64Array.from(order, (i) => bits[i]!);
  return { times: Float64Array.from(order, (i) => times[i]!), values: new Float64Array(pickedBits.buffer) };
}
