/** Milliseconds since the epoch; an argument everywhere, so that tests decide what time it is. */
export type Clock = () => number;

/** The canonical text of a time the server itself sets: RFC 3339 in UTC with milliseconds. */
export const timestamp = (clock: Clock): string => new Date(clock()).toISOString();
