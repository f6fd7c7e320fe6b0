import { Component, type ReactNode } from 'react';
import { ErrorState } from './states.js';

interface Props {
  readonly title: string;
  /** Another one is a reason to try again: another query, another view. */
  readonly subject: unknown;
  readonly children: ReactNode;
  /** What to show instead of the usual words. */
  readonly instead?: (error: unknown) => ReactNode;
}

/**
 * A part of a page that may fail without taking along the rest: above all, not what somebody is
 * typing.
 */
export class ErrorBoundary extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined };
  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }
  override componentDidUpdate(before: Props): void {
    if (before.subject !== this.props.subject && this.state.error !== undefined) this.setState({ error: undefined });
  }
  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (this.props.instead !== undefined) return this.props.instead(error);
    return <ErrorState title={this.props.title} error={error} onRetry={() => this.setState({ error: undefined })} />;
  }
}
