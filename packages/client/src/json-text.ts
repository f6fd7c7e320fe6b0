/** A serialized body. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Sends a body verbatim: reserializing would change the spelling of numbers and lose digits of
 * large ones.
 */
export const jsonText = <T>(text: string): T => new JsonText(text) as unknown as T;
