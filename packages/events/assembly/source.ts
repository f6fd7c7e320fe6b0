/**
 * The bytes to parse, and their error. They are followed by zeros, with which no valid input
 * continues. Parsers return an address, or 0 after {@link fail}.
 */
let end: usize = 0;
let failed: usize = 0;
let wanted: string = '';
/**
 * Set by readers that replaced something that cannot be stored (broken UTF-8, lone surrogates,
 * numbers beyond double).
 */
let repairs: bool = false;

export function sourceEnd(): usize {
  return end;
}

export function setSourceEnd(at: usize): void {
  end = at;
}

/** Records a failure; returns 0 so that readers can return it. */
export function fail(at: usize, expected: string): usize {
  failed = at;
  wanted = expected;
  return 0;
}

/** Where the last failure is. */
export function failedAt(): usize {
  return failed;
}

/**
 * The expected token at the failure: the address of a UTF-16 text, whose length in bytes is in the
 * four bytes before it.
 */
export function expected(): usize {
  return changetype<usize>(wanted);
}

export function wasRepaired(): bool {
  return repairs;
}

export function setRepaired(value: bool): void {
  repairs = value;
}

/** The first address from `at` on that does not hold JSON white space. */
export function skipSpace(at: usize): usize {
  let i = at;
  let byte = load<u8>(i);
  while (byte <= 0x20 && (byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09)) byte = load<u8>(++i);
  return i;
}
