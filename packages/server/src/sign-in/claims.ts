/** What a provider says about a person. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A claim by its name, or by a path such as `realm_access.roles`. */
export function claimAt(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  // Names with dots or slashes, such as those of Auth0, are no paths.
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** The texts of a claim: a text, a number or boolean, or a list of them. */
export function textsAt(claims: Readonly<Record<string, unknown>>, path: string): readonly string[] {
  const value = claimAt(claims, path);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((item) =>
    typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean' ? [String(item)] : [],
  );
}

/** Whether the provider left the groups out because there are too many (Entra above 200). */
export function leavesOut(claims: Readonly<Record<string, unknown>>, claim: string): boolean {
  const names = claimAt(claims, '_claim_names');
  return typeof names === 'object' && names !== null && Object.hasOwn(names, claim);
}

/** The verified address of a person. */
export const verifiedEmail = (claims: Readonly<Record<string, unknown>>): string | undefined =>
  claims.email_verified === true ? textsAt(claims, 'email')[0] : undefined;
