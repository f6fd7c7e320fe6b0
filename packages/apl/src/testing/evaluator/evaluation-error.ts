/** An error in a query that depends on the data, which the language must report as well. */
export class EvaluationError extends Error {}
