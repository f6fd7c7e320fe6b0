/** What is wrong with a regular expression. */
export class RegexProblem extends Error {}
