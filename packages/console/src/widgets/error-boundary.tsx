import { Component, type ReactNode } from 'react';
import { ErrorState } from './states.js';

interface Props {
  readonly title: string;
  /** A change resets the error: another query, another view. */
  readonly subject: unknown;
  readonly children: ReactNode;
  /** Replaces the default message. */
  readonly fallback?: (error: unknown) => ReactNode;
}

/** Limits errors to part of a page: above all, the text being typed survives. */
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
    if (this.props.fallback !== undefined) return this.props.fallback(error);
    return <ErrorState title={this.props.title} error={error} onRetry={() => this.setState({ error: undefined })} />;
  }
}
