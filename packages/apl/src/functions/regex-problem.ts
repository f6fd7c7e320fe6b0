/** An error in a regular expression. */
export class RegexProblem extends Error {}
