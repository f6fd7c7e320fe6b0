/** A difference between the recorded answers and the present ones. */
interface DocumentedChange {
  /** The request and the property, as `differences` names them. */
  readonly at: string;
  /** What docs/upgrading.md says about it. */
  readonly text: string;
}

/** Empty the list after recording again. */
export const documentedChanges: readonly DocumentedChange[] = [
  { at: '/v2/rbac/roles[].orgCapabilities.metrics', text: 'have the organization capability `metrics`' },
];
