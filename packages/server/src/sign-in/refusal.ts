/** Why a sign-in failed; the console has a text for each. */
type SignInProblem =
  | 'provider-down'
  | 'unknown-provider'
  | 'cancelled'
  | 'attempt'
  | 'answer'
  | 'claims'
  | 'address-taken'
  | 'unknown-user'
  | 'plain-http';

/** A sign-in that is refused. The reason is for logs and the audit log. */
export class SignInRefusal extends Error {
  override readonly name = 'SignInRefusal';
  readonly problem: SignInProblem;

  constructor(problem: SignInProblem, reason: string, cause?: unknown) {
    super(reason, { cause });
    this.problem = problem;
  }
}
