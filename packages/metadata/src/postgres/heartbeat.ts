/** A process without a heartbeat for this long counts as dead, by the clock of the database. */
export const liveSeconds = 10;

/** A condition on rows of `nodes`. */
export const isLive = `seen > now() - interval '${liveSeconds} seconds'`;
