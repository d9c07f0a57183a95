import { Component, type ReactNode } from 'react'

type BoundaryProps = {
  readonly children: ReactNode
  /** What is shown in place of children that fail: they must not take what is around them with them. */
  readonly failure: ReactNode
}

/** Catches what its children throw while they are drawn. React has no function for it. */
export class ErrorBoundary extends Component<BoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.failure : this.props.children
  }
}
