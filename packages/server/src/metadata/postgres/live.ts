/** A process that was not heard of for so long counts as gone, by the clock of the database. */
export const liveSeconds = 10;

/** A condition on rows of `nodes`. */
export const isLive = `seen > now() - interval '${liveSeconds} seconds'`;
