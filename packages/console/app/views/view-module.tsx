import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'

import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { serverUrl } from '../api/server-url.ts'

const components = new Map<string, unknown>()

/** The component of a module, loaded once. */
function componentOf<Props extends object>(module: string): ComponentType<Props> {
  const existing = components.get(module) as ComponentType<Props> | undefined
  if (existing) return existing
  const component = lazy(async () => {
    try {
      return (await import(/* @vite-ignore */ serverUrl(module))) as { default: ComponentType<Props> }
    } catch (error) {
      // The next view of it tries again.
      components.delete(module)
      throw error
    }
  })
  components.set(module, component)
  return component
}

type ViewModuleProps<Props extends object> = {
  readonly module: string
  readonly props: Props
  readonly fallback?: ReactNode
  /** What is shown in place of a view that fails: it must not take the console with it. */
  readonly failure?: ReactNode
}

/** A module of an agent, with its props. */
export function ViewModule<Props extends object>(view: ViewModuleProps<Props>) {
  const { module, props, fallback = null, failure = null } = view
  const View = componentOf<Props>(module)
  return (
    <ErrorBoundary failure={failure}>
      <Suspense fallback={fallback}>
        <View {...props} />
      </Suspense>
    </ErrorBoundary>
  )
}
