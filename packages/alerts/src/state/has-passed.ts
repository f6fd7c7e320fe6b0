/**
 * Whether a duration has passed since a time, all in milliseconds. It has, too, if the time is
 * further ahead than the duration: the clock was set back, and waiting would take as long again.
 * So no wait is longer than twice its duration.
 */
export const hasPassed = (since: number, duration: number, now: number): boolean =>
  now - since >= duration || since - now > duration;
