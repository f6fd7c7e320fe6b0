/** What is wrong with a template, and where. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}
