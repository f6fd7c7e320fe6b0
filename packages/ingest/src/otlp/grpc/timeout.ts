const milliseconds: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** Longest delay of a timer. */
const maxDelay = 2 ** 31 - 1;

/** Parses the header `grpc-timeout`, such as `10S`, to milliseconds; undefined if it is none. */
export function parseTimeout(text: string | undefined): number | undefined {
  const match = /^(\d{1,8})([HMSmun])$/.exec(text ?? '');
  return match === null ? undefined : Math.min(maxDelay, Math.ceil(Number(match[1]) * milliseconds[match[2]!]!));
}
