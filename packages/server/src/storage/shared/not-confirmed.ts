/** The engine did not confirm events in time. They may be there, now or later. */
export class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed';
}

/** The place of a batch in the order of arrival was given up, and the engine has nothing of it. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}
