/**
 * The bytes a reader stands on, and what went wrong with them. Behind their end are zeros, which nothing valid goes on with. Readers answer an
 * address, or 0 after {@link fail}.
 */
let end: usize = 0;
let failed: usize = 0;
let wanted: string = '';
/** Set by readers that replaced something (broken UTF-8, lone surrogates, numbers beyond double) by its repair. */
let repairs: bool = false;

export function sourceEnd(): usize {
  return end;
}

export function setSourceEnd(at: usize): void {
  end = at;
}

/** Notes the failure; answers 0 so that readers can return it. */
export function fail(at: usize, expected: string): usize {
  failed = at;
  wanted = expected;
  return 0;
}

/** Where the last failure is. */
export function failedAt(): usize {
  return failed;
}

/** What the grammar wanted there: the address of a UTF-16 text, whose length in bytes stands in the four bytes before. */
export function expected(): usize {
  return changetype<usize>(wanted);
}

export function wasRepaired(): bool {
  return repairs;
}

export function setRepaired(value: bool): void {
  repairs = value;
}

/** The first address from `at` on that holds no JSON white space. */
export function skipSpace(at: usize): usize {
  let i = at;
  let byte = load<u8>(i);
  while (byte <= 0x20 && (byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09)) byte = load<u8>(++i);
  return i;
}
