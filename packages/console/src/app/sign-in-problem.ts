/** Why a sign-in with a provider failed, by the code in the address that the server led to. */
const texts: Readonly<Record<string, string>> = {
  'provider-down': 'The sign-in provider does not respond. Try again later, or use a token.',
  'unknown-provider': 'This sign-in provider is not set up.',
  cancelled: 'The sign-in was canceled at the provider.',
  attempt: 'The sign-in took too long, was used before, or began in another browser. Try again.',
  answer: 'The answer of the sign-in provider is not valid. Try again, or ask an administrator.',
  claims: 'Your account at the provider may not sign in here. Ask an administrator.',
  'address-taken': 'A user with your address exists. Ask an administrator to link it to your account.',
  'unknown-user': 'No user is linked to your account at the provider. Ask an administrator.',
  'plain-http': 'Sign-in needs an encrypted connection. Open this page over HTTPS.',
};

/** The text for the fragment `#sign-in=code.trace`; undefined for other fragments. */
export function problemIn(hash: string): string | undefined {
  const [, code = '', trace = ''] = /^#sign-in=([\w-]+)\.(\w+)$/.exec(hash) ?? [];
  if (code === '') return undefined;
  const text = Object.hasOwn(texts, code) ? texts[code]! : 'The sign-in failed.';
  return `${text} Trace ID: ${trace}`;
}

/** The problem of the sign-in that led to this page, removed from the address at once. */
export const signInProblem = problemIn(globalThis.location?.hash ?? '');
if (signInProblem !== undefined) history.replaceState(null, '', location.pathname + location.search);
