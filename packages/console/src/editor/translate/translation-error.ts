/** Query text that cannot be translated; the message is the part that is in the way. */
export class TranslationError extends Error {}

/** What a translated query returns: numbers over time, numbers by group, or events. */
export type Shape = 'times' | 'groups' | 'events';
