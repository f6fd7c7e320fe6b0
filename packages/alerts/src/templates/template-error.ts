/** An error in a template, with its position. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}
