/** A body that is JSON already. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * A body that is sent to the letter: writing it again would change how its numbers are spelled, and
 * lose digits of large ones.
 */
export const jsonText = <T>(text: string): T => new JsonText(text) as unknown as T;
