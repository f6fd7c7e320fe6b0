/** The engine did not confirm events in time. They may be there, now or later. */
export class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed';
}
