/** Milliseconds since the epoch; always an argument, so that tests control the time. */
export type Clock = () => number;

/** Canonical text of times set by the server: RFC 3339 in UTC with milliseconds. */
export const timestamp = (clock: Clock): string => new Date(clock()).toISOString();
